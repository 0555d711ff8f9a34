import Base
import Publishing

/// Copies all tables of one store to another one, which has no directories.
///
/// Everything is read from one snapshot of the source. An interrupted copy goes on with the table that it was copying,
/// unless the source has changed meanwhile. At the end the rows of both sides are compared. Until then the target is
/// marked as an ``IncompleteCopy``.
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

    package struct Summary: Sendable {
        package var directories: [StoredDirectory]
        package var tables: Int
        /// The rows of all tables, ``earlierRows`` included.
        package var rows: Int64
        /// Rows that an earlier, interrupted copy had saved.
        package var earlierRows: Int64
    }

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

    /// Throws a `CancellationError` soon after `isCancelled` returns `true`, and a ``StoreError`` if the target has
    /// directories of its own (`exists`) or differs from the source in the end (`damaged`).
    package func run() throws -> Summary {
        try source.withWholeSnapshot { database, pictures in
            let side = Side(database: database, pictures: pictures)
            let directories = try database.directories()
            let hasPictures = pictures != nil && extent == .everything
            let tables = Table.all(of: directories, hasPictures: hasPictures)
            let counts = try tables.map { try side.count($0) }
            let mark = try mark(of: directories, tables, counts)
            var step = try begin(mark)
            try copy(tables, counts, from: side, at: step)
            while try extent == .everything && !isSame(tables, counts, side) {
                // A table of an earlier attempt may be from a source that was different in a way that its mark does not
                // show.
                guard step > 0 else {
                    throw StoreError(
                        .damaged, "\(target.name) differs from what was copied into it; copy into a new database")
                }
                try startAgain(mark)
                step = 0
                try copy(tables, counts, from: side, at: step)
            }
            try end(directories, side)
            return Summary(
                directories: directories, tables: tables.count, rows: counts.reduce(0, +),
                earlierRows: counts.prefix(step).reduce(0, +))
        }
    }
}

// MARK: - Beginning and end

extension StoreCopy {
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

    /// Another state of the source would most likely have another text.
    private func mark(of directories: [StoredDirectory], _ tables: [Table], _ counts: [Int64]) throws -> String {
        let states = directories.map { "\($0.id):\($0.generation):\($0.importedAt ?? 0)" }
        let sizes = zip(tables, counts).map { "\($0.name)=\($1)" }
        return ([source.instance] + states + sizes).joined(separator: " ")
    }

    /// Returns the index of the table to go on with, and marks the target if this is the first attempt.
    private func begin(_ mark: String) throws -> Int {
        let step: Int? = try target.transaction { connection in
            let table = IncompleteCopy.table
            if try connection.hasTable(table) {
                return try connection.first("SELECT step FROM \(table) WHERE source = ? AND step > 0", mark) {
                    try $0.count(0, "the step of a copy")
                }
            }
            try expectEmpty(connection)
            try connection.execute(IncompleteCopy.creation)
            try connection.run("INSERT INTO \(table) (id, source, step) VALUES (1, ?, 0)", mark)
            return 0
        }
        if let step { return step }
        try startAgain(mark)
        return 0
    }

    private func expectEmpty(_ connection: any StoreConnection) throws {
        for (table, content) in [("directory", "directories"), ("forgotten", "people who were forgotten")] {
            guard try connection.number("SELECT CAST(count(*) AS bigint) FROM \(table)") == 0 else {
                throw StoreError(
                    .exists, "\(target.name) has \(content); copy into a new database, because both would be mixed")
            }
        }
    }

    private func startAgain(_ mark: String) throws {
        try target.openExistingPictures().map { pictures in
            try pictures.transaction { try empty(Table.ofPictures, pictures) }
        }
        try target.transaction { connection in
            for id in try connection.directoryIDs() { _ = try target.dropTables(of: id, on: connection) }
            try empty(Table.ofDatabase.reversed() + [.directory], connection)
            try connection.run("UPDATE \(IncompleteCopy.table) SET source = ?, step = 0", mark)
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
    /// Copies the tables from that with the index `start` on, which an earlier attempt may have begun.
    private func copy(_ tables: [Table], _ counts: [Int64], from side: Side, at start: Int) throws {
        let session = try target.makeWritingSession()
        let connection = try target.transaction { $0 }
        defer { session.end(connection) }
        var progress = Progress(rows: counts.prefix(start).reduce(0, +), allRows: counts.reduce(0, +))
        if start > 0, start < tables.count { try copy(to: tables[start]) { try empty([tables[start]], $0) } }
        for (step, table) in tables.enumerated().dropFirst(start) {
            try forEachBatch { key in
                observe(progress)
                session.keepUp()
                let (count, end) = try copy(to: table) {
                    try copyBatch(of: table, after: key, from: side.connection(for: table), to: $0)
                }
                if end == nil {
                    try target.transaction {
                        try $0.run("UPDATE \(IncompleteCopy.table) SET step = ?", Int64(step + 1))
                    }
                }
                session.noteCommit()
                progress.rows += Int64(count)
                return end
            }
        }
    }

    /// Calls `body` with the key before each batch of a table, until it returns no key of a last row.
    private func forEachBatch(_ body: (_ key: CopiedKey) throws -> CopiedKey?) throws {
        var next: CopiedKey? = []
        while let key = next {
            if isCancelled() { throw CancellationError() }
            next = try body(key)
        }
    }

    /// Calls `body` in a transaction of the database that has a table: pictures may be in one of their own.
    private func copy<Result>(to table: Table, _ body: (any StoreConnection) throws -> Result) throws -> Result {
        guard table.isOfPictures else { return try target.transaction(body) }
        let pictures = try target.openPictures()
        return try pictures.transaction { try body(pictures) }
    }

    /// Returns the number of the rows, and the key of the last one if more may follow.
    private func copyBatch(
        of table: Table, after key: CopiedKey, from source: any StoreConnection, to target: any StoreConnection
    ) throws -> (count: Int, end: CopiedKey?) {
        let writer = try target.makeRowWriter(into: table.name, table.columns.map(\.name))
        var directories: [Int64] = []
        let copied = try table.forEachRow(after: key, of: source) { row in
            try table.append(row, to: writer)
            if table.name == Table.directory.name { directories.append(row.number(0)) }
        }
        try writer.finish()
        for directory in directories { try self.target.createTables(of: directory, on: target) }
        return copied
    }
}

// MARK: - Comparing

extension StoreCopy {
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
        var digest = (rows: 0, sum: UInt64(0))
        try forEachBatch { key in
            let (count, end) = try table.forEachRow(after: key, of: connection) { row in
                buffer.removeAll()
                table.append(row, to: buffer)
                digest.sum &+= SipHash.hash(buffer.bytes, key: secret)
            }
            digest.rows += count
            return end
        }
        return digest
    }
}
