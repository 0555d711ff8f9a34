import ArgumentParser
import Foundation

/// A temporary folder; the caller removes it.
struct TemporaryFolder {
    let path: String
    /// The open mark of the folder, which this process locks. The system releases the lock when the process ends,
    /// however it ends.
    private let descriptor: Int32

    /// The file that tells these folders from others with such a name.
    private static let mark = "made-by-rollcall"

    /// Makes a folder whose name begins with `name`, and removes those that killed processes left.
    init(named name: String) throws {
        Self.removeLeft(named: name)
        var template = Array((NSTemporaryDirectory() + "/\(name)-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw Self.failure() }
        path = String(cString: made)
        // Nobody sees the mark before it is locked.
        let unlocked = "\(path)/new"
        descriptor = open(unlocked, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0, rename(unlocked, "\(path)/\(Self.mark)") == 0 else {
            throw Self.failure()
        }
    }

    private static func failure() -> ValidationError {
        ValidationError(
            """
            cannot make a temporary folder in \(NSTemporaryDirectory()): \(String(cString: strerror(errno))); TMPDIR \
            names another place
            """)
    }

    /// Removes the folders of this user that have a mark which no process locks.
    private static func removeLeft(named name: String) {
        let parent = NSTemporaryDirectory()
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for entry in entries where entry.hasPrefix("\(name)-") {
            let path = "\(parent)/\(entry)"
            var folder = stat()
            guard lstat(path, &folder) == 0, folder.st_mode & S_IFMT == S_IFDIR, folder.st_uid == getuid() else {
                continue
            }
            let descriptor = open("\(path)/\(mark)", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            var file = stat()
            let isMark = fstat(descriptor, &file) == 0 && file.st_mode & S_IFMT == S_IFREG && file.st_size == 0
            if isMark, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { removeFolder(path) }
            close(descriptor)
        }
    }

    /// Removes the mark last: if this process is killed meanwhile, the next one finds the rest.
    private static func removeFolder(_ path: String) {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where entry != mark {
            try? FileManager.default.removeItem(atPath: "\(path)/\(entry)")
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    func remove() {
        Self.removeFolder(path)
        close(descriptor)
    }
}
