import Base
import CPostgreSQL
import StoreEngine

/// A statement that is prepared at its first execution. Parameters and results are binary.
///
/// Belongs to the queue of its connection. Bound values stay until others are bound.
package final class PostgresStatement: StoreStatement {
    package let sql: String
    /// The same with `$1` for `?1`.
    let numberedSQL: String
    private unowned let connection: PostgresConnection
    /// Called before the statement is sent.
    private let prepareToSend: () throws -> Void
    let parameters: PostgresParameters
    /// The name under which the server knows the statement.
    var name: String?
    /// The types of parameters that the statement was prepared with; 0 for those that the server inferred.
    var types: [Oid] = []

    private var result: OpaquePointer?
    private var row: Int32 = -1
    private var rowCount: Int32 = 0
    private var areTypesChecked = false

    init(_ sql: String, on connection: PostgresConnection, prepareToSend: @escaping () throws -> Void = {}) {
        self.sql = sql
        self.connection = connection
        self.prepareToSend = prepareToSend
        let (numberedSQL, count) = numberingParameters(of: sql)
        self.numberedSQL = numberedSQL
        parameters = PostgresParameters(count: count)
    }

    deinit { PQclear(result) }

    /// Whether the server knows the type of each bound value. A value of a parameter that was `NULL` before may be of
    /// another type than the server inferred.
    var hasMatchingTypes: Bool { parameters.fit(types) }
}

// MARK: - Execution

extension PostgresStatement {
    /// Moves to the next row. The first call runs the statement. Returns `false` after the last row.
    package func step() throws -> Bool {
        if result == nil {
            try prepareToSend()
            let result = try connection.rows(of: self)
            (self.result, row, rowCount) = (result, -1, PQntuples(result))
            if !areTypesChecked, rowCount > 0 {
                try checkTypes(result)
                areTypesChecked = true
            }
        }
        guard row + 1 < rowCount else { return false }
        row += 1
        return true
    }

    /// Runs the statement with an array of `ids` as its only parameter. Returns the number of each row by the id in
    /// `idColumn`, for ``move(to:)``.
    func rowNumbers(of ids: [Int64], idColumn: Int32 = 0) throws -> [Int64: Int] {
        reset()
        let array = PostgresArray.ofNumbers()
        for id in ids { array.append(id) }
        bind(array, at: 1)
        _ = try withExtendedLifetime(array) { try step() }
        var numbers = [Int64: Int](minimumCapacity: Int(rowCount))
        for row in 0..<Int(rowCount) {
            move(to: row)
            numbers[number(idColumn)] = row
        }
        return numbers
    }

    package func move(to row: Int) { self.row = Int32(row) }

    package func reset() {
        guard let result else { return }
        PQclear(result)
        self.result = nil
    }

    /// The answer is read later: see ``PostgresConnection``.
    package func run() throws {
        try prepareToSend()
        reset()
        try connection.run(self)
    }

    private func checkTypes(_ result: OpaquePointer) throws(StoreError) {
        for column in 0..<PQnfields(result) where !PostgresType.readable.contains(PQftype(result, column)) {
            let name = PQfname(result, column).map { String(cString: $0) } ?? ""
            let problem = "column \(name) has the type \(PQftype(result, column)), which Rollcall does not read"
            throw StoreError(.database(0), "\(problem)\(StoreError.place(sql))")
        }
    }
}

// MARK: - Rows

extension PostgresStatement {
    package func isNull(_ column: Int32) -> Bool { PQgetisnull(result, row, column) != 0 }

    /// Returns a number or a truth value, 0 for `NULL`.
    package func number(_ column: Int32) -> Int64 {
        let bytes = blob(column)
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 1: return Int64(bytes[0])
        default: return 0
        }
    }

    package func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer { blob(column) }
}

// MARK: - Parameters

extension PostgresStatement {
    package func bind(_ number: Int64, at index: Int32) { parameters.set(number, at: index) }

    package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        parameters.set(bytes, PostgresType.text, at: index)
    }

    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) {
        parameters.set(bytes, PostgresType.bytea, at: index)
    }

    package func bind(_ text: String, at index: Int32) {
        text.withBytes { parameters.setCopy(of: $0, PostgresType.text, at: index) }
    }

    /// Binds an array, for `= ANY(?)` or `unnest(?)`. It must not change until the statement has run.
    package func bind(_ array: PostgresArray, at index: Int32) { parameters.set(array.bytes, array.type, at: index) }

    package func bindNull(at index: Int32) { parameters.setNull(at: index) }
}
