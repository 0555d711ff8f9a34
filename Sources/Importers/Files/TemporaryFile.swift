import Base
import Foundation
import Glibc

/// Files without a name in the folder for temporary files. They disappear when they are closed.
enum TemporaryFile {
    /// Returns the error of a file that cannot be made or written, as `errno` says: words that follow `in`.
    static func failure() -> RollcallError {
        let reason = String(cString: strerror(errno))
        return RollcallError("a temporary file (\(FileManager.default.temporaryDirectory.path): \(reason))")
    }

    /// Returns the descriptor of a new file, which the caller closes.
    static func open() throws(RollcallError) -> Int32 {
        var path = Array((FileManager.default.temporaryDirectory.path + "/rollcall-XXXXXX").utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { throw failure() }
        unlink(path)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    /// Appends `bytes`.
    static func write(_ bytes: Bytes, to file: Int32) throws(RollcallError) {
        try bytes.withUnsafeBytes { bytes throws(RollcallError) in try write(bytes, to: file) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(RollcallError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }
}
