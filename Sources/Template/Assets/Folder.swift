import Base
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
        guard let root = SystemFile.realPath(of: path), let type = root.fileType else {
            throw RollcallError("cannot read folder \(path): \(SystemFile.reason)")
        }
        try expect(type == S_IFDIR, "cannot read folder \(path): it is a file")
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
        var descriptor = SystemFile.open(root, O_RDONLY | O_DIRECTORY)
        defer { if descriptor >= 0 { close(descriptor) } }
        let parts = file.target.split(separator: "/")
        for (index, part) in parts.enumerated() where descriptor >= 0 {
            // Without O_NONBLOCK, a named pipe in the place of the file would block here.
            let mode = index == parts.count - 1 ? O_NONBLOCK : O_DIRECTORY
            let next = SystemFile.open(String(part), in: descriptor, O_RDONLY | O_NOFOLLOW | mode)
            let reason = errno
            close(descriptor)
            errno = reason
            descriptor = next
        }
        guard descriptor >= 0 else {
            let reason = [ELOOP, ENOTDIR].contains(errno) ? "it was replaced while it was read" : SystemFile.reason
            throw RollcallError("cannot read file \(path)/\(file.name): \(reason)")
        }
        guard let status = SystemFile.status(of: descriptor), status.st_mode & S_IFMT == S_IFREG,
            let bytes = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
        else {
            throw RollcallError("cannot read file \(path)/\(file.name): it was replaced while it was read")
        }
        return Assets.File(bytes: [UInt8](bytes), modified: status.st_mtim.tv_sec)
    }

    /// Lists a subfolder. `enclosing` are the real paths of the folders above: following a link back to one of them
    /// would never end.
    private func files(in subfolder: String, enclosing: [String]) throws -> [Entry] {
        var found: [Entry] = []
        let parent = root == "/" ? root : root + "/"
        let folder = "\(root)/\(subfolder)"
        let names = try required(
            SystemFile.names(inFolder: folder), "cannot read folder \(folder): \(SystemFile.reason)")
        for name in names where !name.hasPrefix(".") {
            let file = subfolder + name
            guard let real = SystemFile.realPath(of: "\(root)/\(file)"), real.hasPrefix(parent) else { continue }
            switch real.fileType {
            case S_IFREG: found.append(Entry(name: file, target: String(real.dropFirst(parent.count))))
            case S_IFDIR where !enclosing.contains(real):
                found += try files(in: file + "/", enclosing: enclosing + [real])
            default: break
            }
        }
        return found
    }
}
