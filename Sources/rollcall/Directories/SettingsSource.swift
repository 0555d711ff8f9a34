import ArgumentParser
import Base
import Foundation
import Glibc
import People
import Publishing

/// A file with settings, and the logo that it names.
struct SettingsSource {
    let file: SettingsFile
    /// The folder of the file, where its logo is.
    private let folder: String

    /// Reads the file at `path`; `-` is standard input. Stops reading a file that is too long.
    init(path: String) throws {
        folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let name = path == "-" ? "standard input" : path
        let bytes = try readBytes(of: name, limit: SettingsLimits.fileBytes) {
            path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        }
        try expect(
            bytes.count <= SettingsLimits.fileBytes, "\(name): expected settings of at most 1 MiB, found more")
        file = try checked("\(name): ") { try SettingsFile(json: [UInt8](bytes)) }
    }

    /// Returns the logo that the settings name, from the folder of the file or a folder in it; `nil` if they name none.
    func logo() throws -> Logo? { try file.logo.map { try Logo.read(at: $0, in: folder) } }

    /// Whether there is a file, a link or anything else with the name of the logo.
    var hasLogoFile: Bool { file.logo.map { Logo.hasFile($0, in: folder) } ?? false }
}

// Only regular files are read: a FIFO would make a command wait.
extension Logo {
    /// Reads the logo at `path`, wherever the person who typed it has it.
    static func read(at path: String) throws -> Logo {
        try read(at: path, SystemFile.open(path, O_RDONLY | O_NONBLOCK))
    }

    /// Reads the logo at `path` in `folder`. Throws if the path leads out of the folder: settings may come from
    /// somebody who must not publish other files of this machine.
    static func read(at path: String, in folder: String) throws -> Logo {
        try read(at: path, opened(path, in: folder))
    }

    static func hasFile(_ path: String, in folder: String) -> Bool {
        // A path that leads out of the folder counts: reading it says what is wrong.
        guard let file = try? opened(path, in: folder) else { return true }
        if file < 0 { return errno != ENOENT }
        close(file)
        return true
    }

    /// Opens `path` name by name, and follows no link. Returns -1, and sets `errno`, if that fails.
    private static func opened(_ path: String, in folder: String) throws -> Int32 {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        try expect(
            !names.contains { ["", ".."].contains($0) } && !path.utf8.contains(0),
            "logo: expected a path that stays in the folder of the settings, found \"\(path)\"; "
                + "describe --logo takes any path")
        var parent = SystemFile.open(folder, O_RDONLY | O_DIRECTORY)
        for (index, name) in names.enumerated() where parent >= 0 {
            let kind = index == names.count - 1 ? O_NONBLOCK : O_DIRECTORY
            let child = SystemFile.open(name, in: parent, O_RDONLY | O_NOFOLLOW | kind)
            let reason = errno
            close(parent)
            // With O_DIRECTORY, a link to a folder is ENOTDIR.
            if child < 0, [ELOOP, ENOTDIR].contains(reason) {
                throw ValidationError("logo: expected a file that is not behind a link, found \"\(path)\"")
            }
            errno = reason
            parent = child
        }
        return parent
    }

    /// Reads the open file `file`; -1 if it could not be opened.
    private static func read(at path: String, _ file: Int32) throws -> Logo {
        try expect(file >= 0, "cannot read \(path): \(SystemFile.reason)")
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        try expect(
            SystemFile.status(of: file).map { $0.st_mode & S_IFMT } == S_IFREG,
            "logo: expected a regular file, found \"\(path)\", which is another kind")
        let bytes = try readBytes(of: path, limit: SettingsLimits.logoBytes) { handle }
        let name = URL(fileURLWithPath: path).lastPathComponent
        return try checked("logo: ") { try Logo(name: name, bytes: [UInt8](bytes)) }
    }
}

/// Returns the bytes of the file that `open` opens, but at most `limit` + 1.
private func readBytes(of name: String, limit: Int, _ open: () throws -> FileHandle) throws -> Data {
    do {
        let file = try open()
        var bytes = Data()
        while bytes.count <= limit, let more = try file.read(upToCount: limit + 1 - bytes.count), !more.isEmpty {
            bytes += more
        }
        return bytes
    } catch { throw ValidationError("cannot read \(name): \(error.localizedDescription)") }
}
