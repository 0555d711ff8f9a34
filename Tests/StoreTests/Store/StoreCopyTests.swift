import Foundation
import People
import Publishing
import TestDatabases
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Copies of databases")
final class StoreCopyTests: DatabaseFolder {
    var copy: String { database + ".copy" }
    let slug = Slug(literal: "people")

    override init() throws {
        try super.init()
        let store = try SQLiteStore(path: database)
        let users = (1...300).map { number in
            User(
                id: Int64(number * 7), login: "user\(number)", name: "Name \(number % 50)",
                avatarURL: "https://pictures.example/\(number)",
                more: #"{"type":"User"}"#)
        }
        let writer = try store.openDirectory(slug, title: "People", source: "github")
        var checkpoint = Checkpoint(source: "a", pass: 1, startedAt: 5)
        checkpoint.frontier = ["/2", "/3"]
        _ = try writer.write(UserBatch(users), checkpoint: checkpoint)
        _ = try writer.write(UserBatch.make(9000, "hidden", isHidden: true))
        try store.set(Logo(name: "logo.svg", type: "image/svg+xml", bytes: Array("<svg/>".utf8)), of: slug)
        let other = try store.openDirectory(Slug(literal: "team"), title: nil, source: "file")
        _ = try other.write([User(id: 1, login: "ada"), User(id: 2, login: "bob")])
        try other.adopt(.own { $0.language = "de" })
        _ = try store.forget(.login("user5"), in: nil)
        _ = try store.forget(.login("bob"), in: Slug(literal: "team"))
        let pictures = try store.makePictureWriter()
        _ = try pictures.set([7: .make("seven"), 14: .make("fourteen")], in: slug)
        _ = try pictures.removePicture(of: .login("user9"), in: nil)
        try store.note(
            LastImport(endedAt: 1, milliseconds: 2, status: 3, added: 4, changed: 5, removed: 6, rejected: 7),
            of: slug)
        try SQLiteFile(database).execute(
            """
            INSERT INTO identity VALUES (1, 5, -9, 7), (1, 0, 0, 14), (2, random(), random(), 1);
            INSERT INTO goneNamesake VALUES (1, 7, 14);
            INSERT INTO handle VALUES (1, 'ünal', 7, 1), (1, 'old-ünal', 7, 0), (2, 'ada', 1, 1);
            INSERT INTO visitedPage VALUES (1, '/1', 1, '"x"', '/2', 300), (2, '/ü', 1, '', '', 0);
            INSERT INTO forgottenName VALUES ('new', 'old');
            """)
    }

    /// Copies the database, and gives up when the copy has asked `limit` times whether it may go on.
    @discardableResult private func copyDatabase(giveUpAfter limit: Int = .max) throws -> StoreCopy.Summary {
        try copyDatabase(to: SQLiteStore(path: copy, for: .copying), giveUpAfter: limit)
    }

    @discardableResult private func copyDatabase(
        to target: any EngineStore, giveUpAfter limit: Int = .max
    ) throws -> StoreCopy.Summary {
        var count = 0
        let copy = StoreCopy(
            from: try SQLiteStore(path: database), to: target,
            isCancelled: {
                count += 1
                return count > limit
            })
        return try copy.run()
    }

    /// Returns all rows of a database, by table, except what belongs to the file itself.
    private func rows(_ path: String) throws -> [String: [String]] {
        let file = try SQLiteFile(path)
        let own = ["database", "sqlite_sequence", "sqlite_stat1"]
        return Dictionary(
            uniqueKeysWithValues: try file.tables().filter { !own.contains($0) }.map { ($0, try file.rows(of: $0)) })
    }

    private func secrets(_ path: String) throws -> [String] {
        try SQLiteFile(path).texts(
            "SELECT quote(forgettingKey) || quote(identityKey) || quote(pictureKey) FROM database")
    }

    private func expectCopied(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (original, copied) = try (rows(database), rows(copy))
        #expect(original.keys.sorted() == copied.keys.sorted(), sourceLocation: sourceLocation)
        for (name, rows) in original {
            #expect(rows == copied[name], "\(name)", sourceLocation: sourceLocation)
            #expect(
                !rows.isEmpty || name == "userHidden2", "\(name) has no rows to copy", sourceLocation: sourceLocation)
        }
        #expect(try rows(database + "-pictures") == rows(copy + "-pictures"), sourceLocation: sourceLocation)
        #expect(try secrets(database) == secrets(copy), sourceLocation: sourceLocation)
    }

    /// A change that adds a table must add it to ``Table``.
    @Test func everyTableAndEveryColumnIsCopied() throws {
        let tables = try Table.all(of: SQLiteStore(path: database).storedDirectories, hasPictures: true)
        func expectAll(_ path: String, _ tables: [Table]) throws {
            let copied = Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    (table.name, Set(table.columns.map { $0.name.replacing("\"", with: "") }))
                })
            let file = try SQLiteFile(path)
            let names = try file.tables()
            let others = ["database", "total", "sqlite_sequence", "sqlite_stat1"]
            #expect(Set(names).subtracting(others) == Set(copied.keys))
            for (name, columns) in copied { #expect(Set(try file.columns(of: name)) == columns, "\(name)") }
            #expect(
                try !names.contains("database")
                    || Set(file.columns(of: "database"))
                        == Set(["id", "instance", "generation"] + Table.secrets)
            )
        }
        try expectAll(database, tables.filter { !$0.isOfPictures })
        try expectAll(database + "-pictures", tables.filter(\.isOfPictures))
    }

    @Test func aCopyHasEverythingAndLivesOn() throws {
        let summary = try copyDatabase()
        try expectCopied()
        #expect(summary.directories.map(\.total) == [299, 1] && summary.earlierRows == 0)
        let (original, store) = try (SQLiteStore(path: database), SQLiteStore(path: copy))
        #expect(store.instance != original.instance)
        _ = try WholeDatabase(database)
        #expect(try WholeDatabase(copy).users == WholeDatabase(database).users)
        // Later changes have generations of their own, and forgotten people stay away.
        let before = try #require(store.directories.map(\.generation).max())
        let writer = try store.openDirectory(slug, title: nil, source: "github")
        let counts = try writer.write([User(id: 35, login: "user5"), User(id: 8000, login: "new")])
        #expect(counts == WriteCounts(added: 1, skipped: 1))
        #expect(writer.directory.generation > before)
        #expect(try store.openDirectory(Slug(literal: "third"), title: nil, source: "file").directory.id == 3)
    }

    @Test func anInterruptedCopyGoesOn() throws {
        var (attempts, earlier) = (0, [Int64]())
        for limit in 0... {
            attempts += 1
            do {
                let summary = try copyDatabase(giveUpAfter: limit)
                earlier.append(summary.earlierRows)
                break
            } catch is CancellationError {}
            #expect { try SQLiteStore(path: copy) } throws: { "\($0)".contains("incomplete copy") }
            #expect(throws: StoreError.self) { try SQLiteStore.backUp(copy, to: copy + ".backup") }
        }
        #expect(attempts > 3)
        #expect(try #require(earlier.first) > 0)
        try expectCopied()
    }

    @Test func aCopyOnAServerComesBackAsItWas() throws {
        try TestedStore.$current.withValue(.postgres) {
            let tested = try TestedDatabase()
            #expect(try copyDatabase(to: tested.openCopyTarget()).earlierRows == 0)
            let back = try SQLiteStore(path: copy, for: .copying)
            let store = try tested.open()
            #expect(try StoreCopy(from: store, to: back).run().directories.map(\.total) == [299, 1])
            #expect(try store.pictureTotals() == SQLiteStore(path: database).pictureTotals())
        }
        try expectCopied()
    }

    /// The pictures of SQLite are in another file, so a crash may leave all of them while the step was not saved.
    @Test(.onEveryStore) func picturesOfAnInterruptedBatchAreThereOnce() throws {
        let tables = try Table.all(of: SQLiteStore(path: database).storedDirectories, hasPictures: true)
        let step = try #require(tables.firstIndex { $0.name == "picture" })
        let tested = try TestedDatabase()
        #expect(throws: CancellationError.self) {
            try copyDatabase(to: tested.openCopyTarget(), giveUpAfter: step + 1)
        }
        let target = try tested.openCopyTarget()
        #expect(try target.pictureTotals().pictures == 2)
        try target.transaction { try $0.execute("UPDATE copying SET step = \(step)") }
        #expect(try copyDatabase(to: target).earlierRows > 0)
        #expect(try tested.open().pictureTotals() == SQLiteStore(path: database).pictureTotals())
    }

    @Test(.onEveryStore) func aStoreOpenedBeforeShowsTheCopyWhenItIsComplete() throws {
        let tested = try TestedDatabase()
        let (server, target) = try (tested.open(), tested.openCopyTarget())
        let reader = try tested.openCopyTarget().makeReadingConnection()
        var rows: Set<Int64> = []
        let copy = StoreCopy(
            from: try SQLiteStore(path: database), to: target,
            isCancelled: {
                server.refresh()
                #expect(server.directories.isEmpty)
                #expect(throws: Never.self) {
                    try server.checkHealth()
                    rows.insert(try reader.number("SELECT count(*) FROM directory"))
                }
                return false
            })
        _ = try copy.run()
        #expect(rows == [0, 2])
        server.refresh()
        let directory = try #require(server.directories.first { $0.slug == slug })
        #expect(server.directories.map(\.total) == [299, 1])
        let page = try server.makeReader().page(UserQuery(directory: directory.id, limit: 9))
        #expect(page?.users.rows.count == 9)
    }

    @Test(.onEveryStore) func aStoreThatCompletesACopyShowsIt() throws {
        let tested = try TestedDatabase()
        #expect(throws: CancellationError.self) { try copyDatabase(to: tested.openCopyTarget(), giveUpAfter: 3) }
        let target = try tested.openCopyTarget()
        #expect(target.directories.isEmpty)
        #expect(try copyDatabase(to: target).earlierRows > 0)
        #expect(target.directories.map(\.total) == [299, 1])
    }

    /// A dry run needs no pictures.
    @Test func peopleAloneAreCopied() throws {
        let target = try SQLiteStore(path: copy, for: .copying)
        _ = try StoreCopy(from: SQLiteStore(path: database), to: target, extent: .people).run()
        #expect(try rows(copy) == rows(database) && secrets(copy) == secrets(database))
        #expect(try target.pictureTotals().pictures == 0)
    }

    @Test(arguments: [3, 12, 20])
    func aCopyOfAChangedDatabaseStartsAgain(_ limit: Int) throws {
        #expect(throws: CancellationError.self) { try copyDatabase(giveUpAfter: limit) }
        let store = try SQLiteStore(path: database)
        _ = try store.openDirectory(slug, title: nil, source: "github").write([User(id: 14, login: "changed")])
        try store.rename(Slug(literal: "team"), to: Slug(literal: "board"))
        #expect(try copyDatabase().earlierRows == 0)
        try expectCopied()
    }

    /// The mark of the source does not show every change, for example one picture in place of another.
    @Test func rowsThatWereDamagedMeanwhileAreCopiedAgain() throws {
        #expect(throws: CancellationError.self) { try copyDatabase(giveUpAfter: 20) }
        try SQLiteFile(copy).execute(
            """
            UPDATE user1 SET name = 'Somebody else' WHERE id = 7; DELETE FROM userBlock1;
            UPDATE handle SET id = 21 WHERE handle = 'ada'
            """)
        #expect(try copyDatabase().earlierRows == 0)
        try expectCopied()
    }

    @Test func nothingIsCopiedIntoADatabaseWithPeople() throws {
        _ = try SQLiteStore(path: copy).openDirectory(slug, title: nil, source: "file").write([
            User(id: 1, login: "eve")
        ])
        let before = try rows(copy)
        #expect { try copyDatabase() } throws: { "\($0)".contains("has directories") }
        #expect(try rows(copy) == before)
        // The database itself is one of them.
        let store = try SQLiteStore(path: database)
        #expect { try StoreCopy(from: store, to: store).run() } throws: { "\($0)".contains("has directories") }
    }

    @Test func nothingIsCopiedOverForgottenPeople() throws {
        let store = try SQLiteStore(path: copy)
        _ = try store.openDirectory(slug, title: nil, source: "file").write([User(id: 1, login: "eve")])
        _ = try store.forget(.login("eve"), in: nil)
        try store.remove(slug)
        #expect { try copyDatabase() } throws: { "\($0)".contains("forgotten") }
    }
}
