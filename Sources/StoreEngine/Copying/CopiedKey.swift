import Base

extension SQLValue<[UInt8]> {
    /// Reads a text that ``description`` returned.
    init?(_ text: Substring) {
        let rest = text.dropFirst()
        switch text.first {
        case "n":
            guard let number = Int64(rest) else { return nil }
            self = .number(number)
        case "t":
            guard let bytes = Self.bytes(rest) else { return nil }
            self = .text(bytes)
        case "b":
            guard let bytes = Self.bytes(rest) else { return nil }
            self = .blob(bytes)
        default: return nil
        }
    }

    /// The kind and the value, without spaces.
    var description: String {
        switch self {
        case .number(let number): "n\(number)"
        case .text(let bytes): "t" + bytes.map(\.hexadecimal).joined()
        case .blob(let bytes): "b" + bytes.map(\.hexadecimal).joined()
        }
    }

    private static func bytes(_ digits: Substring) -> [UInt8]? {
        let digits = Array(digits.utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(hexadecimal: digits[$0...].prefix(2)) }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}

/// The key of the last row that was copied; no values before the first one.
struct CopiedKey: Equatable {
    var values: [SQLValue<[UInt8]>]

    init(_ values: [SQLValue<[UInt8]>] = []) { self.values = values }

    init?(_ text: String) {
        values = []
        for part in text.split(separator: " ") {
            guard let value = SQLValue(part) else { return nil }
            values.append(value)
        }
    }

    var description: String { values.map(\.description).joined(separator: " ") }
}

extension Table {
    /// Returns the key of a row.
    func key(of row: any StoreRow) -> CopiedKey {
        CopiedKey(
            key.enumerated().map { index, column in
                let index = Int32(index)
                switch column.kind {
                case .number: return .number(row.number(index))
                case .text: return .text(Array(row.bytes(index)))
                case .blob: return .blob(Array(row.blob(index)))
                case .blockKey:
                    guard let order = order(of: row), order.isText else { return .number(row.keyNumber(index)) }
                    let bytes = Array(row.keyBytes(index, isBlob: order.hasBlobs))
                    return order.hasBlobs ? .blob(bytes) : .text(bytes)
                }
            })
    }

    /// Calls `body` after it has bound a key to the parameters of `statement`.
    func bind<Result>(
        _ key: CopiedKey, to statement: any StoreStatement, _ body: () throws -> Result
    ) throws -> Result {
        try bind(key.values[...], at: 1, to: statement, body)
    }

    private func bind<Result>(
        _ values: ArraySlice<SQLValue<[UInt8]>>, at index: Int32, to statement: any StoreStatement,
        _ body: () throws -> Result
    ) throws -> Result {
        guard let value = values.first else { return try body() }
        let isBlockKey = columns[Int(index) - 1].kind == .blockKey
        func rest() throws -> Result { try bind(values.dropFirst(), at: index + 1, to: statement, body) }
        switch value {
        case .number(let number):
            if isBlockKey { statement.bind(key: .number(number), at: index) } else { statement.bind(number, at: index) }
            return try rest()
        case .text(let bytes):
            return try bytes.withUnsafeBytes {
                if isBlockKey { statement.bind(key: .text($0), at: index) } else { statement.bind($0, at: index) }
                return try rest()
            }
        case .blob(let bytes):
            return try bytes.withUnsafeBytes {
                if isBlockKey { statement.bind(key: .blob($0), at: index) } else { statement.bind(blob: $0, at: index) }
                return try rest()
            }
        }
    }

    /// Appends the values of `row`. They are valid until the next row is read.
    func append(_ row: any StoreRow, to writer: any RowWriter) throws {
        for (index, column) in columns.enumerated() {
            let index = Int32(index)
            if row.isNull(index) {
                writer.appendNull()
                continue
            }
            switch column.kind {
            case .number: writer.append(row.number(index))
            case .text: writer.append(text: row.bytes(index))
            case .blob: writer.append(blob: row.blob(index))
            case .blockKey: writer.append(key: blockKey(of: row, index))
            }
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
            switch column.kind {
            case .number: append(row.number(index), to: buffer)
            case .text: append(row.bytes(index), to: buffer)
            case .blob: append(row.blob(index), to: buffer)
            case .blockKey:
                switch blockKey(of: row, index) {
                case .number(let number): append(number, to: buffer)
                case .text(let bytes), .blob(let bytes): append(bytes, to: buffer)
                }
            }
        }
    }

    private func blockKey(of row: any StoreRow, _ index: Int32) -> BlockKey {
        guard let order = order(of: row), order.isText else { return .number(row.keyNumber(index)) }
        let bytes = row.keyBytes(index, isBlob: order.hasBlobs)
        return order.hasBlobs ? .blob(bytes) : .text(bytes)
    }

    private func append(_ number: Int64, to buffer: ByteBuffer) {
        buffer.append(UInt8(1))
        withUnsafeBytes(of: number.littleEndian) { buffer.append($0) }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        buffer.append(UInt8(2))
        buffer.append(counted: bytes)
    }
}
