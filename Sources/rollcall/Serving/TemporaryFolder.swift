import ArgumentParser
import Base
import Foundation

/// A temporary folder, which only this user may read; the caller removes it.
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
        path = try required(SystemFile.makeFolder(prefix: "\(NSTemporaryDirectory())/\(name)-"), Self.failure)
        // Nobody sees the mark before it is locked.
        let unlocked = "\(path)/new"
        descriptor = SystemFile.open(unlocked, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        let isLocked = descriptor >= 0 && flock(descriptor, LOCK_EX) == 0
        try expect(isLocked && SystemFile.rename(unlocked, to: "\(path)/\(Self.mark)"), Self.failure)
    }

    private static var failure: String {
        "cannot make a temporary folder in \(NSTemporaryDirectory()): \(SystemFile.reason); TMPDIR names another place"
    }

    /// Removes the folders of this user that have a mark which no process locks.
    private static func removeLeft(named name: String) {
        let parent = NSTemporaryDirectory()
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for entry in entries where entry.hasPrefix("\(name)-") {
            let path = "\(parent)/\(entry)"
            guard let folder = SystemFile.status(ofLink: path), folder.st_mode & S_IFMT == S_IFDIR,
                folder.st_uid == getuid()
            else { continue }
            let descriptor = SystemFile.open("\(path)/\(mark)", O_RDWR | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            let file = SystemFile.status(of: descriptor)
            let isMark = file.map { $0.st_mode & S_IFMT == S_IFREG && $0.st_size == 0 } == true
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
