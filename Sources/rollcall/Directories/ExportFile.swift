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
    /// - Parameter isPrivate: Whether nobody else may read a new file.
    init(path: String, isPrivate: Bool = false) throws {
        if path == "-" {
            (self.path, temporaryPath, descriptor) = ("standard output", nil, STDOUT_FILENO)
            return
        }
        var info = stat()
        let exists = stat(path, &info) == 0
        if exists, info.st_mode & S_IFMT == S_IFDIR { throw Self.failure(path, "it is a folder") }
        if exists, info.st_mode & S_IFMT != S_IFREG {
            (self.path, temporaryPath) = (path, nil)
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            // If `path` is a symbolic link, its target is replaced, not the link.
            let target = exists ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
            let temporaryPath = "\(target).\(UUID().uuidString).partial"
            (self.path, self.temporaryPath) = (target, temporaryPath)
            descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
        }
        guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
    }

    /// Whether the file disappears unless it is published.
    var isTemporary: Bool { temporaryPath != nil }

    /// Writes the bytes of `buffer` and empties it.
    func write(_ buffer: ByteBuffer) throws {
        var rest = buffer.bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            // The reader closed the pipe: exit with the status of SIGPIPE.
            if count < 0, errno == EPIPE { throw ExitCode(128 + SIGPIPE) }
            guard count >= 0 else { throw failure() }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        buffer.removeAll()
    }

    /// Renames the complete file to its final name, over an existing one. The bytes are synced to disk before the
    /// rename.
    func publish() throws {
        guard let temporaryPath else { return }
        guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw failure() }
        close(descriptor)
    }

    /// Removes the incomplete file.
    func discard() {
        guard let temporaryPath else { return }
        unlink(temporaryPath)
        close(descriptor)
    }

    private func failure() -> ValidationError {
        let reason = String(cString: strerror(errno))
        if isTemporary { return Self.failure(path, reason) }
        return ValidationError("cannot write to \(path): \(reason)")
    }

    private static func failure(_ path: String, _ reason: String) -> ValidationError {
        ValidationError("\(path) was not written: \(reason)")
    }
}
