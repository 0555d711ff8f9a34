import Base
import Publishing

/// Copies all tables of one store to another one, which has no directories.
///
/// Everything is read from one snapshot of the source. Each batch is saved in a transaction together with its position,
/// so that an interrupted copy goes on after it, unless the source has changed meanwhile. At the end the rows of both
/// sides are compared. Until then the target is marked as an ``IncompleteCopy``.
package struct StoreCopy {
    /// The progress of a copy: rows are copied first, and then compared.
    package struct Progress: Sendable {
        /// Whether rows are being compared, and no longer copied.
        package var isChecking = false
        /// The rows that are done in this phase, those of earlier, interrupted copies included.
        package var rows: Int64 = 0
        /// The rows of the source: the end of each phase.
        package var allRows: Int64 = 0
    }

    /// The result of a copy.
    package struct Summary: Sendable {
        package var directories: [StoredDirectory]
        package var tables: Int
        /// The rows of all tables, ``earlierRows`` included.
        package var rows: Int64
        /// Rows that an earlier, interrupted copy had saved.
        package var earlierRows: Int64
    }

    /// The parts of a database that are copied.
    package enum Extent: Sendable {
        case everything
        /// Everything but pictures. The rows are not compared, because such a copy is soon removed.
        case people
    }

    let source, target: any EngineStore
    let extent: Extent
    let isCancelled: () -> Bool
    let observe: (Progress) -> Void

    /// `isCancelled` and `observe` are called between batches.
    package init(
        from source: any EngineStore, to target: any EngineStore, extent: Extent = .everything,
        isCancelled: @escaping () -> Bool = { false }, observe: @escaping (Progress) -> Void = { _ in }
    ) {
        self.extent = extent
        self.source = source
        self.target = target
        self.isCancelled = isCancelled
        self.observe = observe
    }

    /// Copies and compares, unless only ``Extent/people`` are copied. Throws a `CancellationError` soon after
    /// `isCancelled` returns `true`, and a ``StoreError`` if the target has directories of its own (`exists`) or
    /// differs from the source in the end (`damaged`).
    package func run() throws -> Summary {
        try source.withWholeSnapshot { database, pictures in
            let side = Side(database: database, pictures: pictures)
            let directories = try database.directories(origin: 0)
            let hasPictures = pictures != nil && extent == .everything
            let tables = Table.all(of: directories, hasPictures: hasPictures)
            let counts = try tables.map { try side.count($0) }
            let mark = try mark(of: directories, tables, counts)
            let position = try begin(mark)
            let earlier = position.step == 0 ? 0 : counts[..<min(position.step, counts.count)].reduce(0, +)
            var summary = Summary(
                directories: directories, tables: tables.count, rows: counts.reduce(0, +), earlierRows: earlier)
            try copy(tables, counts, from: side, at: position)
            if try extent == .everything && !isSame(tables, counts, side) {
                // A batch of an earlier attempt may be from a source that was different in a way that its mark does not
                // show.
                guard position != Position() else { throw Self.isDifferent(target.name) }
                try startAgain(mark)
                summary.earlierRows = 0
                try copy(tables, counts, from: side, at: Position())
                guard try isSame(tables, counts, side) else { throw Self.isDifferent(target.name) }
            }
            try end(directories, side)
            return summary
        }
    }

    private static func isDifferent(_ name: String) -> StoreError {
        StoreError(.damaged, "\(name) differs from what was copied into it; copy into a new database")
    }
}

// MARK: - Beginning and end

extension StoreCopy {
    /// The place after the last row that was saved.
    private struct Position: Equatable {
        /// The index of a table.
        var step = 0
        var key = CopiedKey()
    }

    /// A connection to the database and one to its pictures, of one moment.
    private struct Side {
        let database: any StoreConnection
        let pictures: (any StoreConnection)?

        func connection(for table: Table) -> any StoreConnection {
            table.isOfPictures ? pictures ?? database : database
        }

        func count(_ table: Table) throws -> Int64 {
            try connection(for: table).number("SELECT CAST(count(*) AS bigint) FROM \(table.name)")
        }
    }

    /// Returns a text that another state of the source would most likely not have.
    private func mark(of directories: [StoredDirectory], _ tables: [Table], _ counts: [Int64]) throws -> String {
        let states = directories.map { "\($0.id):\($0.generation):\($0.importedAt ?? 0)" }
        let sizes = zip(tables, counts).map { "\($0.name)=\($1)" }
        return ([source.instance] + states + sizes).joined(separator: " ")
    }

    /// Returns the position at which to go on, and marks the target if this is the first attempt.
    private func begin(_ mark: String) throws -> Position {
        let found: (mark: String, position: Position)? = try target.transaction { connection in
            guard try connection.hasTable(IncompleteCopy.table) else {
                try expectEmpty(connection)
                try connection.execute(IncompleteCopy.creation)
                try insert(mark, connection)
                return nil
            }
            let found = try connection.first("SELECT source, step, position FROM \(IncompleteCopy.table)") { row in
                CopiedKey(row.text(2)).map { (row.text(0), Position(step: Int(row.number(1)), key: $0)) }
            }
            guard let found = found ?? nil else {
                throw StoreError(.damaged, "\(target.name): the state of the incomplete copy in it cannot be read")
            }
            return found
        }
        guard let found else { return Position() }
        if found.mark == mark { return found.position }
        try startAgain(mark)
        return Position()
    }

    private func insert(_ mark: String, _ connection: any StoreConnection) throws {
        try connection.run(
            "INSERT INTO \(IncompleteCopy.table) (id, source, step, position) VALUES (1, ?, 0, '')", mark)
    }

    private func expectEmpty(_ connection: any StoreConnection) throws {
        for (table, content) in [("directory", "directories"), ("forgotten", "people who were forgotten")] {
            guard try connection.number("SELECT CAST(count(*) AS bigint) FROM \(table)") == 0 else {
                throw StoreError(
                    .exists, "\(target.name) has \(content); copy into a new database, because both would be mixed")
            }
        }
    }

    /// Empties the target.
    private func startAgain(_ mark: String) throws {
        try target.openExistingPictures().map { pictures in
            try pictures.transaction { try empty(Table.ofPictures, pictures) }
        }
        try target.transaction { connection in
            for id in try connection.directoryIDs() { try target.dropTables(of: id, on: connection) }
            try empty(Table.ofDatabase.reversed() + [.directory], connection)
            try connection.execute("DELETE FROM \(IncompleteCopy.table)")
            try insert(mark, connection)
        }
    }

    private func empty(_ tables: [Table], _ connection: any StoreConnection) throws {
        for table in tables { try connection.execute("DELETE FROM \(table.name)") }
    }

    /// Copies the secrets under which hashes are made, and removes the mark. The target keeps its own instance: from
    /// now on both change, so validators and cursors of one must not be valid for the other.
    private func end(_ directories: [StoredDirectory], _ side: Side) throws {
        let names = Table.secrets
        let secrets = try side.database.first("SELECT \(names.joined(separator: ", ")) FROM database") { row in
            names.indices.map { Array(row.blob(Int32($0))) }
        }
        guard let secrets else { throw StoreError.damage("its table database is empty") }
        try target.transaction { connection in
            for (name, secret) in zip(names, secrets) {
                try secret.withUnsafeBytes { try connection.run("UPDATE database SET \(name) = ?", SQLValue.blob($0)) }
            }
            try target.continueNumbers(after: directories.map(\.generation).max() ?? 0, on: connection)
            try connection.execute("DROP TABLE \(IncompleteCopy.table)")
        }
        target.refresh()
    }
}

// MARK: - Rows

extension StoreCopy {
    private func copy(_ tables: [Table], _ counts: [Int64], from side: Side, at start: Position) throws {
        let session = try target.makeWritingSession()
        let connection = try target.transaction { $0 }
        defer { session.end(connection) }
        var progress = Progress()
        progress.allRows = counts.reduce(0, +)
        progress.rows = counts[..<min(start.step, counts.count)].reduce(0, +)
        var position = start
        while position.step < tables.count {
            if isCancelled() { throw CancellationError() }
            observe(progress)
            session.keepUp()
            let table = tables[position.step]
            let count =
                table.isOfPictures
                ? try copyPictures(table, from: side, at: &position) : try copyRows(table, from: side, at: &position)
            session.noteCommit()
            progress.rows += count
        }
    }

    /// Copies the next batch and its position in one transaction.
    private func copyRows(_ table: Table, from side: Side, at position: inout Position) throws -> Int64 {
        var next = position
        let count = try target.transaction { connection in
            let count = try copyBatch(of: table, from: side.database, to: connection, at: &next)
            try save(next, connection)
            return count
        }
        position = next
        return count
    }

    /// Copies a batch of pictures. They may be in a database of their own, so the batch is saved before its position.
    /// If the copy was interrupted between the two, there are rows after the position: they are removed first.
    private func copyPictures(_ table: Table, from side: Side, at position: inout Position) throws -> Int64 {
        let pictures = try target.openPictures()
        var next = position
        let count = try pictures.transaction {
            let delete = try pictures.statement(table.deletion(after: position.key))
            try table.bind(position.key, to: delete) { try delete.run() }
            return try copyBatch(of: table, from: side.connection(for: table), to: pictures, at: &next)
        }
        try target.transaction { try save(next, $0) }
        position = next
        return count
    }

    private func copyBatch(
        of table: Table, from source: any StoreConnection, to target: any StoreConnection,
        at position: inout Position
    ) throws -> Int64 {
        let writer = try target.makeRowWriter(into: table.name, table.columns.map(\.name))
        var directories: [Int64] = []
        let (count, end) = try table.forEachRow(after: position.key, of: source) { row in
            try table.append(row, to: writer)
            if table.name == Table.directory.name { directories.append(row.number(0)) }
        }
        try writer.finish()
        for directory in directories { try self.target.createTables(of: directory, on: target) }
        position = end.map { Position(step: position.step, key: $0) } ?? Position(step: position.step + 1)
        return Int64(count)
    }

    private func save(_ position: Position, _ connection: any StoreConnection) throws {
        try connection.run(
            "UPDATE \(IncompleteCopy.table) SET step = ?, position = ?", Int64(position.step), position.key.description)
    }
}

// MARK: - Comparing

extension StoreCopy {
    /// Whether the target has the same rows as the source.
    private func isSame(_ tables: [Table], _ counts: [Int64], _ source: Side) throws -> Bool {
        let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        var progress = Progress(isChecking: true, allRows: counts.reduce(0, +))
        return try target.withWholeSnapshot { database, pictures in
            let copy = Side(database: database, pictures: pictures)
            for (table, count) in zip(tables, counts) {
                observe(progress)
                let expected = try digest(of: table, source, secret)
                guard try digest(of: table, copy, secret) == expected else { return false }
                progress.rows += count
            }
            return true
        }
    }

    /// Returns the number of the rows of a table, and the sum of their hashes.
    private func digest(
        of table: Table, _ side: Side, _ secret: (UInt64, UInt64)
    ) throws -> (rows: Int, sum: UInt64) {
        // A target without pictures has no such tables.
        if table.isOfPictures, side.pictures == nil { return (0, 0) }
        let connection = side.connection(for: table)
        let buffer = ByteBuffer(capacity: 4096)
        var (digest, next) = ((rows: 0, sum: UInt64(0)), CopiedKey?.some(CopiedKey()))
        while let key = next {
            if isCancelled() { throw CancellationError() }
            let (count, end) = try table.forEachRow(after: key, of: connection) { row in
                buffer.removeAll()
                table.append(row, to: buffer)
                digest.sum &+= SipHash.hash(buffer.bytes, key: secret)
            }
            digest.rows += count
            next = end
        }
        return digest
    }
}
