import Base
import Foundation
import People
import Publishing
import Indexes
import TestDatabases
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("SQLiteStore")
final class SQLiteStoreTests: DatabaseFolder {
    func fill(_ store: SQLiteStore, _ count: Int64 = 500, step: Int64 = 2) throws -> (any DirectoryWriter, Model) {
        var random = SplitMix(walk: 5)
        var model = Model()
        model.write((1...count).map { random.user(id: $0 * step) })
        let writer = try store.openDirectory(Slug("people")!, title: nil, source: "test")
        _ = try writer.write(Array(model.users.values))
        return (writer, model)
    }

    @Test func theLogIsEmptyWhenNobodyWrites() throws {
        let store = try SQLiteStore(path: database)
        let reader = try store.makeReader()
        var (writer, model): ((any DirectoryWriter)?, Model) = try fill(store)
        func size() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: database + "-wal")[.size] as? Int
        }
        #expect(try size() != 0)
        let directory = try #require(writer).directory.id
        writer = nil
        #expect(try size() == 0)
        #expect(try reader.page(UserQuery(directory: directory, limit: 1))?.total == model.users.count)
    }

    /// After the watcher has opened the new file, which is not the writer's.
    @Test func aReplacedFileIsNotWrittenTo() throws {
        let other = path("other.sqlite")
        _ = try SQLiteStore(path: other).openDirectory(Slug("other")!, title: nil, source: "test")
        let store = try SQLiteStore(path: database, for: .importing)
        let (writer, _) = try fill(store)
        for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + end) }
        #expect(rename(other, database) == 0)
        try eventually("the other database is read") { store.directories.map(\.slug.text) == ["other"] }
        #expect(reason { _ = try writer.write([User(id: 1, login: "lost")]) } == .gone)
        #expect(reason { _ = try store.openDirectory(Slug("people")!, title: nil, source: "test") } == .gone)
    }

    /// While transactions follow each other without a pause, as in an import.
    @Test func theLogStaysSmall() throws {
        let store = try SQLiteStore(path: database)
        try store.writing?.use { try $0.execute("PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (bytes BLOB)") }
        let checkpointer = try Checkpointer(path: database, maxFrames: 100)
        for _ in 0..<400 {
            checkpointer.keepUp()
            try store.transaction { connection in
                try connection.execute("DELETE FROM filler; INSERT INTO filler VALUES (zeroblob(40000))")
            }
            checkpointer.request()
        }
        let size = try FileManager.default.attributesOfItem(atPath: database + "-wal")[.size] as? Int
        #expect(try #require(size) < 250 * 4120)
    }

    /// Matches are found by scanning, or by reading texts at once or after some scanning; they are verified by texts,
    /// by offsets of n-grams or by how a login or name begins; and ids are close together or far apart.
    private static let limits = [
        (SearchLimits(counted: 20, scanned: 256), 2),
        (SearchLimits(counted: 20, scanned: 1), 1 << 50),
        (SearchLimits(counted: 0, scanned: 256, maxTextsReadFirst: 0), 2),
        (SearchLimits(counted: 0, scanned: 256, maxTextsReadFirst: 0), 1 << 50),
        (SearchLimits(scanned: 256, maxTextsReadFirst: 0, matchedByOffset: 0), 2),
        (SearchLimits(counted: 200, accented: 5, scanned: 256, maxTextsReadFirst: 0, matchedByOffset: 0), 2),
        (SearchLimits(counted: 5, scanned: 1, maxTextsReadFirst: 0, matchedByOffset: 0), 1 << 50),
        (SearchLimits(scanned: 1, maxTextsReadFirst: 0, keysPerBlock: 25, matchedByOffset: 0), 2),
        (SearchLimits(scanned: 1, maxTextsReadFirst: 0, keysPerBlock: 1, matchedByOffset: 0), 1 << 50),
    ]

    /// The third n-gram of the word would exclude some people. It is not looked up.
    @Test func aWordThatMostPeopleHaveIsNotLookedUpToItsEnd() throws {
        let store = try SQLiteStore(path: database)
        let writer = try store.openDirectory(Slug("people")!, title: nil, source: "test")
        let users = (Int64(1)...100).map { number in
            User(id: number << 40, login: "u\(number)", name: number % 10 == 0 ? "Depa \(number)" : "Department")
        }
        _ = try writer.write(users)
        let reader = try StoreReader(path: database, state: store.state)
        reader.searchEngine.limits.counted = 10
        let search = try #require(Search("department"))
        let page = try reader.page(UserQuery(directory: writer.directory.id, search: search, limit: 30))
        let expected: [Int64] = Array(1...33).filter { $0 % 10 != 0 }
        #expect(page?.users.rows.map { $0.id >> 40 } == expected)
        #expect(page?.total == nil)
        #expect(reader.searchEngine.cache[search, writer.directory.generation].candidates?.ids.count == 100)
    }

    @Test(arguments: limits)
    func everySearchStrategyReturnsTheSamePages(_ way: (limits: SearchLimits, step: Int)) throws {
        let store = try SQLiteStore(path: database)
        let (writer, filled) = try fill(store, 300, step: Int64(way.step))
        var model = filled
        var limits = way.limits
        limits.sortedByRelevance = limits.maxTextsReadFirst
        limits.provenFrom = limits.maxTextsReadFirst
        model.accented = min(limits.accented, limits.counted)
        let texts = ["k", "ka", "민", "민준", "kaka", "karo", "romi", "민준ka", "karomi", "ss", "a m", "ka mi", "roka mi"]
        for sort in StoreSuite.searchSorts {
            // A reader of its own, because it keeps what it has found.
            let reader = try StoreReader(path: database, state: store.state)
            reader.searchEngine.limits = limits
            for (number, text) in texts.enumerated() {
                let search = try #require(Search(text))
                let query = UserQuery(directory: writer.directory.id, search: search, sort: sort, limit: 7)
                try checkPages(query, reader, model, from: number % 3)
            }
        }
    }

    /// Compares pages of a search with the model's: from its ends, from every third match, and from the last ones.
    private func checkPages(_ start: UserQuery, _ reader: StoreReader, _ model: Model, from first: Int) throws {
        var query = start
        let (search, sort) = (try #require(query.search), query.sort)
        let expected = model.sorted(sort, search)
        let isMany = expected.count > reader.searchEngine.limits.counted
        func part(_ start: UserQuery.Start) throws -> Page {
            (query.start, query.limit) = (start, 3)
            return try #require(try reader.page(query))
        }
        for backward in [false, true] {
            query.start = backward ? .last : .first
            let ids = try StoreSuite.chain(reader, &query, backward: backward)
            #expect(ids == expected.map(\.id), "\(query)")
        }
        for (index, user) in expected.enumerated() where index % 3 == first || index + 4 > expected.count {
            let cursor = model.cursor(of: user, sort.key, search)
            let page = try part(.after(cursor))
            #expect(page.hasPrevious, "\(query)")
            #expect(page.hasNext == (index + 4 < expected.count), "\(query)")
            #expect(page.total == (isMany ? nil : expected.count), "\(query)")
            let before = try part(.before(cursor))
            #expect(before.users.users.map(\.id) == expected[..<index].suffix(3).map(\.id), "\(query)")
            if !isMany {
                #expect(page.firstPosition == (index + 1 < expected.count ? index + 2 : nil), "\(query)")
                #expect(before.firstPosition == (index > 0 ? max(1, index - 2) : nil), "\(query)")
            }
            let numbered = try part(.at(index))
            #expect(numbered.users.users.map(\.id) == expected.dropFirst(index).prefix(3).map(\.id), "\(query)")
            #expect(numbered.firstPosition == index + 1, "\(query)")
            #expect(numbered.hasPrevious == (index > 0), "\(query)")
            #expect(numbered.hasNext == (index + 3 < expected.count), "\(query)")
        }
    }

    /// As when an import makes a directory while the watcher reads them.
    @Test func aDirectoryThatIsAddedWhileOthersAreReadStays() {
        let state = SharedState()
        let team = StoredDirectory(
            Directory(id: 1, slug: Slug(literal: "team"), title: "Team", source: "test", total: 0, generation: 7))
        let before = state.noteDirectories {
            state.note(team)
            return []
        }
        #expect(before.isEmpty && state.storedDirectories == [team])
        _ = state.noteDirectories { [] }
        #expect(state.directories.isEmpty, "somebody has removed it")
    }

    @Test func positionsAndNumberedPagesAreTheSameInMemoryAndOnDisk() throws {
        let store = try SQLiteStore(path: database)
        let (writer, model) = try fill(store, 3000)
        let snapshot = try #require(try store.snapshot(of: writer.directory.id))
        let state = SharedState()
        state.note(snapshot, of: writer.directory.id)
        for sort in StoreSuite.sorts {
            let reader = try StoreReader(path: database, state: state)
            let byDisk = try StoreReader(path: database, state: SharedState())
            let everyone = model.sorted(sort)
            for index in stride(from: 0, to: everyone.count - 1, by: 13) {
                let start = UserQuery.Start.after(everyone[index].cursor(sort.key))
                let query = UserQuery(directory: writer.directory.id, sort: sort, start: start, limit: 2)
                #expect(try reader.page(query)?.firstPosition == index + 2, "\(sort)")
                #expect(try byDisk.page(query)?.firstPosition == index + 2, "\(sort)")
                let numbered = UserQuery(directory: writer.directory.id, sort: sort, start: .at(index), limit: 2)
                let expected = everyone[index..<index + 2].map(\.id)
                #expect(try reader.page(numbered)?.users.users.map(\.id) == expected, "\(sort)")
                #expect(try byDisk.page(numbered)?.users.users.map(\.id) == expected, "\(sort)")
            }
        }
    }

    private func plan(of sql: String, _ connection: SQLiteConnection) throws -> [String] {
        let statement = try connection.statement("EXPLAIN QUERY PLAN \(sql)")
        defer { statement.reset() }
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3)) }
        return lines
    }

    /// Otherwise, an import of people without ids reads all handles of the directory for each of them.
    @Test func theHandleOfAPersonIsFoundByItsId() throws {
        _ = try SQLiteStore(path: database)
        let connection = try SQLiteConnection(reading: database, cacheKiB: 100)
        for action in ["SELECT handle FROM handle", "UPDATE handle SET isCurrent = 0"] {
            let sql = "\(action) WHERE \(HandleTable.isCurrentOfUser)"
            let lines = try plan(of: sql, connection)
            #expect(lines.contains { $0.contains("handleByID (directory=? AND id=?)") }, "\(sql): \(lines)")
            #expect(lines.contains { $0.contains("PRIMARY KEY (directory=? AND handle=?)") }, "\(sql): \(lines)")
        }
    }

    @Test func noPageQuerySortsOrScans() throws {
        let store = try SQLiteStore(path: database)
        _ = try fill(store)
        let connection = try SQLiteConnection(reading: database, cacheKiB: 100)
        for key in Sort.Key.common {
            for isDescending in [false, true] {
                for isSeeking in [false, true] {
                    let scan = IndexScan(
                        order: try IndexedOrder(Sort(key), .empty), isDescending: isDescending,
                        from: isSeeking ? SeekKey(number: .min, id: 1) : nil)
                    let sql =
                        key == .id
                        ? UserRowReader.users(on: scan, of: 1) : BlockDirectoryTable.blocks(of: scan, in: 1)
                    let plan = try plan(of: sql, connection)
                    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sql): \(plan)")
                    if isSeeking || key != .id {
                        #expect(!plan.contains { $0.contains("SCAN user") }, "\(sql): \(plan)")
                    }
                    if isSeeking, key != .id {
                        // A user among a thousand with the same name is found without reading the others.
                        #expect(plan.contains { $0.contains("(key,id)\(isDescending ? "<" : ">")(?,?)") }, "\(plan)")
                    }
                }
            }
        }
    }

    @Test func otherFilesAreRejectedWithAReason() throws {
        let letter = try write("letter", "Hello, this is a letter and not a database at all.")
        #expect(reason { _ = try SQLiteStore(path: letter) } == .notSQLite)
        #expect(reason { _ = try SQLiteStore(path: folder.path) } == .notAFile)
        #expect(reason { _ = try SQLiteStore(path: path("no/such/folder")) } == .notAFile)
        try SQLiteFile(database).execute("CREATE TABLE cat (name TEXT)")
        #expect(reason { _ = try SQLiteStore(path: database) } == .foreign)
        let newer = path("newer.sqlite")
        _ = try SQLiteStore(path: newer)
        try set(format: 99, of: newer)
        #expect(reason { _ = try SQLiteStore(path: newer) } == .newer)
    }

    @Test func aFileThatIsCutShortIsNamed() throws {
        _ = try fill(SQLiteStore(path: database))
        let size = try #require(FileIdentity(database)).size
        #expect(truncate(database, off_t(size / 8192 * 4096)) == 0)
        let error = failure { _ = try SQLiteStore(path: database) }
        #expect(error.says(.damaged) && error?.description.hasPrefix("\(database): it is cut short, ") == true)
    }

    /// Tables that change are another format. Otherwise a database of an earlier commit is opened, and misread.
    @Test func otherTablesAreAnotherFormat() throws {
        _ = try SQLiteStore(path: database).openDirectory(Slug(literal: "team"), title: nil, source: "test")
        let tables = try SQLiteFile(database).texts("SELECT sql FROM sqlite_schema WHERE sql <> '' ORDER BY name")
        #expect(tables.count > 20)
        let hash = Array(tables.joined(separator: "\n").utf8).withUnsafeBytes { SipHash.hash($0, key: (0, 0)) }
        #expect(
            TableFormat.current == 13 && hash == 7_723_235_773_260_208_725,
            "the tables have changed: raise TableFormat.current, and write it and \(hash) here")
    }

    /// A server, an import and a backup all say what to do.
    @Test(arguments: [0, TableFormat.oldest - 1])
    func aDatabaseOfAnotherFormatIsRefusedWithTheWayOut(_ format: Int64) throws {
        _ = try SQLiteStore(path: database)
        try set(format: format, of: database)
        let opening: [(String) throws -> Void] = [
            { _ = try SQLiteStore(path: $0) }, { _ = try SQLiteStore(path: $0, for: .importing) },
            { try SQLiteStore.backUp($0, to: $0 + ".copy") },
        ]
        for open in opening {
            let said = """
                \(database) has format \(format), of an earlier Rollcall, and this one has format \
                \(TableFormat.current): import again into a new database, or write the people out with rollcall \
                export --with-private of the version that made it, and import those files
                """
            #expect(throws: StoreError(.older, said)) { try open(database) }
        }
        #expect(!FileManager.default.fileExists(atPath: database + ".copy"))
    }

    /// As after a version that searches differently.
    @Test func textsOfAnotherFormAreDerivedAgainOnce() throws {
        let users = [User(id: 1, login: "ada", name: "Ada Lovelace"), User(id: 2, login: "bots")]
        _ = try SQLiteStore(path: database).openDirectory(Slug(literal: "team"), title: nil, source: "test").write(
            users)
        try SQLiteFile(database).execute(
            "UPDATE directory SET textForm = 'other'; UPDATE userText1 SET content = x'00000078'; DELETE FROM userNGram1"
        )
        var counts: [Int] = []
        let store = try SQLiteStore(path: database, rebuilding: { counts.append($1) })
        #expect(counts == [0, 2])
        let reader = try store.makeReader()
        #expect(
            try reader.page(UserQuery(directory: 1, search: Search("lovelace"), limit: 9))?.users.rows.map(\.id) == [1])
        let connection = try SQLiteConnection(reading: database, cacheKiB: 64)
        let texts: [Int64: String] = [1: "ada\nada lovelace", 2: "bots\n"]
        let offsets = try NGramOffsets(in: SQLiteBlobs(.userNGram, of: 1, on: connection))
        #expect(offsets.ofTexts == NGramOffsets(of: texts))
        _ = try SQLiteStore(path: database, rebuilding: { counts.append($1) })
        #expect(counts == [0, 2])
    }

    private func set(format: Int64, of path: String) throws {
        try SQLiteFile(path).execute("PRAGMA user_version = \(format)")
    }

    @Test func anUnfinishedTransactionLeavesNothing() throws {
        let store = try SQLiteStore(path: database)
        let (writer, model) = try fill(store)
        do {
            let killed = try SQLiteConnection(reading: database, cacheKiB: 100)
            try killed.execute(
                "PRAGMA query_only = 0; BEGIN IMMEDIATE; DELETE FROM user1; UPDATE directory SET total = 0")
        }
        var random = SplitMix(walk: 1)
        let again = try SQLiteStore(path: database)
        try StoreSuite.check(again.makeReader(), model, writer.directory.id, Sort(.name), &random)
    }

    @Test func aFailedBatchChangesNothing() throws {
        let store = try SQLiteStore(path: database)
        let (writer, model) = try fill(store)
        #expect(
            reason { _ = try writer.write([User(id: 1, login: "new"), User(id: 0, login: "zero")]) } == .invalidUser)
        #expect(reason { _ = try writer.write([User(id: 1, login: "")]) } == .invalidUser)
        var random = SplitMix(walk: 1)
        let reader = try store.makeReader()
        try StoreSuite.check(reader, model, writer.directory.id, Sort(.login), &random)
        #expect(try writer.write([User(id: 1, login: "new")]) == WriteCounts(added: 1))
    }

    @Test func aRemovedOrReplacedFileIsReportedAndStillServed() throws {
        let store = try SQLiteStore(path: database)
        let (writer, model) = try fill(store)
        let reader = try store.makeReader()
        try store.checkHealth()
        try FileManager.default.removeItem(atPath: database)
        #expect(reason { try store.checkHealth() } == .gone)
        #expect(try reader.page(UserQuery(directory: writer.directory.id, limit: 3))?.total == model.users.count)
        try Data().write(to: URL(fileURLWithPath: database))
        #expect(reason { try store.checkHealth() } == .gone)
        // Another database with this name is not mistaken for this one.
        #expect(reason { _ = try store.makeReader() } == .gone)
    }

    @Test func everyDatabaseHasItsOwnInstance() throws {
        let one = try SQLiteStore(path: database)
        let other = try SQLiteStore(path: database + "2")
        #expect(one.instance.count == 16)
        #expect(one.instance != other.instance)
        #expect(try SQLiteStore(path: database).instance == one.instance)
    }

    @Test func newFilesAreReadableByTheirOwnerAlone() throws {
        let old = umask(0o022)
        defer { umask(old) }
        let mode = { (path: String) in
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        let store = try SQLiteStore(path: database)
        _ = try fill(store, 3)
        for end in ["", "-wal", "-shm"] { #expect(try mode(database + end) == 0o600, "\(end)") }
        let copy = database + ".copy"
        #expect(chmod(database, 0o640) == 0)
        try SQLiteStore.backUp(database, to: copy)
        #expect(try mode(copy) == 0o600)
        #expect(try mode(database) == 0o640)
        guard case .taken(let lock) = try store.attemptImportLock(of: StoreSuite.slug, name: "test") else {
            return #expect(Bool(false))
        }
        #expect(try mode(database + "-import-\(StoreSuite.slug)") == 0o640)
        withExtendedLifetime(lock) {}
    }

    @Test func aWriterForgetsPeopleOfABatchThatFailed() throws {
        let writer = try SQLiteStore(path: database).openDirectory(Slug(literal: "team"), title: nil, source: "test")
        _ = try writer.write(.make(2, "bo", isHidden: true))
        let forbid = "CREATE TRIGGER t BEFORE DELETE ON userHidden1 BEGIN SELECT RAISE(ABORT, 'no'); END"
        try SQLiteFile(database).execute(forbid)
        let batch = UserBatch([User(id: 1, login: "ada"), User(id: 2, login: "bo")])
        #expect(throws: StoreError.self) { try writer.write(batch) }
        _ = try writer.write(.make(3, "cy", isHidden: false))
        #expect(try SQLiteFile(database).numbers("SELECT id FROM user1") == [3])
    }

    @Test func aCursorOfAnotherOrderIsAnError() throws {
        let store = try SQLiteStore(path: database)
        let (writer, _) = try fill(store, 3)
        let query = UserQuery(directory: writer.directory.id, sort: Sort(.name), start: .after(.id(1)), limit: 3)
        let reader = try store.makeReader()
        #expect(reason { _ = try reader.page(query) } == .invalidCursor)
    }
}

extension SQLiteStore {
    fileprivate func snapshot(of directory: Int64) throws -> SortIndexSnapshot? {
        let connection = try SQLiteConnection(reading: path, cacheKiB: 100)
        return try connection.sortIndexSnapshot(of: storedDirectories[0].id)
    }
}
