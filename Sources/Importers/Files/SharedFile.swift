import Foundation
import Glibc

/// A file that can be read several times, from its beginning, whatever happens to its name meanwhile. One
/// ``ByteSource`` reads it at a time.
final class SharedFile: Sendable {
    private let descriptor: Int32
    private let name: String

    /// Reads the file `descriptor`, and closes it at the end.
    init(owning descriptor: Int32, name: String) { (self.descriptor, self.name) = (descriptor, name) }

    /// Keeps the file at `path`, which `source` has opened; a copy of it if it is a stream that can be read only once.
    convenience init(_ source: ByteSource, at path: String, whileWaiting: () throws -> Void) throws {
        if source.size == nil {
            try self.init(spooling: source, whileWaiting: whileWaiting)
        } else {
            let file = Glibc.open(path == "-" ? "/dev/stdin" : path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw ImportError("cannot open \(path): \(String(cString: strerror(errno)))") }
            self.init(owning: file, name: source.name)
        }
    }

    /// Copies what `source` reads to a temporary file without a name. Calls `whileWaiting` a few times a second.
    /// Throws an error if there are more than `limit` bytes.
    convenience init(spooling source: ByteSource, limit: Int64 = .max, whileWaiting: () throws -> Void) throws {
        try self.init(called: source.name) { write in
            while let bytes = try source.next(whileWaiting: whileWaiting) {
                if source.bytesRead > limit {
                    throw ImportError("cannot import \(source.name): it is larger than \(limit >> 20) MiB")
                }
                try write(bytes)
            }
        }
    }

    /// Keeps what `body` writes in a temporary file without a name. Messages call it `name`.
    convenience init(
        called name: String, writing body: (_ write: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        var path = Array((FileManager.default.temporaryDirectory.path + "/rollcall-input-XXXXXX").utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { throw ImportError("cannot make a temporary file: \(String(cString: strerror(errno)))") }
        self.init(owning: file, name: name)
        unlink(path)
        try body { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = write(file, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    let reason = String(cString: strerror(errno))
                    throw ImportError("cannot keep \(name) in a temporary file: \(reason)")
                }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    deinit { close(descriptor) }

    /// Returns a source of the whole file.
    func open() throws -> ByteSource {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        // Both descriptors have one position.
        guard copy >= 0, lseek(copy, 0, SEEK_SET) == 0 else {
            throw ImportError("cannot read \(name) again: \(String(cString: strerror(errno)))")
        }
        return ByteSource(owning: copy, name: name)
    }
}
