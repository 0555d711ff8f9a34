import Base

/// The key of the last row that was copied; no values before the first one.
typealias CopiedKey = [SQLValue<[UInt8]>]

extension SQLValue {
    fileprivate func map<Other>(_ transform: (Bytes) -> Other) -> SQLValue<Other> {
        switch self {
        case .number(let number): .number(number)
        case .text(let bytes): .text(transform(bytes))
        case .blob(let bytes): .blob(transform(bytes))
        }
    }
}

extension Table {
    /// Calls `body` with the next rows after a key. Returns their number, and the last key if more may follow.
    func forEachRow(
        after position: CopiedKey, of connection: any StoreConnection, _ body: (any StoreRow) throws -> Void
    ) throws -> (count: Int, end: CopiedKey?) {
        let rows = try connection.statement(selection(after: position))
        // The parameters are in this buffer.
        let buffer = ByteBuffer()
        let values = position.map { value in value.map { $0.withUnsafeBytes(buffer.keep) } }
        for (index, value) in values.enumerated() {
            value.map { buffer.bytes[$0] }.bind(to: rows, at: Int32(index + 1))
        }
        var (count, end) = (0, CopiedKey?.none)
        try withExtendedLifetime(buffer) {
            defer { rows.reset() }
            while try rows.step() {
                try body(rows)
                count += 1
                if count == rowsAtOnce { end = key(of: rows) }
            }
        }
        return (count, end)
    }

    private func key(of row: any StoreRow) -> CopiedKey {
        key.enumerated().map { value(of: $1, in: row, at: Int32($0)).map(Array.init) }
    }

    /// Appends the values of `row`. They are valid until the next row is read.
    func append(_ row: any StoreRow, to writer: any RowWriter) throws {
        writer.beginRow()
        for (index, column) in columns.enumerated() {
            let index = Int32(index)
            if row.isNull(index) { writer.appendNull() } else { writer.append(value(of: column, in: row, at: index)) }
        }
        try writer.endRow()
    }

    /// Appends the values of `row`, in the same form for all stores.
    func append(_ row: any StoreRow, to buffer: ByteBuffer) {
        for (index, column) in columns.enumerated() {
            let index = Int32(index)
            if row.isNull(index) {
                buffer.append(UInt8(0))
                continue
            }
            switch value(of: column, in: row, at: index) {
            case .number(let number):
                buffer.append(UInt8(1))
                withUnsafeBytes(of: number.littleEndian) { buffer.append($0) }
            case .text(let bytes), .blob(let bytes):
                buffer.append(UInt8(2))
                buffer.append(counted: bytes)
            }
        }
    }

    /// Returns a value of `row` that is not null. It is valid until the next row is read.
    private func value(
        of column: Column, in row: any StoreRow, at index: Int32
    ) -> SQLValue<UnsafeRawBufferPointer> {
        switch column.kind {
        case .number: .number(row.number(index))
        case .text: .text(row.bytes(index))
        case .blob: .blob(row.blob(index))
        }
    }
}
