import Base
import Foundation

/// A repository on this machine, as git reads it: a folder, or a bare clone of another one in the cache.
struct GitRepository {
    let path: String
    /// The path or the address, for messages.
    let name: String
    /// The commit up to which history is read.
    private(set) var revision = "HEAD"
    /// Where the clone is from, with the credentials for its host; `nil` for a folder.
    let address: GitAddress?
    let sink: ImportSink

    /// A repository in a folder.
    /// - Parameter isFetched: whether it fetches first.
    init(path: String, isFetched: Bool, _ sink: ImportSink) throws {
        (self.path, name, address, self.sink) = (path, path, nil, sink)
        guard isFetched else { return }
        if try run(["rev-parse", "--is-bare-repository"]) == "true" {
            try fetchBranches()
        } else {
            _ = try run(["fetch", "--quiet"])
            // Fetching moves no branch of the folder, so the history is that of the branch it follows.
            if let upstream = try? run(["rev-parse", "--verify", "--quiet", "HEAD@{upstream}"]) {
                revision = upstream
            }
        }
    }

    /// A clone of the repository at `address` in the folder `cache`: a new one, or the one of an earlier import, which
    /// fetches. It has the history without the files.
    init(_ address: GitAddress, cache: String, _ sink: ImportSink) throws {
        let folder = "\(cache)/\(Self.folderName(of: address))"
        (path, name, self.address, self.sink) = (folder, address.url, address, sink)
        if FileManager.default.fileExists(atPath: folder) {
            try fetchBranches()
        } else {
            try clone(into: cache)
        }
    }

    /// Returns what git prints.
    private func run(_ arguments: [String], in folder: String? = nil) throws -> String {
        try GitProcess(arguments, in: folder, of: self).text()
    }

    private func clone(into cache: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: cache, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw RollcallError("cannot make the folder \(cache): \(error.localizedDescription)") }
        sink.note("cloning \(name) into \(cache)")
        // A clone that is killed leaves no folder that the next import would take for a whole one.
        let partial = "\(path).partial-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.removeItem(atPath: partial)
        defer { try? FileManager.default.removeItem(atPath: partial) }
        _ = try run(["clone", "--bare", "--quiet", "--filter=blob:none", "--", name, partial], in: cache)
        // Another import may have made the same clone meanwhile.
        try expect(
            rename(partial, path) == 0 || FileManager.default.fileExists(atPath: path),
            "cannot make the folder \(path): \(SystemFile.reason)")
    }

    /// Fetches all branches of a bare repository, and makes HEAD the same branch as at its origin.
    private func fetchBranches() throws {
        _ = try run(["fetch", "--quiet", "--prune", "--no-tags", "origin", "+refs/heads/*:refs/heads/*"])
        let head = try run(["ls-remote", "--symref", "origin", "HEAD"])
        if let branch = head.prefixMatch(of: /ref: (refs\/heads\/\S+)\s/)?.output.1 {
            _ = try run(["symbolic-ref", "HEAD", String(branch)])
        }
    }

    /// A readable name, such as `x-0123456789abcdef.git`, that no two addresses share.
    private static func folderName(of address: GitAddress) -> String {
        let hash = address.url.withBytes { SipHash.hash($0, key: (0, 0)) }
        let readable = address.name.utf8.filter { byte in
            byte.isLetter || byte.isDigit || byte == 45 || byte == 95
        }
        return "\(String(decoding: readable.prefix(60), as: UTF8.self))-\(hash.hexadecimal).git"
    }
}
