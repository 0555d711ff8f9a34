import StoreEngine

/// A statement of the engine on PostgreSQL.
final class PostgresStoreStatement: StoreStatement {
    let statement: PostgresStatement
    private unowned let connection: PostgresStoreConnection
    /// Whether the statement may read or write rows that are collected before they are written.
    private let touchesCollected: Bool

    init(_ sql: String, _ statement: PostgresStatement, on connection: PostgresStoreConnection) {
        self.statement = statement
        self.connection = connection
        touchesCollected = PostgresStoreConnection.touchesCollected(sql)
    }

    func step() throws -> Bool {
        if touchesCollected { try connection.writeCollected() }
        return try describingErrors { try statement.step() }
    }

    func run() throws {
        if touchesCollected { try connection.writeCollected() }
        try describingErrors { try statement.run() }
    }

    func reset() { statement.reset() }

    // MARK: - Parameters

    func bind(_ number: Int64, at index: Int32) { statement.bind(number, at: index) }

    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32, emptyIsNull: Bool) {
        if bytes.isEmpty, emptyIsNull { statement.bindNull(at: index) } else { statement.bind(text: bytes, at: index) }
    }

    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32, emptyIsNull: Bool) {
        if bytes.isEmpty, emptyIsNull { statement.bindNull(at: index) } else { statement.bind(blob: bytes, at: index) }
    }

    func bind(_ text: String, at index: Int32) { statement.bind(text, at: index) }

    func bindNull(at index: Int32) { statement.bindNull(at: index) }

    func bind(key: BlockKey, at index: Int32) {
        switch key {
        case .number(let number): withUnsafeBytes(of: number.orderedBytes) { statement.bind(copyOf: $0, at: index) }
        case .text(let bytes), .blob(let bytes): statement.bind(blob: bytes, at: index)
        }
    }

    // MARK: - Rows

    func isNull(_ column: Int32) -> Bool { statement.isNull(column) }
    func number(_ column: Int32) -> Int64 { statement.number(column) }
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer { statement.blob(column) }
    func blob(_ column: Int32) -> UnsafeRawBufferPointer { statement.blob(column) }
    func keyNumber(_ column: Int32) -> Int64 { Int64(orderedBytes: statement.blob(column)) }
    func keyBytes(_ column: Int32, isBlob: Bool) -> UnsafeRawBufferPointer { statement.blob(column) }
}

extension PostgresStatement {
    /// Runs the statement. Returns the number of each row by the id in `idColumn`, for ``PostgresStatement/move(to:)``.
    func rowNumbers(idColumn: Int32 = 0) throws -> [Int64: Int] {
        let count = try describingErrors { try fetch() }
        var numbers = [Int64: Int](minimumCapacity: count)
        for row in 0..<count {
            move(to: row)
            numbers[number(idColumn)] = row
        }
        return numbers
    }
}

extension Int64 {
    /// Eight bytes that `memcmp` orders as numbers.
    var orderedBytes: UInt64 { (UInt64(bitPattern: self) ^ 1 << 63).bigEndian }

    fileprivate init(orderedBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 8 else {
            self = 0
            return
        }
        self.init(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) ^ 1 << 63)
    }
}
