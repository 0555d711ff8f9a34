/// The current row of a statement. Bytes are valid until the next row is read, or the statement is reset.
package protocol StoreRow: AnyObject {
    func isNull(_ column: Int32) -> Bool
    /// Returns a number, 0 for `NULL`.
    func number(_ column: Int32) -> Int64
    /// Returns a text in UTF-8, empty for `NULL`.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer
    /// Returns a blob, or the bytes of a text. Empty for `NULL`.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer
}

/// A prepared statement. Reset it as soon as its rows are read: an open statement may keep its transaction open.
package protocol StoreStatement: StoreRow {
    /// Moves to the next row. Returns `false` after the last one.
    func step() throws -> Bool
    func reset()
    /// Runs a statement that returns no rows. The store may send it later, but before any statement that returns rows
    /// and before the transaction ends; an error is thrown then at the latest.
    func run() throws

    func bind(_ number: Int64, at index: Int32)
    /// Binds a text. As those of a blob, its bytes must stay valid until the statement is reset.
    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32)
    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32)
    /// Binds a copy of `text`.
    func bind(_ text: String, at index: Int32)
    func bindNull(at index: Int32)
}

extension StoreStatement {
    /// Binds a text, or `NULL` in place of an empty one.
    func bindUnlessEmpty(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        if bytes.isEmpty { bindNull(at: index) } else { bind(bytes, at: index) }
    }

    func bindUnlessEmpty(blob bytes: UnsafeRawBufferPointer, at index: Int32) {
        if bytes.isEmpty { bindNull(at: index) } else { bind(blob: bytes, at: index) }
    }
}

extension StoreRow {
    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
