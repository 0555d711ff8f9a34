import Base
import Foundation
import Glibc

/// Files without a name in the folder for temporary files. They disappear when they are closed.
enum TemporaryFile {
    /// Returns the error of a file that cannot be made or written, as `errno` says: words that follow `in`.
    static func failure() -> RollcallError {
        RollcallError("a temporary file (\(FileManager.default.temporaryDirectory.path): \(SystemFile.reason))")
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
        guard SystemFile.write(bytes, to: file) else { throw failure() }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(RollcallError) {
        try write(bytes.assumingMemoryBound(to: UInt8.self).span, to: file)
    }
}
