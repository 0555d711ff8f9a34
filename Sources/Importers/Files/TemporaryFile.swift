import Foundation
import Glibc

/// Files without a name in the folder for temporary files. They disappear when they are closed.
enum TemporaryFile {
    /// The reason that such a file cannot be made or written.
    struct Failure: Error, CustomStringConvertible {
        let number: Int32

        var description: String {
            let folder = FileManager.default.temporaryDirectory.path
            return "a temporary file (\(folder): \(String(cString: strerror(number))))"
        }
    }

    /// Returns the descriptor of a new file, which the caller closes.
    static func open() throws(Failure) -> Int32 {
        var path = Array((FileManager.default.temporaryDirectory.path + "/rollcall-XXXXXX").utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { throw Failure(number: errno) }
        unlink(path)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    /// Appends `bytes`.
    static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(number: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }
}
