import Base
import Foundation
import People
import Publishing
import StoreEngine
import Synchronization

/// An advisory lock, which processes on all machines see. The server releases it when the connection ends, however the
/// process ends. The table `lockHolder` has the name of the holder.
final class PostgresLock: StoreLock {
    /// A session of the server, which has no other with both numbers. The start is in microseconds since 1970.
    private typealias Session = (process: Int64, start: Int64)

    /// The sessions of the locks that this process has released, by lock. After a network has failed, the server may
    /// not have heard of that.
    private static let released = Mutex<[Int64: [Session]]>([:])

    private let connection: PostgresStoreConnection
    private let key: Int64
    private let session: Session

    private init(_ key: Int64, on connection: PostgresStoreConnection) throws {
        (self.key, self.connection) = (key, connection)
        let own = try connection.first(
            """
            SELECT CAST(pid AS int8), CAST(extract(epoch FROM backend_start) * 1000000 AS int8) FROM pg_stat_activity
            WHERE pid = pg_backend_pid()
            """
        ) { ($0.number(0), $0.number(1)) }
        session = own ?? (0, 0)
    }

    deinit {
        connection.close()
        // An import that is repeated for months takes a lock each time.
        Self.released.withLock { $0[key] = (($0[key] ?? []) + [session]).suffix(4) }
    }

    static func key(_ name: String, in schema: String) -> Int64 {
        let text = "rollcall \(schema) \(name)"
        return text.withBytes { Int64(bitPattern: SipHash.hash($0, key: (0, 0))) }
    }

    static func attempt(
        _ lock: String, called name: String, of address: DatabaseAddress, on connection: PostgresStoreConnection
    ) throws -> LockAttempt {
        let key = key(lock, in: address.schema)
        guard try isGranted(key, on: connection) else {
            let holder = try connection.first("SELECT name FROM lockHolder WHERE lock = ?", lock) { $0.text(0) }
            return .held(by: holder ?? "another process")
        }
        try connection.run(
            "INSERT INTO lockHolder (lock, name) VALUES (?, ?) ON CONFLICT (lock) DO UPDATE SET name = excluded.name",
            lock, String(name.prefix(200)))
        _ = try connection.changes
        return .taken(try PostgresLock(key, on: connection))
    }

    private static func isGranted(_ key: Int64, on connection: PostgresStoreConnection) throws -> Bool {
        let attempt = { try connection.number("SELECT pg_try_advisory_lock(\(key))") == 1 }
        if try attempt() { return true }
        let sessions = released.withLock { $0[key] ?? [] }
        guard try sessions.reduce(0, { try $0 + end($1, holding: key, on: connection) }) > 0 else { return false }
        // Twenty times 50 ms: the server needs a moment to end a session.
        for _ in 0..<20 {
            Thread.sleep(forTimeInterval: 0.05)
            if try attempt() { return true }
        }
        return false
    }

    /// Ends a session if it still has the lock. Returns the number of ended sessions: 0 or 1.
    private static func end(
        _ session: Session, holding key: Int64, on connection: PostgresStoreConnection
    ) throws -> Int64 {
        try connection.number(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity JOIN pg_locks USING (pid)
            WHERE pid = \(session.process) AND CAST(extract(epoch FROM backend_start) * 1000000 AS int8) = \(session.start)
                AND locktype = 'advisory' AND granted AND (CAST(classid AS int8) << 32 | CAST(objid AS int8)) = \(key)
            """)
    }
}

extension PostgresStore {
    public func attemptImportLock(of slug: Slug, name: String) throws -> LockAttempt {
        try attempt("import \(slug)", name)
    }

    public func attemptPictureLock(name: String) throws -> LockAttempt { try attempt("pictures", name) }

    private func attempt(_ lock: String, _ name: String) throws -> LockAttempt {
        let connection = PostgresStoreConnection(address, .writer)
        return try waiting.first { try PostgresLock.attempt(lock, called: name, of: address, on: connection) }
    }
}
