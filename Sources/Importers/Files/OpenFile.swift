import Base
import Foundation
import Glibc

/// An open file or folder. It is closed with the object.
final class OpenFile: Sendable {
    let descriptor: Int32

    /// Returns `nil` for the result of a call that could not open a file, as `errno` says.
    init?(_ descriptor: Int32) {
        if descriptor < 0 { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

extension OpenFile {
    /// Makes a file without a name in the folder for temporary files.
    static func temporary() throws(RollcallError) -> OpenFile {
        let path = "\(FileManager.default.temporaryDirectory.path)/rollcall-\(UUID().uuidString)"
        let file = OpenFile(SystemFile.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600))
        guard let file else { throw failure() }
        SystemFile.remove(path)
        return file
    }

    /// Appends `bytes` to a temporary file.
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
