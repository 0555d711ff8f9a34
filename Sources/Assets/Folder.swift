import Foundation

/// A folder of a publisher's.
struct Folder {
    /// As it was given, for messages.
    let path: String
    /// Without symbolic links.
    private let root: String

    init(_ path: String) throws {
        self.path = path
        guard let root = realPath(path), let status = FileStatus(root) else {
            throw AssetsError(description: "cannot read folder \(path): \(systemReason())")
        }
        guard status.isFolder else { throw AssetsError(description: "cannot read folder \(path): it is a file") }
        self.root = root
    }

    /// The paths of all files in the folder and its subfolders. Left out are names that begin with a dot, and what
    /// symbolic links find outside.
    func files() throws -> [String] {
        try files(in: "", enclosing: [root])
    }

    func read(_ file: String) throws -> Assets.File {
        let full = "\(root)/\(file)"
        guard let status = FileStatus(full), let bytes = FileManager.default.contents(atPath: full) else {
            throw AssetsError(description: "cannot read file \(path)/\(file): \(systemReason())")
        }
        return Assets.File(bytes: [UInt8](bytes), modified: status.modified)
    }

    /// `enclosing` are the real folders on the way here: a link back to one of them would have no end.
    private func files(in subfolder: String, enclosing: [String]) throws -> [String] {
        var found: [String] = []
        for name in try names(in: "\(root)/\(subfolder)") where !name.hasPrefix(".") {
            let file = subfolder + name
            guard let real = realPath("\(root)/\(file)"), real.hasPrefix(root == "/" ? root : root + "/"),
                let status = FileStatus(real)
            else { continue }
            if status.isFile { found.append(file) }
            if status.isFolder, !enclosing.contains(real) {
                found += try files(in: file + "/", enclosing: enclosing + [real])
            }
        }
        return found
    }

    private func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else {
            throw AssetsError(description: "cannot read folder \(folder): \(systemReason())")
        }
        closedir(stream)
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}

/// What `stat` says about a file.
struct FileStatus {
    let isFile: Bool
    let isFolder: Bool
    /// Seconds since 1970.
    let modified: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        isFile = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        #if canImport(Darwin)
            modified = status.st_mtimespec.tv_sec
        #else
            modified = status.st_mtim.tv_sec
        #endif
    }
}

/// `path` without symbolic links; `nil` if there is nothing.
private func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// Why the last call to the system failed.
private func systemReason() -> String { String(cString: strerror(errno)) }
