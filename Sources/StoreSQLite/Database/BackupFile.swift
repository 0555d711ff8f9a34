import Foundation
import GRDBSQLite

/// A copy of a database that is not whole yet, beside the name that it is to have: only within one file system a name is given
/// at once.
struct BackupFile {
    private let original: String
    private let copy: String
    private let path: String
    private let descriptor: Int32

    /// 4 MiB: some milliseconds.
    private static let pagesAStep: Int32 = 1024

    /// Makes an empty file that only its owner may read.
    init(of original: String, called copy: String) throws {
        self.original = original
        self.copy = copy
        path = "\(copy).\(UUID().uuidString).partial"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(copy, errno) }
    }

    /// Takes all pages over, from a connection with a transaction.
    ///
    /// What is damaged is copied as willingly as what is not, and would take the place of a good copy in its time: every page
    /// is read once more, which takes half a second of CPU for a million people.
    func fill(from database: Connection, _ isCancelled: () -> Bool) throws {
        let target = try Connection(filling: path)
        guard let backup = sqlite3_backup_init(target.handle, "main", database.handle, "main") else {
            throw failure(of: target)
        }
        var code = SQLITE_OK
        while code == SQLITE_OK, !isCancelled() { code = sqlite3_backup_step(backup, Self.pagesAStep) }
        // Also notes in `target` what was wrong.
        sqlite3_backup_finish(backup)
        if code == SQLITE_OK { throw CancellationError() }
        guard code == SQLITE_DONE else { throw failure(of: target) }
        if let damage = Self.damage(in: target) {
            throw StoreError(.sqlite(SQLITE_CORRUPT), "\(copy) was not made: \(original) is damaged: \(damage)")
        }
        guard becomesItsOwn(target) else { throw failure(of: target) }
    }

    /// What SQLite finds wrong with the structure of the database; `nil` for nothing.
    private static func damage(in database: Connection) -> String? {
        do {
            let found = try database.statement("PRAGMA quick_check(1)")
            defer { found.reset() }
            let text = try found.step() ? found.text(0) : "nothing is there"
            return text == "ok" ? nil : text.split(separator: "\n").joined(separator: " ")
        } catch { return "\(error)" }
    }

    /// Whether generations of the two have nothing to do with each other from now on.
    private func becomesItsOwn(_ target: Connection) -> Bool {
        let sql = "UPDATE database SET instance = lower(hex(randomblob(8)))"
        guard sqlite3_exec(target.handle, sql, nil, nil, nil) == SQLITE_OK else { return false }
        // What was copied is a database with a log, and that is where the change is.
        return sqlite3_wal_checkpoint_v2(target.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }

    /// Gives the file a second name, which fails where there is one already, as renaming would not.
    func publish() throws {
        guard fsync(descriptor) == 0 else { throw Self.failure(copy, errno) }
        guard link(path, copy) == 0 else {
            throw errno == EEXIST ? Self.alreadyThere(copy) : Self.failure(copy, errno)
        }
    }

    /// Takes the first name away, and with it the file, if that has no other.
    func remove() {
        close(descriptor)
        for end in ["", "-journal", "-wal", "-shm"] { unlink(path + end) }
    }

    static func alreadyThere(_ copy: String) -> StoreError {
        StoreError(.exists, "\(copy) is there already; a backup takes no other file's place")
    }

    private static func failure(_ copy: String, _ code: Int32) -> StoreError {
        StoreError(.notPermitted, "\(copy) was not made: \(String(cString: strerror(code)))")
    }

    private func failure(of target: Connection) -> StoreError {
        let code = sqlite3_errcode(target.handle)
        // What the system says, such as "File too large", is clearer than SQLite's "disk I/O error".
        let number = sqlite3_system_errno(target.handle)
        let words = number == 0 ? String(cString: sqlite3_errmsg(target.handle)) : String(cString: strerror(number))
        let why = code == SQLITE_FULL ? "the disk is full" : words
        return StoreError(.sqlite(code), "\(copy) was not made: \(why)")
    }
}
