import Foundation
import People
import Publishing

/// Writes users into one directory. A transaction changes tables, search index, orders, total and generation together.
final class UserWriter: DirectoryWriter {
    private(set) var directory: StoredDirectory {
        didSet { directory.origin = store.state.origin }
    }
    let store: any EngineStore
    let tables: UserTables
    private let session: any WritingSession
    /// The temporary table of the ids written since pruning began.
    var written: String?
    /// The session of the connection on which everything was written since the last error.
    private var databaseSession: Int?
    /// The number of people when pruning began, or else when the writer was made.
    var totalBefore = 0
    /// The people who have left according to batches.
    var departing: Set<Int64> = []
    private var open: OpenTransaction?
    /// How long the last transaction took to update orders and search index.
    private var lastUpdate = Duration.zero

    /// The settings before the writer changed any: an export has none of what they say is private.
    private let before: ResolvedSettings

    /// The transaction between ``begin()`` and ``commit()``, its start, and whether it is a part of an import.
    private typealias OpenTransaction = (
        transaction: WriteTransaction, start: ContinuousClock.Instant, isImport: Bool
    )

    /// Creates the directory if it does not exist.
    convenience init(
        store: any EngineStore, slug: Slug, title: String?, source: String,
        changing change: (inout Settings) throws -> Void
    ) throws {
        try self.init(store: store) {
            try Self.open(slug, title: title, source: source, changing: change, in: store, $0)
        }
    }

    convenience init(store: any EngineStore, _ directory: StoredDirectory) throws {
        try self.init(store: store) { try Self.directory(directory.id, $0) }
    }

    private init(store: any EngineStore, _ open: (any StoreConnection) throws -> StoredDirectory) throws {
        self.store = store
        session = try store.makeWritingSession()
        (directory, tables, databaseSession) = try store.transaction { connection in
            let directory = try open(connection)
            let tables = try UserTables(directory, on: connection)
            return (directory, tables, try connection.session)
        }
        directory.origin = store.state.origin
        before = directory.settings
        totalBefore = directory.total
        store.state.note(directory)
    }

    deinit {
        rollback()
        // The table ends with its session.
        if let written, (try? tables.connection.session) == databaseSession {
            try? store.transaction { connection in
                tables.connection.removeStatements()
                try connection.execute("DROP TABLE IF EXISTS \(written)")
            }
        }
        session.end(tables.connection)
    }

    func begin() throws { _ = try begin(isImport: true) }

    /// Throws if the connection is another one than before, and no error has said so. A primary that was promoted
    /// meanwhile may lack what was saved, and the table of written ids is gone: the import has to begin again.
    func checkSession(of connection: any StoreConnection) throws {
        let session = try connection.session
        guard databaseSession == nil || databaseSession == session else {
            (written, databaseSession) = (nil, nil)
            throw StoreError(.unreachable, "the connection to the database was lost between two transactions")
        }
        databaseSession = session
    }

    private func begin(isImport: Bool) throws -> OpenTransaction {
        precondition(open == nil, "a writer has one transaction at a time")
        session.keepUp()
        let start = ContinuousClock.now
        let transaction = try store.beginWriting()
        do {
            try transaction.perform { connection in
                try store.lock(directory.id, on: connection)
                try checkSession(of: connection)
                // It may have been renamed since the last transaction.
                directory = try Self.directory(directory.id, tables.connection)
                try tables.load(directory)
                try tables.begin(at: Self.now)
                if isImport, directory.collation != CollationStamp(language: directory.settings.language) {
                    // Keys of new rules cannot be sorted among the old ones.
                    try rebuild()
                }
                tables.changes = UserChanges(
                    tables.orders.orders, besideDirectoriesOf: tables.orders.size, within: maxDuration)
            }
            let open: OpenTransaction = (transaction, start, isImport)
            self.open = open
            return open
        } catch {
            discard(transaction, since: start)
            throw error
        }
    }

    /// How long the next transaction takes users. In a large directory, nearly every block changes with each one: the
    /// longer it took to write them, the more users the next one waits for.
    private var maxDuration: Duration { max(session.maxDuration, min(lastUpdate * 3, .seconds(4))) }

    /// Derives everything from the rows of the directory again, in the transaction that begins.
    private func rebuild() throws {
        try tables.reindex(from: directory.settings, to: directory.settings, erasing: nil)
        try tables.connection.save(&directory, as: store.nextGeneration(on: tables.connection))
        directory = try Self.directory(directory.id, tables.connection)
        try tables.load(directory)
    }

    func append(_ users: UserBatch, checkpoint: Checkpoint?) throws -> WriteCounts {
        guard let open, open.isImport else { preconditionFailure("append() comes after begin()") }
        return try open.transaction.perform { connection in
            let forgotten = try tables.forgotten()
            var counts = WriteCounts()
            if users.settings != directory.settings { users.derive(by: directory.settings) }
            if !forgotten.isEmpty { users.clearRelations(forgotten.hasRelation) }
            if users.hasLeftOut { try leaveOut(users) }
            try tables.keepGenerated(in: users)
            for (old, new) in try tables.reassignTakenIDs(for: users) {
                tables.changes.noteRenumbered(new)
                if let written { try connection.execute(Self.noting(new, insteadOf: old, in: written)) }
            }
            try tables.resolve(users, counting: &counts)
            try tables.keepSaved(in: users, as: before)
            users.removeMerged()
            users.sort()
            try check(users)
            if !forgotten.isEmpty {
                let bytes = users.buffer.bytes
                counts.skipped += try users.remove { record in
                    // An existing user may share a name with a forgotten one.
                    try forgotten.has(record, in: bytes)
                        || record.generated.isSuperset(of: [.id, .login]) && !tables.has(record.id)
                            && forgotten.hasName(of: record, bytes, key: users.keyColumns(of: record))
                        // Whoever was forgotten while hidden may be shown now.
                        || forgotten.hasID(tables.identities.hiddenID(ofGiven: record.id))
                }
            }
            counts += try tables.save(users)
            for merge in users.merges { try tables.merge(merge.from, into: merge.into) }
            for record in users.records { try noteWritten(record.id) }
            if var checkpoint {
                if !forgotten.isEmpty { checkpoint.frontier.removeAll(where: forgotten.isNamed(by:)) }
                try StoredLedger.save(checkpoint, counts, directory.id, in: connection)
            }
            return counts
        }
    }

    var isFull: Bool { open != nil && tables.changes.isFull }

    func commit() throws { try commit(apply) }

    /// Ends the transaction after `update`, which returns the directory as it is then.
    private func commit(_ update: (OpenTransaction, any StoreConnection) throws -> StoredDirectory) throws {
        guard let open else { preconditionFailure("commit() comes after begin()") }
        // Does nothing once it is closed.
        defer { rollback() }
        let saved = try open.transaction.perform { try update(open, $0) }
        try open.transaction.commit()
        self.open = nil
        tables.forgetChanges()
        directory = saved
        session.noteCommit()
        store.state.note(saved)
        session.pause(after: ContinuousClock.now - open.start)
    }

    func rollback() {
        guard let open else { return }
        self.open = nil
        discard(open.transaction, since: open.start)
    }

    private func discard(_ transaction: WriteTransaction, since start: ContinuousClock.Instant) {
        transaction.rollback()
        tables.forgetChanges()
        // They hold changes that have been rolled back.
        tables.generation = nil
        // The caller knows of the error, but not that the table of written ids may be lost.
        if written == nil { databaseSession = nil }
        session.pause(after: ContinuousClock.now - start)
    }

    /// Brings orders, search index, total and generation up to date. Returns the directory as it is then.
    private func apply(_ open: OpenTransaction, on connection: any StoreConnection) throws -> StoredDirectory {
        let changes = tables.changes
        guard changes.count + changes.moved > 0 else { return directory }
        let start = ContinuousClock.now
        try tables.applyChanges()
        lastUpdate = ContinuousClock.now - start
        try connection.run(
            "UPDATE directory SET total = ?, generation = ?, importedAt = ? WHERE id = ?",
            Int64(directory.total + changes.total), try store.nextGeneration(on: connection),
            open.isImport ? Self.now : directory.importedAt, directory.id)
        let after = try Self.directory(directory.id, tables.connection)
        tables.generation = after.generation
        try AdditionTable(of: after.id, on: tables.connection).note(changes.newIDs, at: after.generation)
        return after
    }

    private static func noting(_ new: Int64, insteadOf old: Int64, in written: String) -> String {
        """
        INSERT INTO \(written) SELECT CAST(\(new) AS bigint) WHERE EXISTS (SELECT 1 FROM \(written) WHERE id = \(old))
        ON CONFLICT DO NOTHING
        """
    }

    private func check(_ batch: UserBatch) throws {
        for record in batch.records where record.id <= 0 || record.login.isEmpty {
            let login = batch.buffer.bytes.text(record.login)
            throw StoreError(
                .invalidUser,
                login.isEmpty
                    ? "user \(record.id): the login is empty" : "user \"\(login)\": id \(record.id) is not positive")
        }
    }

    /// Calls `body` in a transaction of its own.
    func change<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        try transaction(body, then: apply)
    }

    private func transaction<Result>(
        _ body: (any StoreConnection) throws -> Result,
        then update: (OpenTransaction, any StoreConnection) throws -> StoredDirectory
    ) throws -> Result {
        let open = try begin(isImport: false)
        defer { rollback() }
        let result = try open.transaction.perform(body)
        try commit(update)
        return result
    }
}

extension UserWriter {
    /// Calls `body` in a transaction of its own that changes values derived from users, but no user.
    func changeForm<Result>(_ body: (any StoreConnection) throws -> Result) throws -> Result {
        try transaction(body) { _, connection in
            try connection.save(&directory, as: store.nextGeneration(on: connection))
            return try Self.directory(directory.id, tables.connection)
        }
    }

    func adopt(_ terms: Terms) throws {
        try note { connection in
            let isOwn = try connection.number("SELECT hasOwnTerms FROM directory WHERE id = ?", directory.id) != 0
            if isOwn || terms == directory.terms { return }
            directory.terms = terms
            try connection.save(&directory, as: store.nextGeneration(on: connection))
        }
    }

    func noteImport() throws {
        try note { connection in
            directory.importedAt = Self.now
            try connection.run(
                "UPDATE directory SET importedAt = ? WHERE id = ?", directory.importedAt, directory.id)
        }
    }

    /// Changes the directory's own row, in a transaction of its own.
    private func note(_ body: (any StoreConnection) throws -> Void) throws {
        try store.transaction { connection in
            try store.lock(directory.id, on: connection)
            directory = try Self.directory(directory.id, connection)
            try body(connection)
        }
        store.state.note(directory)
    }

    private static func open(
        _ slug: Slug, title: String?, source: String, changing change: (inout Settings) throws -> Void,
        in store: any EngineStore, _ connection: any StoreConnection
    ) throws -> StoredDirectory {
        var directory =
            try connection.directory(slug) ?? create(slug, title: title, source: source, in: store, connection)
        var settings = directory.settings.stored
        try change(&settings.own)
        let hasSameSettings = settings == directory.settings.stored
        if hasSameSettings, directory.source == source, (title ?? directory.title) == directory.title {
            return directory
        }
        try store.lock(directory.id, on: connection)
        // Nothing that is derived from people depends on them.
        directory.settings = try connection.set(settings, of: directory.id)
        if directory.source != source { try StoredLedger.forget(directory.id, in: connection) }
        directory.title = title ?? directory.title
        directory.source = source
        try connection.save(&directory, as: store.nextGeneration(on: connection))
        return directory
    }

    private static func create(
        _ slug: Slug, title: String?, source: String, in store: any EngineStore, _ connection: any StoreConnection
    ) throws -> StoredDirectory {
        try store.free(slug, on: connection)
        let id = try connection.number(
            "INSERT INTO directory (slug, title, source, generation, textForm) VALUES (?, ?, ?, ?, ?) RETURNING id",
            slug.text, title ?? slug.text, source, try store.nextGeneration(on: connection),
            SearchedText.form(ofLanguage: ResolvedSettings.empty.language))
        try store.createTables(of: id, on: connection)
        try OrderWriter(of: id, on: connection).clear(.empty)
        try connection.set(CollationStamp(language: ResolvedSettings.empty.language), of: id)
        return try directory(id, connection)
    }

    static func directory(_ id: Int64, _ connection: any StoreConnection) throws -> StoredDirectory {
        guard let directory = try connection.directory(id) else {
            throw StoreError(.gone, "the directory has been removed meanwhile")
        }
        return directory
    }

    /// In seconds since 1970.
    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}
