import Directories
import Foundation
import GRDB
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Databases of earlier versions")
struct MigrationTests {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "old.sqlite").path
        let dump = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Databases/before-descriptions.sql")
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: String(contentsOf: dump, encoding: .utf8)) }
    }

    @Test func allUsersAreKept() throws {
        let store = try SQLiteStore(path: path)
        #expect(store.directories.map(\.slug.text) == ["team", "crew"])
        #expect(store.directories.map(\.total) == [3, 4])
        #expect(store.directories.allSatisfy { $0.terms == Terms() && $0.importedAt == nil && !$0.isDefault })
        let reader = try store.makeReader()
        for (directory, logins) in zip(
            store.directories,
            [
                ["ada", "bots", "club"],
                ["rick-sanchez-1", "summer-smith-3", "abradolf-lincler-7", "adjudicator-rick-8"],
            ])
        {
            let page = try reader.page(UserQuery(directory: directory.id, limit: 10))
            #expect(page?.users.users.map(\.login) == logins)
        }
        let found = try reader.page(
            UserQuery(directory: store.directories[1].id, search: Search("rick"), sort: Sort(.name), limit: 10))
        #expect(found?.users.users.map(\.id) == [8, 1])
    }

    /// Earlier versions sorted by folded names.
    @Test func ordersByTextGetCollationKeysOnce() throws {
        let store = try SQLiteStore(path: path)
        #expect(store.directories.allSatisfy { $0.collation == CollationStamp(language: "und") })
        let page = try store.makeReader().page(UserQuery(directory: 2, sort: Sort(.name), limit: 10))
        #expect(page?.users.users.map(\.id) == [7, 8, 1, 3])
        let generations = store.directories.map(\.generation)
        #expect(try SQLiteStore(path: path).directories.map(\.generation) == generations)
    }

    @Test func aMigrationIsReportedOnce() throws {
        var count = 0
        for _ in 0..<2 { _ = try SQLiteStore(path: path) { count += 1 } }
        #expect(count == 1)
        _ = try SQLiteStore(path: path + ".new") { count += 1 }
        #expect(count == 1)
    }

    @Test func theSearchIndexIsRebuilt() throws {
        _ = try SQLiteStore(path: path)
        let connection = try StoreSQLite.Connection(reading: path, cacheKiB: 64)
        let texts: [Int64: String] = [1: "ada\nada lovelace", 2: "bots\n", 5: "club\n"]
        #expect(try NGramOffsets(in: SQLiteBlobs(.userGram, of: 1, on: connection)) == NGramOffsets(of: texts))
    }

    /// Until the next import has read them again, users have no facets, and no page of a service counts as visited.
    @Test func theNextImportAddsFacets() throws {
        let store = try SQLiteStore(path: path)
        let team = Slug(literal: "team")
        #expect(store.directories.allSatisfy { $0.facets.isEmpty })
        #expect(try store.ledger(of: team)?.page(at: "https://api.github.com/users") == nil)
        #expect(try store.forget(.login("bots"), in: team).map(\.count) == [1])
        let users = [User(id: 1, login: "ada", name: "Ada Lovelace"), User(id: 5, login: "club", type: "Organization")]
        let writer = try store.openDirectory(team, title: nil, source: "file")
        #expect(try writer.write(users) == WriteCounts(changed: 2))
        #expect(writer.directory.facets.first?.values.map(\.value) == ["Organization", "User"])
        #expect(try writer.write(users) == WriteCounts(unchanged: 2))
    }

    @Test func forgottenUsersStayForgotten() throws {
        let store = try SQLiteStore(path: path)
        let team = Slug(literal: "team")
        #expect(try store.isForgotten(.login("gone"), in: team))
        let users = [User(id: 1, login: "ada", name: "Ada Lovelace"), User(id: 6, login: "gone")]
        let counts = try store.openDirectory(team, title: nil, source: "file").write(users)
        #expect(counts == WriteCounts(changed: 1, skipped: 1))
    }
}

@Suite("Databases from before settings")
struct SettingsMigrationTests {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "old.sqlite").path
        let dump = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Databases/before-settings.sql")
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: String(contentsOf: dump, encoding: .utf8)) }
    }

    private func users(_ store: SQLiteStore, _ slug: String) throws -> [User] {
        let directory = try #require(store.directories.first { $0.slug.text == slug })
        return try #require(try store.makeReader().page(UserQuery(directory: directory.id, limit: 10))).users.users
    }

    @Test func everybodyIsKept() throws {
        let store = try SQLiteStore(path: path)
        #expect(store.directories.map(\.slug.text) == ["names", "staff", "github", "crew"])
        #expect(store.directories.map(\.total) == [5, 2, 3, 4])
        #expect(try users(store, "github").map(\.login) == ["mojombo", "defunkt", "errfree"])
        #expect(try users(store, "github").allSatisfy { $0.generated.isEmpty })
        #expect(
            store.directories.map { $0.facets.map(\.facet.key) } == [
                ["type"], ["type"], ["type"], ["status", "species", "gender"],
            ])
        for directory in store.directories {
            for sort in StoreSuite.sorts {
                let page = try store.makeReader().page(UserQuery(directory: directory.id, sort: sort, limit: 10))
                #expect(page?.users.rows.count == directory.total)
            }
        }
        let dead = Search("", filters: [FieldFilter(.status, "Alive")])
        let found = try store.makeReader().page(UserQuery(directory: 4, search: dead, limit: 10))
        #expect(found?.users.users.map(\.name) == ["Rick Sanchez", "Morty Smith", "Summer Smith", "Beth Smith"])
    }

    @Test func handlesBecomeReadableAndOldAddressesLeadToThem() throws {
        let store = try SQLiteStore(path: path)
        let people = try users(store, "names")
        #expect(Set(people.map(\.login)) == ["anna-muller", "anna-muller-2", "jurgen-gross", "김민수", "user"])
        #expect(people.allSatisfy { $0.generated == [.id, .login] })
        let reader = try store.makeReader()
        for user in people {
            let slug = ["anna-muller": "anna-müller", "anna-muller-2": "anna-müller", "jurgen-gross": "jürgen-gross"]
            let old = "\(slug[user.login] ?? user.login)-\(user.id)"
            #expect(try reader.currentLogin(ofFormer: old, directory: 1) == user.login, "\(old)")
            #expect(try reader.user(login: user.login, directory: 1)?.users.users == [user])
        }
        let found = try reader.page(UserQuery(directory: 1, search: Search("anna"), limit: 9))
        #expect(found?.total == 2)
        let connection = try StoreSQLite.Connection(reading: path, cacheKiB: 64)
        let rows = try connection.statement("SELECT id, text FROM userText1")
        defer { rows.reset() }
        var texts: [Int64: String] = [:]
        while try rows.step() { texts[rows.number(0)] = rows.text(1) }
        #expect(texts.values.contains("\nanna muller\n\u{1}anna mueller"))
        let offsets = try NGramOffsets(in: SQLiteBlobs(.userGram, of: 1, on: connection))
        #expect(offsets.ofTexts == NGramOffsets(of: texts))
    }

    @Test func withheldColumnsBecomePrivateAndThePublisherIsWarned() throws {
        var notes: [String] = []
        for _ in 0..<2 { _ = try SQLiteStore(path: path, note: { notes.append($0) }) }
        #expect(
            notes == ["staff published Gehalt until now: hidden; rollcall directories settings staff --publish Gehalt"])
        let store = try SQLiteStore(path: path)
        #expect(try users(store, "staff").map(\.more) == [#"{"Team":"Vertrieb"}"#, #"{"Team":"Technik"}"#])
        #expect(try users(store, "staff").map(\.generated) == [.id, .id])
        #expect(store.directories.filter { !$0.plan.isEmpty }.map(\.slug.text) == ["staff"])
        #expect(try users(store, "crew").first?.more?.contains("gender") == true)
        let hidden = try store.makePrivateReader().page(UserQuery(directory: 2, limit: 9))?.users.users
        #expect(hidden?.first?.more?.contains("61.000") == true)
    }

    /// The next import finds the same people, who only have other handles.
    @Test func anImportOfTheSameUsersChangesNobody() throws {
        let store = try SQLiteStore(path: path)
        let writer = try store.openDirectory(Slug(literal: "github"), title: nil, source: "file")
        #expect(try writer.write(users(store, "github")) == WriteCounts(unchanged: 3))
    }
}
