import Foundation
import People
import Publishing

/// The records about the imports of one directory: the checkpoint and the visited pages.
struct StoredLedger: ImportLedger {
    let store: any EngineStore
    let slug: Slug

    /// The columns of a checkpoint. Counts are summed up within a pass.
    private static let (columns, counts) = (
        [
            "source", "pass", "startedAt", "frontier", "users", "rejected", "requests", "bytes", "heldUntil",
            "heldBecause", "isIdentified",
        ], ["added", "changed", "unchanged", "repeated"]
    )

    func checkpoint() throws -> Checkpoint? {
        let columns = (Self.columns + Self.counts).joined(separator: ", ")
        return try read("SELECT \(columns) FROM checkpoint WHERE directory = ?1") { row in
            let count = { (column: Int32) in try row.count(column, "a number of the last import") }
            let time = { (column: Int32) in try row.time(column, "a time of the last import") }
            var checkpoint = Checkpoint(source: row.text(0), pass: Int64(try count(1)), startedAt: try time(2))
            checkpoint.frontier = Self.lines(row.text(3))
            checkpoint.users = try count(4)
            checkpoint.rejected = try count(5)
            checkpoint.requests = try count(6)
            checkpoint.bytes = try row.number(7, "a number of bytes", in: 0...(1 << 60))
            checkpoint.heldUntil = try time(8)
            checkpoint.heldBecause = row.text(9)
            checkpoint.isIdentified = row.number(10) != 0
            checkpoint.counts = WriteCounts(
                added: try count(11), changed: try count(12), unchanged: try count(13), repeated: try count(14))
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
    /// `nil` if it selects none. Only a transaction that could write sees the last one of any process for sure.
    private func read<Result>(
        _ sql: String, _ text: String? = nil, _ body: (any StoreRow) throws -> Result
    ) throws -> Result? {
        try store.transaction { connection in
            guard let directory = try connection.directory(slug) else { return nil }
            return try connection.first(sql, directory.id, text, read: body)
        }
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}

extension StoredLedger {
    static func save(
        _ checkpoint: Checkpoint, _ counts: WriteCounts, _ directory: Int64, in connection: any StoreConnection
    ) throws {
        // Visited pages of another source are of no use for this one.
        let source = try connection.first("SELECT source FROM checkpoint WHERE directory = ?", directory) { $0.text(0) }
        if let source, source != checkpoint.source { try forget(directory, in: connection) }
        try insert(checkpoint, counts, directory, in: connection)
        if let page = checkpoint.page, try mayRemember(page, counts, in: connection) {
            try save(page, pass: checkpoint.pass, directory, in: connection)
        }
        // Pages that the source does not link to any more.
        guard checkpoint.isComplete else { return }
        try connection.run("DELETE FROM visitedPage WHERE directory = ? AND pass <> ?", directory, checkpoint.pass)
    }

    private static func insert(
        _ checkpoint: Checkpoint, _ counts: WriteCounts, _ directory: Int64, in connection: any StoreConnection
    ) throws {
        let sums = Self.counts.map {
            "\($0) = excluded.\($0) + CASE WHEN checkpoint.pass = excluded.pass THEN checkpoint.\($0) ELSE 0 END"
        }
        let values = columns.map { "\($0) = excluded.\($0)" }
        try connection.run(
            """
            INSERT INTO checkpoint (directory, \((columns + Self.counts).joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory) DO UPDATE SET \((values + sums).joined(separator: ", "))
            """, directory, checkpoint.source, checkpoint.pass, checkpoint.startedAt,
            checkpoint.frontier.joined(separator: "\n"), Int64(checkpoint.users), Int64(checkpoint.rejected),
            Int64(checkpoint.requests), checkpoint.bytes, checkpoint.heldUntil, checkpoint.heldBecause,
            checkpoint.isIdentified, Int64(counts.added), Int64(counts.changed),
            Int64(counts.unchanged + checkpoint.untouched), Int64(counts.repeated))
    }

    private static func save(
        _ page: VisitedPage, pass: Int64, _ directory: Int64, in connection: any StoreConnection
    ) throws {
        try connection.run(
            """
            INSERT INTO visitedPage (directory, address, pass, validator, next, users) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory, address) DO UPDATE SET pass = excluded.pass, validator = excluded.validator,
                next = excluded.next, users = excluded.users
            """, directory, page.address, pass, page.validator, page.next.joined(separator: "\n"), Int64(page.users))
    }

    /// Whether a page may be noted as visited while there are forgotten users. Not if it had one of them, who would be
    /// missing from the counts if the page were not sent again, and not if its links name users one by one.
    private static func mayRemember(
        _ page: VisitedPage, _ counts: WriteCounts, in connection: any StoreConnection
    ) throws -> Bool {
        if counts.skipped > 0 { return false }
        if page.next.count < 2 { return true }
        return try connection.number("SELECT EXISTS (SELECT 1 FROM forgotten)") == 0
    }

    /// Removes a person's `login` from the records: all pages are read again, and no address in the frontier ends with
    /// the login.
    static func forget(login: String, _ directory: Int64, in connection: any StoreConnection) throws {
        try connection.execute("DELETE FROM visitedPage WHERE directory = \(directory)")
        let frontier = try connection.first("SELECT frontier FROM checkpoint WHERE directory = ?", directory) {
            lines($0.text(0))
        }
        let kept = (frontier ?? []).filter { address in
            let name = address.split(separator: "/").last.flatMap { String($0).removingPercentEncoding }
            return name?.lowercased() != login.lowercased()
        }
        try connection.run(
            "UPDATE checkpoint SET frontier = ? WHERE directory = ?", kept.joined(separator: "\n"), directory)
    }

    /// Removes all records of a directory: once it has another source, they do not describe its users.
    static func forget(_ directory: Int64, in connection: any StoreConnection) throws {
        for table in ["checkpoint", "visitedPage"] {
            try connection.execute("DELETE FROM \(table) WHERE directory = \(directory)")
        }
    }
}
