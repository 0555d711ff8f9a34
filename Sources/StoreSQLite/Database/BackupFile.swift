import CSQLite
import Foundation
import People
import StoreEngine

/// A copy of a database while it is incomplete. It is in the folder of its final name, because only within a file
/// system a file can be given a name atomically.
final class BackupFile {
    private let original: String
    private let copy: String
    private let path: String
    private let descriptor: Int32

    /// 4 MiB, which takes some milliseconds.
    private static let pagesAStep: Int32 = 1024

    /// Creates an empty file that only its owner can read.
    init(of original: String, called copy: String) throws {
        self.original = original
        self.copy = copy
        path = "\(copy).\(UUID().uuidString).partial"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(copy, errno) }
    }

    /// Removes the first name, and with it the file unless it has the final name as well.
    deinit {
        close(descriptor)
        for end in ["", "-journal", "-wal", "-shm"] { unlink(path + end) }
    }

    /// Copies all pages from a connection with an open transaction.
    ///
    /// SQLite copies damaged pages like any others, and a damaged backup could replace a good one. So every page of the
    /// copy is checked, which takes half a second of CPU for a million users.
    ///
    /// - Parameter finish: changes the complete copy. May throw any error.
    func fill(from database: SQLiteConnection, _ isCancelled: () -> Bool, finish: (SQLiteConnection) throws -> Void)
        throws
    {
        let target = try SQLiteConnection(filling: path)
        try change(target) {
            guard let backup = sqlite3_backup_init(target.handle, "main", database.handle, "main") else {
                throw target.error()
            }
            var code = SQLITE_OK
            while code == SQLITE_OK, !isCancelled() { code = sqlite3_backup_step(backup, Self.pagesAStep) }
            // This also records in `target` what went wrong.
            sqlite3_backup_finish(backup)
            if code == SQLITE_OK { throw CancellationError() }
            guard code == SQLITE_DONE else { throw target.error() }
        }
        if let damage = Self.damage(in: target) {
            throw StoreError(.damaged, "\(copy) was not made: \(original) is damaged: \(damage)")
        }
        try change(target) {
            try finish(target)
            // The copy has a write-ahead log like the original. The changes are there until the checkpoint.
            let code = sqlite3_wal_checkpoint_v2(target.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            try target.check(code, "emptying the log")
        }
    }

    func fill(withOwnPhotosOf pictures: SQLiteConnection, _ keys: [PictureKey], _ isCancelled: () -> Bool) throws {
        let target = try SQLiteConnection(filling: path)
        try change(target) {
            try target.execute("PRAGMA page_size = 16384")
            try PictureFile.create(on: target)
            for key in keys {
                if isCancelled() { throw CancellationError() }
                try PictureTables(target).copy(key, from: pictures)
            }
        }
    }

    /// Returns the first fault that SQLite finds in the structure of the database, or `nil`.
    private static func damage(in database: SQLiteConnection) -> String? {
        do {
            let text = try database.first("PRAGMA quick_check(1)") { $0.text(0) } ?? "nothing is there"
            return text == "ok" ? nil : text.split(separator: "\n").joined(separator: " ")
        } catch { return "\(error)" }
    }

    /// Gives the file its final name with a second link. That fails if the name exists; renaming would replace the
    /// other file.
    func publish() throws {
        guard fsync(descriptor) == 0, link(path, copy) == 0 else {
            throw errno == EEXIST ? Self.alreadyThere(copy) : Self.failure(copy, errno)
        }
    }

    static func alreadyThere(_ copy: String) -> StoreError {
        StoreError(.exists, "\(copy) exists already; a backup never replaces a file")
    }

    private static func failure(_ copy: String, _ code: Int32) -> StoreError {
        StoreError(.notPermitted, "\(copy) was not made: \(String(cString: strerror(code)))")
    }

    /// Calls `body`, which changes the copy. Says in place of its ``StoreError`` that the copy was not made, and why.
    private func change(_ target: SQLiteConnection, _ body: () throws -> Void) throws {
        do { try body() } catch is StoreError {
            let code = sqlite3_errcode(target.handle)
            // The system's message, such as "File too large", is clearer than SQLite's "disk I/O error".
            let number = sqlite3_system_errno(target.handle)
            let words = number == 0 ? String(cString: sqlite3_errmsg(target.handle)) : String(cString: strerror(number))
            let why = code == SQLITE_FULL ? "the disk is full" : words
            throw StoreError(.sqlite(code), "\(copy) was not made: \(why)")
        }
    }
}
