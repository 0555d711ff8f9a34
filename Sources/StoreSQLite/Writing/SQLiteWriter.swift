import Directories
import Fields
import Foundation
import GRDB

/// Writes users into one directory. A transaction changes tables, search index, orders, total and generation together.
final class SQLiteWriter: DirectoryWriter {
    private(set) var directory: Directory
    let store: SQLiteStore
    let tables: UserTables
    private let checkpointer: Checkpointer
    /// 2 MiB of pages until the writer is deallocated: the pages that a batch changes, and their ancestors. An import
    /// of a million users took as long with 64 MiB.
    private static let cacheKiB = 2048
    /// The temporary table of the ids written since pruning began.
    private var written: String?
    private var open: OpenTransaction?

    /// The transaction between ``begin()`` and ``commit()``.
    private struct OpenTransaction {
        let transaction: WriteTransaction
        let start: ContinuousClock.Instant
        let isImport: Bool
        let changes: UserChanges
        /// `nil` unless users are added.
        let forgotten: SuppressionList?
    }

    /// Opens directory `slug`, and creates it if it does not exist.
    convenience init(store: SQLiteStore, slug: Slug, title: String?, source: String) throws {
        try self.init(store: store) { try Self.open(slug, title: title, source: source, in: $0, $1) }
    }

    /// Opens an existing directory.
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
        rollback()
        // Statements must be finalized where they were used: on GRDB's queue.
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

    func begin() throws { try begin(isImport: true) }

    private func begin(isImport: Bool) throws {
        precondition(open == nil, "a writer has one transaction at a time")
        checkpointer.keepUp()
        let start = ContinuousClock.now
        let transaction = try WriteTransaction(store)
        do {
            open = try transaction.perform { _, _ in
                var before = try Self.directory(directory.id, tables.connection)
                directory = before  // It may have been renamed since the last transaction.
                try tables.orders.load(before)
                try tables.facets.load(before)
                try tables.begin(at: Self.now)
                if isImport, before.collation != CollationStamp(language: before.plan.language) {
                    // Keys of new rules cannot be sorted among the old ones.
                    try rebuild(&before)
                }
                return OpenTransaction(
                    transaction: transaction, start: start, isImport: isImport,
                    changes: UserChanges(tables.orders.orders, besideDirectoriesOf: tables.orders.size),
                    forgotten: isImport ? try SuppressionList(for: before.slug, from: tables.connection) : nil)
            }
        } catch {
            discard(transaction, since: start)
            throw error
        }
    }

    /// Derives everything from the rows of a directory again, in the transaction that begins.
    private func rebuild(_ before: inout Directory) throws {
        try tables.reindex(from: before.plan, to: before.plan, erases: false)
        try tables.connection.save(&before)
        before = try Self.directory(before.id, tables.connection)
        directory = before
        tables.orders.generation = nil
        tables.facets.generation = nil
        try tables.orders.load(before)
        try tables.facets.load(before)
    }

    func append(_ users: UserBatch, checkpoint: Checkpoint?) throws -> WriteCounts {
        guard let open, let forgotten = open.forgotten else { preconditionFailure("append() comes after begin()") }
        return try open.transaction.perform { db, _ in
            var counts = WriteCounts()
            if users.plan != directory.plan { users.derive(by: directory.plan) }
            for (old, new) in try tables.makeWay(for: users, in: directory, forgotten, noting: open.changes) {
                open.changes.noteRenumbered(new)
                if let written { try db.execute(sql: Self.noting(new, insteadOf: old, in: written)) }
            }
            if users.isUnresolved {
                counts.skipped += try tables.resolve(users, in: directory, forgotten, noting: open.changes)
            }
            users.sort()
            try check(users)
            if !forgotten.isEmpty {
                let bytes = users.buffer.bytes
                counts.skipped += try users.remove { record in
                    // An existing user may share a name with a forgotten one.
                    try forgotten.has(record, in: bytes)
                        || forgotten.hasName(of: record, in: bytes) && !tables.has(record.id)
                }
            }
            counts += try tables.save(users, noting: open.changes)
            for merge in users.merges { try tables.merge(merge.from, into: merge.into, noting: open.changes) }
            if let written { try note(users, in: written) }
            if var checkpoint {
                if !forgotten.isEmpty { checkpoint.frontier.removeAll(where: forgotten.isNamed(by:)) }
                try SQLiteLedger.save(checkpoint, counts, directory.id, in: db)
            }
            return counts
        }
    }

    var isFull: Bool { open?.changes.isFull ?? false }

    func commit() throws {
        guard let open else { preconditionFailure("commit() comes after begin()") }
        do {
            let changed = try open.transaction.perform { db, _ in try apply(open, in: db) }
            try open.transaction.commit()
            self.open = nil
            directory = changed
            checkpointer.request()
            store.state.note(changed)
            pause(since: open.start)
        } catch {
            rollback()
            throw error
        }
    }

    func rollback() {
        guard let open else { return }
        self.open = nil
        discard(open.transaction, since: open.start)
    }

    private func discard(_ transaction: WriteTransaction, since start: ContinuousClock.Instant) {
        transaction.rollback()
        // They hold changes that have been rolled back.
        tables.orders.generation = nil
        tables.facets.generation = nil
        pause(since: start)
    }

    /// Gives others that want to write time to begin: they look every three milliseconds.
    private func pause(since start: ContinuousClock.Instant) {
        if ContinuousClock.now - start > .milliseconds(100) { Thread.sleep(forTimeInterval: 0.004) }
    }

    /// Brings orders, search index, total and generation up to date with the transaction's changes. Returns the
    /// directory as it is then.
    private func apply(_ open: OpenTransaction, in db: Database) throws -> Directory {
        let changes = open.changes
        guard changes.count + changes.moved > 0 else { return directory }
        try tables.apply(changes)
        try db.execute(
            sql: "UPDATE directory SET total = ?, generation = ?, importedAt = ? WHERE id = ?",
            arguments: [
                directory.total + changes.total, try tables.connection.nextGeneration(),
                open.isImport ? Self.now : directory.importedAt, directory.id,
            ])
        let after = try Self.directory(directory.id, tables.connection)
        tables.orders.generation = after.generation
        tables.facets.generation = after.generation
        try AdditionTable(of: after.id, on: tables.connection).note(changes.newIDs, at: after.generation)
        return after
    }

    /// Notes a user who has been written with another id.
    private static func noting(_ new: Int64, insteadOf old: Int64, in written: String) -> String {
        "INSERT OR IGNORE INTO \(written) SELECT \(new) WHERE EXISTS (SELECT 1 FROM \(written) WHERE id = \(old))"
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

    /// Removes 20,000 users at most: a transaction that removes a million would keep all other writers waiting.
    private func removeSome(notIn written: String) throws -> Int {
        try change { _, changes in
            let ids = try tables.ids(notIn: written, limit: 20_000)
            for id in ids {
                // In a damaged database, a scan may find rows that a lookup does not: the next scan would find them
                // again.
                guard try tables.remove(id, noting: changes) != nil else { throw StoreError.damagedOrder }
            }
            return ids.count
        }
    }

    /// Calls `body` in a transaction of its own, which also brings orders, search index, total and generation up to
    /// date.
    func change<Result>(_ body: (Database, UserChanges) throws -> Result) throws -> Result {
        try begin(isImport: false)
        do {
            guard let open else { preconditionFailure("begin() opens a transaction") }
            let result = try open.transaction.perform { db, _ in try body(db, open.changes) }
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }
}

extension SQLiteWriter {
    /// Calls `body` in a transaction of its own that changes values derived from users, but no user. Returns what
    /// `body` returns.
    func changeForm<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try begin(isImport: false)
        do {
            guard let open else { preconditionFailure("begin() opens a transaction") }
            let (result, after) = try open.transaction.perform { _, _ in
                let result = try body(tables.connection)
                try tables.connection.save(&directory)
                return (result, try Self.directory(directory.id, tables.connection))
            }
            tables.orders.generation = nil
            tables.facets.generation = nil
            try open.transaction.commit()
            self.open = nil
            directory = after
            checkpointer.request()
            store.state.note(after)
            pause(since: open.start)
            return result
        } catch {
            rollback()
            throw error
        }
    }

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

    func adopt(_ settings: DirectorySettings) throws {
        try set(settings)
    }

    func noteImport() throws {
        try note { db in
            directory.importedAt = Self.now
            try db.execute(
                sql: "UPDATE directory SET importedAt = ? WHERE id = ?",
                arguments: [directory.importedAt, directory.id])
        }
    }

    /// Changes the directory's own row, in a transaction of its own.
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
            sql: "INSERT INTO directory (slug, title, source, generation, textForm) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                slug.text, title ?? slug.text, source, try connection.nextGeneration(),
                SearchedText.form(ofLanguage: FieldPlan.empty.language),
            ])
        let id = db.lastInsertedRowID
        try Schema.createPartition(id, in: db)
        try connection.set(CollationStamp(language: FieldPlan.empty.language), of: id)
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
