import ArgumentParser
import Base
import Foundation
import Glibc

/// The file that an export is written to. A regular file is written under a temporary name and renamed when it is
/// complete; standard output, pipes and devices are written to directly.
struct ExportFile {
    let path: String
    /// The name of the file until it is complete; `nil` for standard output, pipes and devices.
    private let temporaryPath: String?
    private let descriptor: Int32

    /// Opens the file at `path`; `-` is standard output.
    ///
    /// - Parameter mode: The permissions of a new file.
    private init(path: String, mode: mode_t) throws {
        if path == "-" {
            (self.path, temporaryPath, descriptor) = ("standard output", nil, STDOUT_FILENO)
            return
        }
        let type = path.fileType
        try expect(type != S_IFDIR, "\(path) was not written: it is a folder")
        if let type, type != S_IFREG {
            (self.path, temporaryPath, descriptor) = (path, nil, SystemFile.open(path, O_WRONLY))
        } else {
            // If `path` is a symbolic link, its target is replaced, not the link.
            let target = type != nil ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
            let temporaryPath = "\(target).\(UUID().uuidString).partial"
            (self.path, self.temporaryPath) = (target, temporaryPath)
            descriptor = SystemFile.open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        }
        try expect(descriptor >= 0, "\(path) was not written: \(SystemFile.reason)")
    }

    /// Whether the file disappears unless it is published.
    var isTemporary: Bool { temporaryPath != nil }

    /// Opens the file at `path`, which is complete when `body` returns. An incomplete one is removed.
    static func write(to path: String, mode: mode_t = 0o666, _ body: (ExportFile) throws -> Void) throws {
        let file = try ExportFile(path: path, mode: mode)
        defer { file.close() }
        try body(file)
        try file.publish()
    }

    /// Writes `bytes` to the file at `path`, or to standard output for `-`. A file that has them already stays
    /// untouched, so that nothing that depends on it is made again.
    static func replace(_ path: String, by bytes: [UInt8]) throws {
        if path != "-", let present = FileManager.default.contents(atPath: path), present.elementsEqual(bytes) {
            return StandardStreams.note("\(path.printable) is unchanged\n")
        }
        let buffer = ByteBuffer(capacity: bytes.count)
        buffer.append(bytes)
        try write(to: path) { try $0.write(buffer) }
        if path != "-" { StandardStreams.note("\(path.printable) was written\n") }
    }

    /// Writes the bytes of `buffer` and empties it.
    func write(_ buffer: ByteBuffer) throws {
        guard buffer.withBytes({ SystemFile.write($0, to: descriptor) }) else {
            // The reader closed the pipe: exit with the status of SIGPIPE.
            throw errno == EPIPE ? ExitCode(128 + SIGPIPE) : failure()
        }
        buffer.removeAll()
    }

    /// Renames the complete file to its final name, over an existing one. The bytes are synced to disk before the
    /// rename.
    private func publish() throws {
        guard let temporaryPath else { return }
        guard fsync(descriptor) == 0, SystemFile.rename(temporaryPath, to: path) else { throw failure() }
    }

    /// Removes the file if it is not complete: a complete one does not have the temporary name any more.
    private func close() {
        guard let temporaryPath else { return }
        SystemFile.remove(temporaryPath)
        Glibc.close(descriptor)
    }

    private func failure() -> ValidationError {
        let wrong = isTemporary ? "\(path) was not written" : "cannot write to \(path)"
        return ValidationError("\(wrong): \(SystemFile.reason)")
    }
}
