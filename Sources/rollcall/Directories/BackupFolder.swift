import ArgumentParser
import Base
import Foundation

/// A folder with copies of a database that are named after the time when each was made.
struct BackupFolder {
    private let path: String
    /// The name of the copy that this process makes.
    private var newest = ""

    init(path: String) throws {
        try expect(FileManager.default.fileExists(atPath: path), "--keep: there is no folder \(path)")
        try expect(Self.isThere(path), "--keep: expected a folder, found the file \(path)")
        self.path = path
    }

    /// Whether a folder has this path.
    static func isThere(_ path: String) -> Bool {
        path.fileType == S_IFDIR
    }

    mutating func newFile(at time: Date) -> String {
        let digits = time.ISO8601Format().filter { !"-:".contains($0) }
        newest = "rollcall-\(digits).sqlite"
        return path(of: newest)
    }

    /// Removes the oldest copies, so that `count` are left with the new one. It is left even if the clock was set back.
    func removeOldest(keeping count: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
            name != newest && name.wholeMatch(of: /rollcall-[0-9]{8}T[0-9]{6}Z\.sqlite/) != nil && isFile(name)
        }
        for name in names.sorted().dropLast(count - 1) {
            // The pictures first: without the database beside it, no later run would find their file.
            for ending in ["-pictures", ""] {
                let isGone = SystemFile.remove(path(of: name) + ending) || errno == ENOENT
                let reason = SystemFile.reason
                try expect(
                    isGone, "\(path(of: newest)) is complete, but \(name)\(ending) could not be removed: \(reason)")
            }
        }
    }

    private func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Whether a copy is a file and not a link, which somebody made for a purpose.
    private func isFile(_ name: String) -> Bool {
        SystemFile.status(ofLink: path(of: name)).map { $0.st_mode & S_IFMT } == S_IFREG
    }
}
