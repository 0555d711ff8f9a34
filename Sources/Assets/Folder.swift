import Foundation

/// A publisher's folder.
struct Folder {
    /// The path as given, for messages.
    let path: String
    /// The path without symbolic links.
    private let root: String

    init(_ path: String) throws {
        self.path = path
        guard let root = realPath(path), let status = FileStatus(root) else {
            throw AssetsError(description: "cannot read folder \(path): \(systemReason())")
        }
        guard status.isFolder else { throw AssetsError(description: "cannot read folder \(path): it is a file") }
        self.root = root
    }

    /// Returns the paths of all files in the folder and its subfolders. It skips names that begin with a dot, and files
    /// outside of the folder that symbolic links point to.
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

    /// Lists a subfolder. `enclosing` are the real paths of the folders above: following a link back to one of them
    /// would never end.
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

/// The `stat` data of a file.
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

/// Returns `path` without symbolic links, or `nil` if nothing is there.
private func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// Returns the reason why the last system call failed.
private func systemReason() -> String { String(cString: strerror(errno)) }
