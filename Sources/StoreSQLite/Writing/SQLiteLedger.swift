import Directories
import Foundation
import GRDB

/// The records about the imports of one directory: the checkpoint and the visited pages.
struct SQLiteLedger: ImportLedger {
    let store: SQLiteStore
    let slug: Slug

    func checkpoint() throws -> Checkpoint? {
        let columns = """
            source, pass, startedAt, frontier, users, rejected, requests, bytes, added, changed, unchanged, repeated,
            heldUntil, heldBecause, isIdentified
            """
        return try read("SELECT \(columns) FROM checkpoint WHERE directory = ?1") { row in
            let count = { (column: Int32) in try row.count(column, "a number of the last import") }
            let time = { (column: Int32) in try row.time(column, "a time of the last import") }
            var checkpoint = Checkpoint(source: row.text(0), pass: Int64(try count(1)), startedAt: try time(2))
            checkpoint.frontier = Self.lines(row.text(3))
            checkpoint.users = try count(4)
            checkpoint.rejected = try count(5)
            checkpoint.requests = try count(6)
            checkpoint.bytes = try row.number(7, "a number of bytes", in: 0...(1 << 60))
            checkpoint.counts = WriteCounts(
                added: try count(8), changed: try count(9), unchanged: try count(10), repeated: try count(11))
            checkpoint.heldUntil = try time(12)
            checkpoint.heldBecause = row.text(13)
            checkpoint.isIdentified = row.number(14) != 0
            return checkpoint
        }
    }

    func page(at address: String) throws -> VisitedPage? {
        try read("SELECT validator, next, users FROM visitedPage WHERE directory = ?1 AND address = ?2", address) {
            row in
            VisitedPage(
                address: address, validator: row.text(0), next: Self.lines(row.text(1)),
                users: try row.count(2, "the length of a page"))
        }
    }

    /// Calls `body` with the first row that `sql`, with the directory's id and `text` as parameters, selects. Returns
    /// `nil` if it selects none.
    private func read<Result>(
        _ sql: String, _ text: String? = nil, _ body: (Statement) throws -> Result
    ) throws -> Result? {
        guard let writing = store.writing else { throw StoreError(notWritable: store.path) }
        store.writeTurn.wait()
        defer { store.writeTurn.signal() }
        do {
            return try writing.read { db -> Result? in
                guard let handle = db.sqliteConnection else { return nil }
                let connection = Connection(borrowing: handle)
                guard let directory = try connection.directory(slug) else { return nil }
                let rows = try connection.statement(sql)
                defer { rows.reset() }
                rows.bind(directory.id, at: 1)
                if let text { rows.bind(text, at: 2) }
                return try rows.step() ? try body(rows) : nil
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: store.path)
        }
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}

extension SQLiteLedger {
    /// Saves the progress of an import, in the transaction that saves its users. Counts are summed up within a pass.
    static func save(
        _ checkpoint: Checkpoint, _ counts: WriteCounts, _ directory: Int64, in db: Database
    ) throws {
        let source = try String.fetchOne(
            db, sql: "SELECT source FROM checkpoint WHERE directory = ?", arguments: [directory])
        // Visited pages of another source are of no use for this one.
        if let source, source != checkpoint.source { try forget(directory, in: db) }
        try db.execute(
            sql: """
                INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET pass = excluded.pass, frontier = excluded.frontier,
                    startedAt = excluded.startedAt, users = excluded.users,
                    added = excluded.added + iif(pass = excluded.pass, added, 0),
                    changed = excluded.changed + iif(pass = excluded.pass, changed, 0),
                    unchanged = excluded.unchanged + iif(pass = excluded.pass, unchanged, 0),
                    repeated = excluded.repeated + iif(pass = excluded.pass, repeated, 0),
                    rejected = excluded.rejected, requests = excluded.requests, bytes = excluded.bytes,
                    heldUntil = excluded.heldUntil, heldBecause = excluded.heldBecause,
                    isIdentified = excluded.isIdentified
                """,
            arguments: [
                directory, checkpoint.source, checkpoint.pass, checkpoint.frontier.joined(separator: "\n"),
                checkpoint.startedAt, checkpoint.users, counts.added, counts.changed,
                counts.unchanged + checkpoint.untouched, counts.repeated, checkpoint.rejected, checkpoint.requests,
                checkpoint.bytes, checkpoint.heldUntil, checkpoint.heldBecause, checkpoint.isIdentified,
            ])
        if let page = checkpoint.page, try mayRemember(page, counts, in: db) {
            try save(page, pass: checkpoint.pass, directory, in: db)
        }
        // Pages that the source does not link to any more.
        if checkpoint.isComplete {
            try db.execute(
                sql: "DELETE FROM visitedPage WHERE directory = ? AND pass <> ?",
                arguments: [directory, checkpoint.pass])
        }
    }

    private static func save(_ page: VisitedPage, pass: Int64, _ directory: Int64, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO visitedPage VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                directory, page.address, pass, page.validator, page.next.joined(separator: "\n"), page.users,
            ])
    }

    /// Whether a page may be noted as visited while there are forgotten users. Not if it had one of them, who would be
    /// missing from the counts if the page were not sent again, and not if its links name users one by one.
    private static func mayRemember(_ page: VisitedPage, _ counts: WriteCounts, in db: Database) throws -> Bool {
        if counts.skipped > 0 { return false }
        return try page.next.count < 2 || Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM forgotten)") == true
    }

    /// Removes a person's `login` from the records: all pages are read again, and no address in the frontier ends with
    /// the login.
    static func forget(login: String, _ directory: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM visitedPage WHERE directory = ?", arguments: [directory])
        let frontier = try String.fetchOne(
            db, sql: "SELECT frontier FROM checkpoint WHERE directory = ?", arguments: [directory])
        guard let frontier else { return }
        let kept = lines(frontier).filter { address in
            let name = address.split(separator: "/").last.flatMap { String($0).removingPercentEncoding }
            return name?.lowercased() != login.lowercased()
        }
        try db.execute(
            sql: "UPDATE checkpoint SET frontier = ? WHERE directory = ?",
            arguments: [kept.joined(separator: "\n"), directory])
    }

    /// Removes all records of a directory: once it has another source, they do not describe its users.
    static func forget(_ directory: Int64, in db: Database) throws {
        for table in ["checkpoint", "visitedPage"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE directory = ?", arguments: [directory])
        }
    }
}
