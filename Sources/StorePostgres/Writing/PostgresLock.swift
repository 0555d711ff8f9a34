import Base
import People
import StoreEngine

/// An advisory lock, which processes on all machines see. The server releases it when the connection ends, however the
/// process ends. The table `lockHolder` has the name of the holder.
final class PostgresLock: StoreLock {
    private let connection: PostgresStoreConnection

    private init(_ connection: PostgresStoreConnection) { self.connection = connection }

    deinit { connection.close() }

    /// Returns the number of the lock called `name` in a schema.
    static func key(_ name: String, in schema: String) -> Int64 {
        var text = "rollcall \(schema) \(name)"
        return text.withUTF8 { Int64(bitPattern: SipHash.hash(UnsafeRawBufferPointer($0), key: (0, 0))) }
    }

    static func attempt(
        _ lock: String, called name: String, of address: DatabaseAddress, on connection: PostgresStoreConnection
    ) throws -> LockAttempt {
        let key = key(lock, in: address.schema)
        guard try connection.number("SELECT pg_try_advisory_lock(\(key))") == 1 else {
            let holder = try connection.statement("SELECT name FROM lockHolder WHERE lock = ?")
            holder.bind(lock, at: 1)
            defer { holder.reset() }
            return .held(by: try holder.step() ? holder.text(0) : "another process")
        }
        let save = try connection.statement(
            "INSERT INTO lockHolder (lock, name) VALUES (?, ?) ON CONFLICT (lock) DO UPDATE SET name = excluded.name")
        save.bind(lock, at: 1)
        save.bind(String(name.prefix(200)), at: 2)
        try save.run()
        _ = try connection.changes
        return .taken(PostgresLock(connection))
    }
}

extension PostgresStore: StoreLocking {
    public func attemptImportLock(of slug: Slug, name: String) throws -> LockAttempt {
        try attempt("import \(slug)", name)
    }

    public func attemptPictureLock(name: String) throws -> LockAttempt { try attempt("pictures", name) }

    private func attempt(_ lock: String, _ name: String) throws -> LockAttempt {
        let (address, connection) = (address, makePrimaryConnection())
        return try waiting.first { try PostgresLock.attempt(lock, called: name, of: address, on: connection) }
    }
}
