import Foundation
import Glibc

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

    /// A file in the folder or a subfolder.
    struct Entry {
        /// The path in the folder, by which the file is known: `images/logo.png`.
        let name: String
        /// The path in the folder without symbolic links.
        fileprivate let target: String
    }

    /// Returns all files in the folder and its subfolders. It skips names that begin with a dot, and files outside of
    /// the folder that symbolic links point to.
    func files() throws -> [Entry] {
        try files(in: "", enclosing: [root])
    }

    /// Reads a file. Follows no symbolic link: if one has taken the place of the file, or of a folder above it, since
    /// the folder was listed, it may lead out of the folder.
    func read(_ file: Entry) throws -> Assets.File {
        var descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        let parts = file.target.split(separator: "/")
        for (index, part) in parts.enumerated() where descriptor >= 0 {
            // Without O_NONBLOCK, a named pipe in the place of the file would block here.
            let mode = index == parts.count - 1 ? O_NONBLOCK : O_DIRECTORY
            let next = openat(descriptor, String(part), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | mode)
            let reason = errno
            close(descriptor)
            errno = reason
            descriptor = next
        }
        guard descriptor >= 0 else {
            let reason = errno == ELOOP || errno == ENOTDIR ? "it was replaced while it was read" : systemReason()
            throw AssetsError(description: "cannot read file \(path)/\(file.name): \(reason)")
        }
        guard let status = FileStatus(descriptor), status.isFile,
            let bytes = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
        else {
            throw AssetsError(description: "cannot read file \(path)/\(file.name): it was replaced while it was read")
        }
        return Assets.File(bytes: [UInt8](bytes), modified: status.modified)
    }

    /// Lists a subfolder. `enclosing` are the real paths of the folders above: following a link back to one of them
    /// would never end.
    private func files(in subfolder: String, enclosing: [String]) throws -> [Entry] {
        var found: [Entry] = []
        let parent = root == "/" ? root : root + "/"
        for name in try names(in: "\(root)/\(subfolder)") where !name.hasPrefix(".") {
            let file = subfolder + name
            guard let real = realPath("\(root)/\(file)"), real.hasPrefix(parent), let status = FileStatus(real)
            else { continue }
            if status.isFile { found.append(Entry(name: file, target: String(real.dropFirst(parent.count)))) }
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
        self.init(status)
    }

    /// The data of the open file `descriptor`.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        isFile = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        modified = status.st_mtim.tv_sec
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
