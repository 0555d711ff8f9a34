import Foundation
import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Managing directories", .onEveryStore)
final class RegisterTests: StoreStage {
    let team = Slug(literal: "team")
    let crew = Slug(literal: "crew")

    @discardableResult
    private func write(_ logins: String..., to slug: Slug) throws -> WriteCounts {
        let users = logins.enumerated().map { User(id: Int64($0 + 1), login: $1) }
        return try store.openDirectory(slug, title: nil, source: "test").write(users)
    }

    /// The directories as another process sees them.
    private var directories: [StoredDirectory] { get throws { try database.open().storedDirectories } }

    @Test func renamingKeepsUsersAndTitle() throws {
        try write("ada", to: team)
        var titled = DirectoryDescription()
        titled.title = "The Crew"
        try write("bo", to: crew)
        try store.describe(crew, as: titled)
        try store.rename(team, to: Slug(literal: "others"))
        try store.rename(crew, to: team)
        #expect(try directories.map(\.slug.text) == ["others", "team"])
        #expect(try directories.map(\.title) == ["others", "The Crew"], "a title equal to the slug changes with it")
        let page = try store.makeReader().page(UserQuery(directory: try directories[1].id, limit: 10))
        #expect(page?.users.users.map(\.login) == ["bo"])
        #expect(page?.directory.slug == team)
    }

    @Test func formerSlugsStayUntilAnotherDirectoryGetsThem() throws {
        let others = Slug(literal: "others")
        try write("ada", to: team)
        try store.rename(team, to: crew)
        try store.rename(crew, to: others)
        #expect(try directories.map(\.formerSlugs) == [[team, crew]])
        // A new directory, and one that is renamed.
        try write("bo", to: team)
        #expect(try directories.map(\.formerSlugs) == [[crew], []])
        try store.rename(team, to: crew)
        #expect(try directories.map(\.formerSlugs) == [[], [team]])
        try store.rename(crew, to: team)
        #expect(try directories.map(\.formerSlugs) == [[], [crew]])
        try store.remove(team)
        #expect(try directories.map(\.formerSlugs) == [[]])
    }

    @Test func aPrivateDirectoryIsPrivateFromTheFirstTransactionOn() throws {
        let writer = try store.openDirectory(team, title: nil, source: "test") { $0.isPrivate = true }
        #expect(writer.directory.settings.shown.looks.sites == .private)
        #expect(try directories.map(\.settings.shown.looks.sites) == [.private])
        _ = try writer.write([User(id: 1, login: "ada")])
        try write("bo", to: crew)
        let generation = try directories[1].generation
        _ = try store.openDirectory(crew, title: nil, source: "test") { $0.isPrivate = true }
        #expect(try directories.allSatisfy { $0.settings.shown.looks.sites == .private })
        #expect(try directories[1].generation > generation)
        // Nobody publishes it by opening it again.
        _ = try store.openDirectory(team, title: nil, source: "other")
        #expect(try directories.allSatisfy { $0.settings.shown.looks.sites == .private })
    }

    @Test func aJudgeFindsPeopleAndChangesNothing() throws {
        #expect(try store.makePruningJudge(of: team) == nil)
        try write("ada", "bo", "cy", to: team)
        let before = try directories
        let judge = try #require(try store.makePruningJudge(of: team))
        #expect(judge.total == 3 && judge.found == 0)
        try judge.note(UserBatch([User(id: 2, login: "bo"), User(id: 2, login: "bo"), User(id: 9, login: "new")]))
        #expect(judge.found == 1)
        #expect(try directories == before)
        let writer = try store.openDirectory(team, title: nil, source: "test")
        try writer.beginPruning()
        _ = try writer.write([User(id: 2, login: "bo"), User(id: 9, login: "new")])
        #expect(try writer.pruning(.missing) == Pruning(gone: 2, total: 3))
    }

    /// A row may say that somebody has left, and another one that they are back.
    @Test func whoHasLeftIsRemovedOnceThatIsJudged() throws {
        try write("ada", "bo", "cy", to: team)
        let leavers = UserBatch([User(id: 1, login: "ada"), User(id: 2, login: "bo"), User(id: 9, login: "new")])
        for index in leavers.records.indices { leavers.update(userAt: index) { $0.fate = .gone } }
        let judge = try #require(try store.makePruningJudge(of: team))
        try judge.note(leavers)
        #expect(judge.found == 0)
        let writer = try store.openDirectory(team, title: nil, source: "test")
        leavers.append(User(id: 2, login: "bo"))
        #expect(try writer.write(leavers).departed == 0)
        #expect(try writer.departures() == Pruning(gone: 1, total: 3) && directories[0].total == 3)
        #expect(try writer.removeDeparted() == 1 && directories[0].total == 2)
        #expect(try writer.removeDeparted() == 0)
    }

    @Test func whoLacksInTwoImportsIsRemoved() throws {
        try write("ada", "bo", "cy", to: team)
        func prune(_ users: [User], _ hidden: UserBatch = UserBatch(), expecting expected: Pruning) throws -> Int {
            let writer = try store.openDirectory(team, title: nil, source: "test")
            try writer.beginPruning()
            _ = try (writer.write(users), writer.write(hidden))
            #expect(try writer.pruning(.missingTwice) == expected)
            return try writer.removeUsersNotWritten(.missingTwice)
        }
        let (ada, bo, cy) = (User(id: 1, login: "ada"), User(id: 2, login: "bo"), User(id: 3, login: "cy"))
        let hidden = UserBatch.make(4, "di", isHidden: true)
        #expect(try prune([ada], hidden, expecting: Pruning(gone: 0, missingOnce: 2, total: 3)) == 0)
        let before = try directories
        #expect(try prune([ada, cy], expecting: Pruning(gone: 1, missingOnce: 1, total: 4)) == 1)
        #expect(try directories != before && directories[0].total == 2)
        // "cy" has been found again meanwhile, and lacks for the first time.
        #expect(try prune([ada], expecting: Pruning(gone: 1, missingOnce: 1, total: 3)) == 1)
        #expect(try prune([ada, bo], expecting: Pruning(gone: 1, missingOnce: 0, total: 2)) == 1)
    }

    @Test func aSlugBelongsToOneDirectory() throws {
        try write("ada", to: team)
        try write("bo", to: crew)
        let before = try directories
        for (old, new) in [(team, crew), (team, team), (Slug(literal: "nobody"), Slug(literal: "new"))] {
            #expect(throws: StoreError.self) { try store.rename(old, to: new) }
        }
        #expect(try directories == before)
    }

    @Test func forgottenUsersOfARenamedDirectoryStayForgotten() throws {
        try write("ada", "bo", to: team)
        _ = try store.forget(.login("bo"), in: team)
        try store.rename(team, to: crew)
        #expect(try write("ada", "bo", to: crew) == WriteCounts(unchanged: 1, skipped: 1))
        // A new directory with the old name is another directory.
        #expect(try write("ada", "bo", to: team) == WriteCounts(added: 2))
        try store.remove(team)
        try store.rename(crew, to: team)
        #expect(try write("ada", "bo", to: team) == WriteCounts(unchanged: 1, skipped: 1))
        #expect(try store.isForgotten(.login("bo"), in: team))
    }

    /// An import that began before the directory was renamed.
    @Test func aWriterFollowsTheNewName() throws {
        try write("ada", "bo", to: team)
        _ = try store.forget(.login("bo"), in: team)
        let writer = try store.openDirectory(team, title: nil, source: "test")
        try store.rename(team, to: crew)
        #expect(try writer.write([User(id: 2, login: "bo"), User(id: 3, login: "cy")]).skipped == 1)
        #expect(writer.directory.slug == crew)
    }

    @Test func theDefaultComesFirst() throws {
        for slug in ["a", "b", "c"] { try write("ada", to: Slug(slug)!) }
        let before = try directories.map(\.generation)
        try store.makeDefault(Slug(literal: "b"))
        #expect(try directories.map(\.slug.text) == ["b", "a", "c"])
        #expect(try directories.map(\.isDefault) == [true, false, false])
        #expect(try zip(directories.sorted { $0.id < $1.id }.map(\.generation), before).allSatisfy { $0 > $1 })
        try store.makeDefault(Slug(literal: "c"))
        #expect(try directories.map(\.slug.text) == ["c", "a", "b"])
        try store.remove(Slug(literal: "c"))
        #expect(try directories.map(\.slug.text) == ["a", "b"])
        #expect(throws: StoreError.self) { try store.makeDefault(Slug(literal: "c")) }
    }

    @Test func importsSetTheTermsUnlessTheyAreSet() throws {
        let terms = Terms(licence: "CC BY-SA 4.0", attribution: "There", attributionURL: "https://there.example/")
        let writer = try store.openDirectory(team, title: nil, source: "test")
        try writer.adopt(terms)
        #expect(try directories[0].terms == terms)
        let generation = try directories[0].generation
        try writer.adopt(terms)
        #expect(try directories[0].generation == generation)
        var description = DirectoryDescription()
        description.description = "All of us."
        try store.describe(team, as: description)
        try writer.adopt(Terms(licence: "Other"))
        #expect(try directories[0].terms == Terms(licence: "Other"), "a description does not change the terms")
        description.licence = ""
        try store.describe(team, as: description)
        try writer.adopt(terms)
        #expect(try directories[0].terms == Terms())
        #expect(try directories[0].description == "All of us.")
    }

    @Test func anImportRecordsItsTime() throws {
        let writer = try store.openDirectory(team, title: nil, source: "test")
        #expect(writer.directory.importedAt == nil)
        _ = try writer.write([User(id: 1, login: "ada")])
        let generation = writer.directory.generation
        #expect(try Date().timeIntervalSince1970 - Double(#require(writer.directory.importedAt)) < 3600)
        let other = try store.openDirectory(crew, title: nil, source: "test")
        try other.noteImport()
        #expect(try directories.allSatisfy { $0.importedAt != nil })
        try writer.noteImport()
        #expect(try directories[0].generation == generation, "no page changes because of the time")
        _ = try store.forget(.id(1), in: team)
    }

    @Test func theEndOfTheLastImportIsRecorded() throws {
        try write("ada", to: team)
        try write("bo", to: crew)
        let (first, second) = try (directories[0], directories[1])
        var record = LastImport(
            endedAt: 1_795_000_000, milliseconds: 1234, status: 2, added: 1, changed: 2, removed: 3, rejected: 4)
        #expect(try store.lastImports().isEmpty)
        try store.note(record, of: team)
        record.status = 130
        try store.note(record, of: team)
        try store.note(record, of: Slug(literal: "nowhere"))
        #expect(try database.open().lastImports() == [first.id: record])
        try store.rename(team, to: Slug(literal: "others"))
        #expect(try store.lastImports() == [first.id: record], "it belongs to the directory, whatever its name")
        #expect(try directories[1] == second, "no page changes because of the record")
        try store.remove(Slug(literal: "others"))
        #expect(try store.lastImports().isEmpty)
    }

    @Test func theSpaceOfADatabaseIsKnown() throws {
        try write("ada", to: team)
        let size = try store.size()
        #expect(try #require(size.database) > 4096 && #require(size.pictures) >= 0)
        #expect((size.log == nil) == store.isRemote)
    }

    @Test func removingADirectoryLeavesNothing() throws {
        try write("ada", "bo", to: team)
        try write("cy", to: crew)
        _ = try store.forget(.login("bo"), in: team)
        let id = try directories[0].id
        let reader = try store.makeReader()
        try store.remove(team)
        #expect(try directories.map(\.slug) == [crew])
        #expect(try reader.page(UserQuery(directory: id, limit: 10)) == nil)
        #expect(try reader.user(login: "ada", id: nil, directory: id) == nil)
        for table in ["user", "userText", "userNGram"] {
            #expect(throws: StoreError.self) { try database.number("SELECT count(*) FROM \(table)\(id)") }
        }
        #expect(throws: StoreError.self) { try store.remove(team) }
        #expect(try write("ada", "bo", to: team) == WriteCounts(added: 1, skipped: 1))
        #expect(try directories.map(\.id).max() ?? 0 > id, "cached pages of the old directory are not reused")
    }

    @Test func removingALargeDirectoryFreesDiskSpace() throws {
        guard let path = database.path else { return }  // A server drops files, which cannot be looked at here.
        _ = try store.openDirectory(team, title: nil, source: "test").write(
            (1...10_000).map { User(id: $0, login: "user \($0 * 7919)") })
        try write("cy", to: crew)
        let size = { try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) }
        let space = try store.remove(team)
        #expect(space.isGivenBack && space.bytes > 500_000)
        #expect(try size() < space.bytes)
        try write("di", "ed", to: Slug(literal: "small"))
        #expect(try !store.remove(Slug(literal: "small")).isGivenBack, "most of the file is still in use")
        #expect(try directories.map(\.slug) == [crew])
    }

    @Test func removedDataIsNotLeftInTheFile() throws {
        guard let path = database.path else { return }  // A server waits for nobody who reads a removed directory.
        let name = Data("lovelace".utf8)
        let isInTheFile = { try Data(contentsOf: URL(filePath: path)).range(of: name) != nil }
        try write("lovelace", to: team)
        try write("cy", "di", "ed", to: crew)
        let reading = try SQLiteConnection(reading: path, cacheKiB: 64)
        try reading.execute("BEGIN")
        #expect(try reading.number("SELECT count(*) FROM directory") == 2)
        #expect(try isInTheFile())
        let hurried = try SQLiteStore(path: path, for: .importing, busyTimeout: BusyTimeout(limit: 0))
        #expect { try hurried.remove(team) } throws: { "\($0)".contains("team is removed, but another process") }
        try reading.execute("COMMIT")
        try store.remove(crew)
        #expect(try !isInTheFile())
    }

    @Test func anImportIntoARemovedDirectoryFails() throws {
        let writer = try store.openDirectory(team, title: nil, source: "test")
        _ = try writer.write([User(id: 1, login: "ada")])
        try store.remove(team)
        #expect(throws: StoreError.self) { try writer.write([User(id: 2, login: "bo")]) }
    }

    @Test func settingsAreKeptAndMakeANewGeneration() throws {
        try write("ada", to: team)
        let before = try directories[0]
        #expect(before.settings.stored.isEmpty)
        var settings = DirectorySettings()
        settings.own.language = "de"
        settings.own.accent = "#0a7d5a"
        settings.inferred.rows = ["title"]
        settings.inferred.fields = [FieldSettings(key: "title", from: "Position")]
        try store.set(settings, of: team)
        let after = try directories[0]
        #expect(after.settings.stored == settings)
        #expect(after.generation > before.generation)
        #expect(
            try store.makeReader().page(UserQuery(directory: after.id, limit: 1))?.directory.settings
                == after.settings.shown)
        try store.set(DirectorySettings(), of: team)
        #expect(try directories[0].settings.stored.isEmpty)
        #expect(throws: StoreError.self) { try store.set(settings, of: crew) }
    }

    @Test func equalSettingsAreResolvedOnce() throws {
        try write("ada", to: team)
        try store.set(.own { $0.language = "de" }, of: team)
        #expect(try directories[0].settings === directories[0].settings)
    }

    @Test func aLogoIsKeptReplacedAndRemoved() throws {
        try write("ada", to: team)
        let id = try directories[0].id
        let reader = try store.makeReader()
        #expect(try reader.logo(of: id) == nil)
        for logo in [
            Logo(name: "a.svg", type: "image/svg+xml", bytes: Array("<svg/>".utf8)),
            Logo(name: "b.png", type: "image/png", bytes: [0x89, 0, 255]),
        ] {
            try store.set(logo, of: team)
            #expect(try reader.logo(of: id) == logo)
        }
        try store.set(nil as Logo?, of: team)
        #expect(try reader.logo(of: id) == nil)
        try store.set(Logo(name: "a.png", type: "image/png", bytes: [1]), of: team)
        try store.remove(team)
        #expect(try reader.logo(of: id) == nil)
    }
}
