import Foundation
import Publishing
import StoreEngine

/// A lock that keeps other processes from importing into the same directory, or from creating the same database.
///
/// A locked file beside the database, `people.sqlite-import-team` or `people.sqlite-schema`. The system releases the
/// lock when the process ends, however it ends, so no stale lock is left behind. The file contains the name of its
/// holder. Imports into other directories have locks of their own.
final class FileLock: StoreLock {
    private let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Removes the file before the lock is released. Processes that wait for it notice with ``isAt(_:_:)``.
    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Tries to lock the file whose name is that of the database and `suffix`. `name` is the name that other processes
    /// see.
    static func attempt(_ suffix: String, of database: String, name: String) throws(StoreError) -> LockAttempt {
        // Another path to the same database must lead to the same lock.
        let path = URL(fileURLWithPath: database).resolvingSymlinksInPath().path + "-\(suffix)"
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                let isForbidden = [EACCES, EPERM, EROFS].contains(errno)
                throw isForbidden ? StoreError(notWritable: database) : failure(path)
            }
            share(descriptor, with: database)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                defer { close(descriptor) }
                guard errno == EWOULDBLOCK else { throw failure(path) }
                return .held(by: holder(descriptor))
            }
            if isAt(path, descriptor) {
                ftruncate(descriptor, 0)
                _ = name.withCString { pwrite(descriptor, $0, strlen($0), 0) }
                return .taken(FileLock(path: path, descriptor: descriptor))
            }
            close(descriptor)
        }
    }

    /// Calls `body` while no other process creates the tables of the database. Waits as long as `busyTimeout` allows.
    static func whileCreating<Result>(
        _ database: String, _ busyTimeout: BusyTimeout, _ body: () throws -> Result
    ) throws -> Result {
        let lock = try busyTimeout.first { () -> (any StoreLock)? in
            if case .taken(let lock) = try attempt("schema", of: database, name: "schema") { lock } else { nil }
        }
        guard let lock else {
            throw StoreError(.busy, "\(database): another process has been creating it for too long")
        }
        return try withExtendedLifetime(lock, body)
    }

    /// Gives a lock file the owner and the mode of the database, as SQLite does with the log: a process that may write
    /// the database may wait for the lock. Changes that are not permitted are left out.
    static func share(_ descriptor: Int32, with database: String) {
        var info = stat()
        guard stat(database, &info) == 0 else { return }
        if geteuid() == 0 { fchown(descriptor, info.st_uid, info.st_gid) }
        fchmod(descriptor, info.st_mode & 0o666)
    }

    /// Whether the open file is still the one at `path`. The previous holder has removed it otherwise.
    private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var opened = stat()
        return fstat(descriptor, &opened) == 0 && FileIdentity(path)?.isSameFile(as: FileIdentity(opened)) == true
    }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        // The file was locked a moment ago, and its name is not written yet.
        if count <= 0 { return "another process" }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func failure(_ path: String) -> StoreError {
        StoreError(.notPermitted, "cannot lock \(path): \(String(cString: strerror(errno)))")
    }
}

/// How long a writer waits for another process that writes. Transactions of imports take a fraction of a second. A
/// process that keeps the database locked for longer is an open shell, or stuck.
public struct BusyTimeout: Sendable {
    /// In seconds; less than the pause of a writer between its transactions (``SQLiteSession``).
    private static let pause = 0.003
    /// In seconds.
    private let limit: Double
    /// Called once for each wait that lasts longer than a second.
    private let notice: @Sendable () -> Void
    private var isOver: @Sendable () -> Bool = { false }

    /// - Parameter limit: In seconds.
    public init(limit: Int = 60, notice: @escaping @Sendable () -> Void = {}) {
        self.limit = Double(limit)
        self.notice = notice
    }

    /// The same timeout, which ends early when `isOver` returns `true`.
    public func ending(when isOver: @escaping @Sendable () -> Bool) -> BusyTimeout {
        var busyTimeout = self
        busyTimeout.isOver = isOver
        return busyTimeout
    }

    /// Repeats `attempt` until it returns a result. Returns `nil` if the time is over before.
    func first<Result>(_ attempt: () throws -> Result?) rethrows -> Result? {
        var tries = 0
        while true {
            if let result = try attempt() { return result }
            tries += 1
            guard waits(afterTries: tries) else { return nil }
        }
    }

    /// Pauses, and returns whether to try again after `count` tries.
    func waits(afterTries count: Int) -> Bool {
        let waited = Double(count) * Self.pause
        if waited >= limit || isOver() { return false }
        if count == Int(1 / Self.pause) { notice() }
        Thread.sleep(forTimeInterval: Self.pause)
        return true
    }
}
