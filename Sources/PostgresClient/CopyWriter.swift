import Bytes
import CPostgreSQL

/// Writes rows in the binary format of `COPY`
/// (https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4).
package final class CopyWriter {
    private let connection: PostgresConnection
    private let sql: String
    private let buffer = ByteBuffer(capacity: 1 << 16)
    private let chunk = 1 << 16
    /// The number of rows so far.
    package private(set) var count = 0

    init(_ connection: PostgresConnection, _ sql: String) {
        (self.connection, self.sql) = (connection, sql)
        buffer.append("PGCOPY\n")
        for byte: UInt8 in [0xFF, 0x0D, 0x0A, 0x00] { buffer.append(byte) }
        // Flags, and the length of the header's extension.
        buffer.append(word: 0)
        buffer.append(word: 0)
    }

    /// Begins a row of `columns` values, which are appended next.
    package func beginRow(columns: Int16) throws(PostgresError) {
        if buffer.count >= chunk { try flush() }
        withUnsafeBytes(of: columns.bigEndian) { buffer.append($0) }
        count += 1
    }

    package func append(_ number: Int64) {
        buffer.append(word: 8)
        buffer.append(bigEndian: number)
    }

    /// Appends a text in UTF-8 or a blob, or `NULL` if `bytes` is empty and `emptyIsNull`.
    package func append(_ bytes: UnsafeRawBufferPointer, emptyIsNull: Bool = false) {
        if bytes.isEmpty, emptyIsNull { return appendNull() }
        buffer.append(word: Int32(bytes.count))
        buffer.append(bytes)
    }

    package func appendNull() { buffer.append(word: -1) }

    func finish() throws(PostgresError) {
        withUnsafeBytes(of: Int16(-1).bigEndian) { buffer.append($0) }
        try flush()
    }

    private func flush() throws(PostgresError) {
        let bytes = buffer.bytes
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        try connection.send(sql) { PQputCopyData(connection.handle, start, Int32(bytes.count)) }
        buffer.removeAll()
    }
}

extension PostgresConnection {
    /// Runs `COPY target FROM STDIN` with the rows that `body` writes. `target` is a table with its columns in
    /// parentheses.
    package func copy(into target: String, _ body: (CopyWriter) throws -> Void) throws {
        let sql = "COPY \(target) FROM STDIN (FORMAT binary)"
        try leavePipelineMode()
        try send(sql) { PQsendQuery(handle, sql) }
        guard let first = try nextResult() else { throw lost(sql) }
        defer { PQclear(first) }
        guard PQresultStatus(first) == PGRES_COPY_IN else {
            let failure = error(of: first, sql) ?? lost(sql)
            while let more = try nextResult() { PQclear(more) }
            throw failure
        }
        do {
            let writer = CopyWriter(self, sql)
            try body(writer)
            try writer.finish()
        } catch {
            // The server discards the rows.
            PQputCopyEnd(handle, "the client failed")
            while let more = PQgetResult(handle) { PQclear(more) }
            throw error
        }
        try send(sql) { PQputCopyEnd(handle, nil) }
        var failure: PostgresError?
        while let result = try nextResult() {
            failure = failure ?? error(of: result, sql)
            PQclear(result)
        }
        if let failure { throw failure }
    }
}
