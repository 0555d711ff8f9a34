import Directories
import Foundation
import GRDB

/// Writes users into one directory, a batch a transaction: tables, search, ranks, total and generation change together.
final class SQLiteWriter: DirectoryWriter {
    private(set) var directory: Directory
    private let store: SQLiteStore
    let tables: UserTables
    private let checkpointer: Checkpointer
    /// 2 MiB of pages while users are written, given back when the writer goes: what a batch changes, and what leads there.
    /// With 64 MiB the import of a million took as long.
    private static let cacheKiB = 2048
    /// The temporary table of the ids written since pruning began.
    private var written: String?

    /// Opens directory `slug`, makes it if it is new.
    convenience init(store: SQLiteStore, slug: Slug, title: String?, source: String) throws {
        try self.init(store: store) { try Self.open(slug, title: title, source: source, in: $0, $1) }
    }

    /// Opens a directory that is there.
    convenience init(store: SQLiteStore, _ directory: Directory) throws {
        try self.init(store: store) { try Self.directory(directory.id, $1) }
    }

    private init(store: SQLiteStore, _ open: (Database, Connection) throws -> Directory) throws {
        self.store = store
        (directory, tables) = try store.transaction { db, connection in
            let directory = try open(db, connection)
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB); PRAGMA wal_autocheckpoint = 0")
            return (directory, UserTables(directory: directory.id, connection: connection))
        }
        checkpointer = try Checkpointer(path: store.path)
        store.state.note(directory)
    }

    deinit {
        // Statements may only go where they were used: on GRDB's queue.
        try? store.writing?.inDatabase { db in
            tables.connection.removeStatements()
            if let written { try db.execute(sql: "DROP TABLE IF EXISTS \(written)") }
            try db.execute(
                sql: """
                    PRAGMA cache_size = -2000; PRAGMA wal_autocheckpoint = \(SQLiteStore.autocheckpoint);
                    PRAGMA shrink_memory
                    """)
        }
        checkpointer.truncate()
    }

    func write(
        _ batch: UserBatch, checkpoint: Checkpoint?,
        andThen next: () throws -> (users: UserBatch, checkpoint: Checkpoint?)?
    ) throws -> WriteCounts {
        if batch.isEmpty, checkpoint == nil { return WriteCounts(repeated: batch.repeated) }
        return try change(isImport: true) { db, changes in
            let forgotten = try SuppressionList(for: directory.slug, from: tables.connection)
            var counts = WriteCounts()
            var batch: (users: UserBatch, checkpoint: Checkpoint?)? = (batch, checkpoint)
            while let (users, checkpoint) = batch {
                users.sort()
                try check(users)
                var added = WriteCounts()
                if !forgotten.isEmpty {
                    let bytes = users.buffer.bytes
                    added.skipped = try users.remove { record in
                        // Who is there already has but the name of somebody who is forgotten.
                        try forgotten.has(record, in: bytes)
                            || forgotten.hasName(of: record, in: bytes) && !tables.has(record.id)
                    }
                }
                added += try tables.save(users, noting: changes)
                if let written { try note(users, in: written) }
                if var checkpoint {
                    if !forgotten.isEmpty { checkpoint.frontier.removeAll(where: forgotten.isNamed(by:)) }
                    try SQLiteLedger.save(checkpoint, added, directory.id, in: db)
                }
                counts += added
                batch = changes.isFull ? nil : try next()
            }
            return counts
        }
    }

    private func note(_ batch: UserBatch, in written: String) throws {
        let statement = try tables.connection.statement("INSERT OR IGNORE INTO \(written) VALUES (?)")
        for record in batch.records {
            statement.bind(record.id, at: 1)
            try statement.run()
        }
    }

    private func check(_ batch: UserBatch) throws {
        for record in batch.records where record.id <= 0 || record.login.isEmpty {
            let login = String(decoding: batch.buffer.bytes[record.login], as: UTF8.self)
            throw StoreError(
                .invalidUser,
                login.isEmpty
                    ? "user \(record.id): the login is empty" : "user \"\(login)\": id \(record.id) is not positive")
        }
    }

    func beginPruning() throws {
        let name = written ?? "written\(UUID().uuidString.filter { $0 != "-" })"
        try store.transaction { db, _ in
            try db.execute(sql: "DROP TABLE IF EXISTS \(name); CREATE TEMP TABLE \(name) (id INTEGER PRIMARY KEY)")
        }
        written = name
    }

    func removeUsersNotWritten() throws -> Int {
        guard let written else { return 0 }
        var removed = 0
        while true {
            let count = try removeSome(notIn: written)
            if count == 0 { break }
            removed += count
        }
        try store.transaction { db, connection in
            tables.connection.removeStatements()
            try db.execute(sql: "DROP TABLE \(written)")
        }
        self.written = nil
        return removed
    }

    /// Some thousands at a time: a transaction that removes a million would keep all other writers waiting.
    private func removeSome(notIn written: String) throws -> Int {
        try change { _, changes in
            let ids = try tables.ids(notIn: written, limit: 20_000)
            for id in ids { try tables.remove(id, noting: changes) }
            return ids.count
        }
    }

    /// Lets `body` change the tables; then orders, search, total and generation follow, all in one transaction.
    func change<Result>(
        isImport: Bool = false, _ body: (Database, UserChanges) throws -> Result
    ) throws -> Result {
        checkpointer.keepUp()
        let start = ContinuousClock.now
        // Long enough for whoever else wants to write, and looks every three milliseconds.
        defer { if ContinuousClock.now - start > .milliseconds(100) { Thread.sleep(forTimeInterval: 0.004) } }
        do {
            let (result, changed) = try store.transaction { db, _ in
                let before = try Self.directory(directory.id, tables.connection)
                directory = before  // Its slug may be another by now.
                try tables.ranks.load(before)
                try tables.facets.load(before.generation)
                tables.begin()
                let changes = UserChanges(besideRuns: tables.ranks.size)
                let result = try body(db, changes)
                guard changes.count > 0 else { return (result, before) }
                try tables.apply(changes)
                try db.execute(
                    sql: "UPDATE directory SET total = ?, generation = ?, importedAt = ? WHERE id = ?",
                    arguments: [
                        before.total + changes.total, try tables.connection.nextGeneration(),
                        isImport ? Self.now : before.importedAt, before.id,
                    ])
                let after = try Self.directory(before.id, tables.connection)
                tables.ranks.generation = after.generation
                tables.facets.generation = after.generation
                return (result, after)
            }
            directory = changed
            checkpointer.request()
            store.state.note(changed)
            return result
        } catch {
            // What they say has been rolled back.
            tables.ranks.generation = nil
            tables.facets.generation = nil
            throw error
        }
    }
}

extension SQLiteWriter {
    func adopt(_ terms: Terms) throws {
        try note { db in
            guard
                try Bool.fetchOne(db, sql: "SELECT hasOwnTerms FROM directory WHERE id = ?", arguments: [directory.id])
                    == false, terms != directory.terms
            else { return }
            directory.terms = terms
            try tables.connection.save(&directory)
        }
    }

    func noteImport() throws {
        try note { db in
            directory.importedAt = Self.now
            try db.execute(
                sql: "UPDATE directory SET importedAt = ? WHERE id = ?",
                arguments: [directory.importedAt, directory.id])
        }
    }

    /// Changes what is known of the directory, in a transaction of its own.
    private func note(_ body: (Database) throws -> Void) throws {
        try store.transaction { db, _ in
            directory = try Self.directory(directory.id, tables.connection)
            try body(db)
        }
        store.state.note(directory)
    }

    private static func open(
        _ slug: Slug, title: String?, source: String, in db: Database, _ connection: Connection
    ) throws -> Directory {
        if var directory = try connection.directory(slug) {
            if directory.source == source, title == nil || title == directory.title { return directory }
            if directory.source != source { try SQLiteLedger.forget(directory.id, in: db) }
            directory.title = title ?? directory.title
            directory.source = source
            try connection.save(&directory)
            return directory
        }
        try db.execute(
            sql: "INSERT INTO directory (slug, title, source, generation) VALUES (?, ?, ?, ?)",
            arguments: [slug.text, title ?? slug.text, source, try connection.nextGeneration()])
        let id = db.lastInsertedRowID
        try Schema.createPartition(id, in: db)
        return try directory(id, connection)
    }

    private static func directory(_ id: Int64, _ connection: Connection) throws -> Directory {
        guard let directory = try connection.directory(id) else {
            throw StoreError(.gone, "the directory has been removed meanwhile")
        }
        return directory
    }

    /// In seconds since 1970.
    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

extension SQLiteStore {
    /// One transaction that writes, through GRDB and through C statements on the same connection.
    func transaction<Result>(_ body: (Database, Connection) throws -> Result) throws -> Result {
        guard let writing else { throw StoreError(notWritable: path) }
        do {
            // Somebody else's database by this name is not ours to write, and what is written into one that was
            // removed is lost.
            try checkWrittenFile()
            let result = try writing.write { db in
                guard let handle = db.sqliteConnection else { throw StoreError(.gone, "\(path) is closed") }
                return try body(db, Connection(borrowing: handle))
            }
            try checkWrittenFile()
            return result
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}
