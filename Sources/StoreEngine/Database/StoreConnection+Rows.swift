/// A value that a parameter of a statement can have.
package protocol Bindable {
    func bind(to statement: any StoreStatement, at index: Int32)
}

extension Int64: Bindable {
    package func bind(to statement: any StoreStatement, at index: Int32) { statement.bind(self, at: index) }
}

/// Databases have numbers for truth values.
extension Bool: Bindable {
    package func bind(to statement: any StoreStatement, at index: Int32) { statement.bind(self ? 1 : 0, at: index) }
}

extension String: Bindable {
    package func bind(to statement: any StoreStatement, at index: Int32) { statement.bind(self, at: index) }
}

/// The bytes must stay valid until the call ends.
extension SQLValue<UnsafeRawBufferPointer>: Bindable {
    package func bind(to statement: any StoreStatement, at index: Int32) {
        switch self {
        case .number(let number): statement.bind(number, at: index)
        case .text(let bytes): statement.bind(bytes, at: index)
        case .blob(let bytes): statement.bind(blob: bytes, at: index)
        }
    }
}

/// `nil` is `NULL`.
extension Optional: Bindable where Wrapped: Bindable {
    package func bind(to statement: any StoreStatement, at index: Int32) {
        if let self { self.bind(to: statement, at: index) } else { statement.bindNull(at: index) }
    }
}

// One call for each statement: `connection.all("SELECT id FROM user1 WHERE id > ?", last) { $0.number(0) }`.

extension StoreConnection {
    /// Runs a statement that selects no rows, with `values` for its parameters.
    package func run(_ sql: String, _ values: any Bindable...) throws {
        try bound(sql, values).run()
    }

    /// Calls `body` with each row that `sql` selects.
    package func forEach(_ sql: String, _ values: any Bindable..., body: (any StoreRow) throws -> Void) throws {
        try forEach(bound(sql, values), body)
    }

    /// Returns what `read` makes of each row that `sql` selects.
    package func all<Value>(
        _ sql: String, _ values: any Bindable..., read: (any StoreRow) throws -> Value
    ) throws -> [Value] {
        var all: [Value] = []
        try forEach(bound(sql, values)) { all.append(try read($0)) }
        return all
    }

    /// Returns what `read` makes of the first row that `sql` selects, or `nil` if it selects none.
    package func first<Value>(
        _ sql: String, _ values: any Bindable..., read: (any StoreRow) throws -> Value
    ) throws -> Value? {
        try first(bound(sql, values), read)
    }

    /// Returns the number that `sql` selects, or 0 if it selects no row.
    package func number(_ sql: String, _ values: any Bindable...) throws -> Int64 {
        try first(bound(sql, values)) { $0.number(0) } ?? 0
    }

    private func bound(_ sql: String, _ values: [any Bindable]) throws -> any StoreStatement {
        let statement = try statement(sql)
        for (index, value) in values.enumerated() { value.bind(to: statement, at: Int32(index + 1)) }
        return statement
    }

    private func forEach(_ statement: any StoreStatement, _ body: (any StoreRow) throws -> Void) throws {
        defer { statement.reset() }
        while try statement.step() { try body(statement) }
    }

    private func first<Value>(
        _ statement: any StoreStatement, _ read: (any StoreRow) throws -> Value
    ) throws -> Value? {
        defer { statement.reset() }
        return try statement.step() ? try read(statement) : nil
    }

    package func hasTable(_ name: String) throws -> Bool {
        try number("SELECT CASE WHEN \(exists(table: name)) THEN 1 ELSE 0 END") != 0
    }

    package func directoryIDs() throws -> [Int64] { try all("SELECT id FROM directory") { $0.number(0) } }

    /// Returns a secret of this database, under which hashes are made.
    func secret(_ column: String) throws -> (UInt64, UInt64) {
        let secret = try first("SELECT \(column) FROM database") { Array($0.blob(0)) }
        guard let secret, secret.count == 16 else { throw StoreError.damage("it has no \(column)") }
        return secret.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}
