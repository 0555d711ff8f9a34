import Bytes
import Directories
import Foundation

/// The authors of a git repository: one user per e-mail address, with the number of commits as reputation. Honours
/// mailmap.
///
/// Counts the commits that HEAD reaches. No e-mail address leaves this type: ids are hashes of addresses, salted with
/// the repository's oldest commit, and names that are addresses are cut off at the `@`.
public struct GitSource: ImportSource {
    private let path: String

    public init(path: String) { self.path = path }

    public func read(into sink: ImportSink) throws {
        let salt = try salt(sink)
        if try GitProcess(path, ["rev-parse", "--is-shallow-repository"]).text(sink) == "true" {
            sink.note(
                "\(path) is a shallow clone: only part of the history is counted, and the ids differ from those of a complete clone"
            )
        }
        // Mailmap applies to %aN and %aE. Names contain neither NUL nor line feed.
        let log = try GitProcess(path, ["log", "--use-mailmap", "--format=tformat:%aN%x00%aE%x00%at", "HEAD", "--"])
        var authors = GitAuthors()
        try log.forEachLine(sink) { authors.add(line: $0) }
        for user in authors.users(salt: salt) { try sink.add(user) }
    }

    /// Returns the hash of the oldest commit without parents, which all clones share.
    private func salt(_ sink: ImportSink) throws -> String {
        var roots: [(time: Int, hash: String)] = []
        let log = try GitProcess(path, ["log", "--max-parents=0", "--format=tformat:%ct %H", "HEAD", "--"])
        try log.forEachLine(sink) { line in
            let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
            if parts.count == 2, let time = Int(parts[0]) { roots.append((time, String(parts[1]))) }
        }
        guard let oldest = roots.min(by: { ($0.time, $0.hash) < ($1.time, $1.hash) }) else {
            throw ImportError("cannot import \(path): the repository has no commits")
        }
        return oldest.hash
    }
}
