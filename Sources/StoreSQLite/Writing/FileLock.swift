import Directories
import Foundation

/// Keeps other processes from what this one does with a database: from importing into the same directory, from bringing the schema
/// to this version.
///
/// A locked file beside the database, `people.sqlite-import-team` or `people.sqlite-schema`: the system lets go of the lock when the process ends,
/// however it ends, so none can be left behind. It says who has it. Imports into other directories have locks of their own.
public final class FileLock {
    public enum Attempt {
        case taken(FileLock)
        /// Another process has it, which is called this.
        case held(by: String)
    }

    private let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// The file goes while the lock still holds: whoever waits for it finds out by ``isAt(_:_:)``.
    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Tries to lock `slug` of the database at `database`; `name` is what others are told about this process.
    public static func attempt(_ slug: Slug, of database: String, name: String) throws(StoreError) -> Attempt {
        try attempt("import-\(slug)", of: database, name: name)
    }

    /// Tries to lock the database's file that ends with `suffix`.
    static func attempt(_ suffix: String, of database: String, name: String) throws(StoreError) -> Attempt {
        // Another name of the same file must lead to the same lock.
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

    /// Gives a lock file the owner and the mode of the database, as SQLite does with the log: who may write the one may wait
    /// for the other. What this process may not change stays as it is.
    private static func share(_ descriptor: Int32, with database: String) {
        var info = stat()
        guard stat(database, &info) == 0 else { return }
        if geteuid() == 0 { fchown(descriptor, info.st_uid, info.st_gid) }
        fchmod(descriptor, info.st_mode & 0o666)
    }

    /// Whether the open file is still the one at `path`: who had the lock before has removed it.
    private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var (opened, found) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(path, &found) == 0 else { return false }
        return opened.st_ino == found.st_ino && opened.st_dev == found.st_dev
    }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        // It has just been locked, and nothing is written yet.
        if count <= 0 { return "another process" }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func failure(_ path: String) -> StoreError {
        StoreError(.notPermitted, "cannot lock \(path): \(String(cString: strerror(errno)))")
    }
}
