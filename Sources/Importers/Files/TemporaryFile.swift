import Base
import Foundation
import Glibc

/// A file without a name in the folder for temporary files. It disappears with the object.
final class TemporaryFile: Sendable {
    let descriptor: Int32

    init() throws(RollcallError) {
        var path = Array((FileManager.default.temporaryDirectory.path + "/rollcall-XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Self.failure() }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Appends `bytes`.
    func write(_ bytes: Bytes) throws(RollcallError) {
        guard SystemFile.write(bytes, to: descriptor) else { throw Self.failure() }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(RollcallError) {
        try write(bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    private static func failure() -> RollcallError {
        let folder = FileManager.default.temporaryDirectory.path
        return RollcallError("cannot write a temporary file (\(folder): \(SystemFile.reason))")
    }
}
