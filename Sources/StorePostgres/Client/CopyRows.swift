import Base
import CPostgreSQL
import StoreEngine

/// Rows in the binary format of `COPY` (https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4), which are
/// collected and then sent together.
package final class CopyRows {
    fileprivate let buffer = ByteBuffer(capacity: 1 << 14)
    package private(set) var count = 0

    package init() { removeAll() }

    package func removeAll() {
        buffer.removeAll()
        buffer.append("PGCOPY\n")
        for byte: UInt8 in [0xFF, 0x0D, 0x0A, 0x00] { buffer.append(byte) }
        // Flags, and the length of the header's extension.
        buffer.append(word: 0)
        buffer.append(word: 0)
        count = 0
    }

    package var byteCount: Int { buffer.count }

    /// Begins a row of `columns` values, which are appended next.
    package func beginRow(columns: Int16) {
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

    fileprivate func appendEnd() { withUnsafeBytes(of: Int16(-1).bigEndian) { buffer.append($0) } }
}

extension PostgresConnection {
    private static let copyChunk = 1 << 20

    /// Writes `rows` with `COPY`, and empties them. `target` is a table with its columns in parentheses.
    package func copy(_ rows: CopyRows, into target: String) throws(StoreError) {
        let sql = "COPY \(target) FROM STDIN (FORMAT binary)"
        defer { rows.removeAll() }
        try leavePipelineMode()
        try send(sql) { PQsendQuery(handle, sql) }
        let first = try nextResult()
        defer { PQclear(first) }
        guard PQresultStatus(first) == PGRES_COPY_IN else {
            let failure = first.flatMap { error(of: $0, sql) }
            try finish(sql)
            throw failure ?? lost(sql)
        }
        rows.appendEnd()
        var rest = rows.buffer.bytes[...]
        while !rest.isEmpty {
            let chunk = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.copyChunk))
            let start = chunk.baseAddress?.assumingMemoryBound(to: CChar.self)
            try send(sql) { PQputCopyData(handle, start, Int32(chunk.count)) }
            rest = rest.dropFirst(chunk.count)
        }
        try send(sql) { PQputCopyEnd(handle, nil) }
        try finish(sql)
    }
}
