import Base
import Glibc
import Synchronization

/// An open file or stream with a beginning, from which ``open(now:report:)`` reads it as often as necessary. One
/// ``ByteSource`` reads it at a time.
///
/// A file is set back to where it began, whatever happens to its name meanwhile. A stream, such as a pipe, gives its
/// bytes only once: one that is kept writes what was read into a temporary file without a name, which is read first
/// the next time.
final class InputFile: Sendable {
    let name: String
    /// In bytes; `nil` for streams.
    let size: Int64?
    let descriptor: Int32
    /// Closes ``descriptor`` with this object.
    private let file: OpenFile?
    /// The position at which a file began: a shell may have read some of its standard input.
    private let start: Int64
    private let stream: Mutex<KeptStream>

    /// Opens the file at `path`; `-` is standard input. A stream is kept if `keepsStreams`.
    convenience init(path: String, keepsStreams: Bool = false) throws(RollcallError) {
        // A named pipe is opened without waiting for somebody who writes: that wait is `ByteSource`'s.
        let isInput = path == "-"
        let name = isInput ? "standard input" : path
        let descriptor = isInput ? fcntl(0, F_DUPFD_CLOEXEC, 3) : SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        let file = try required(OpenFile(descriptor), "cannot open \(name): \(SystemFile.reason)")
        self.init(descriptor, name: name, keepsStreams: keepsStreams, file)
        let type = SystemFile.status(of: descriptor).map { $0.st_mode & S_IFMT }
        try expect(type != S_IFDIR, "cannot read \(path): it is a folder")
    }

    /// Reads the file or the stream `descriptor`, which the caller closes.
    convenience init(lending descriptor: Int32, name: String) {
        self.init(descriptor, name: name, keepsStreams: false)
    }

    /// Reads the whole of a temporary file. Messages call it `name`.
    convenience init(_ file: OpenFile, name: String) {
        lseek(file.descriptor, 0, SEEK_SET)
        self.init(file.descriptor, name: name, keepsStreams: false, file)
    }

    private init(_ descriptor: Int32, name: String, keepsStreams: Bool, _ file: OpenFile? = nil) {
        (self.descriptor, self.name, self.file) = (descriptor, name, file)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int64(status.st_size) : nil
        start = isFile ? Int64(lseek(descriptor, 0, SEEK_CUR)) : 0
        stream = Mutex(KeptStream(isKept: keepsStreams))
    }

    /// Returns a source of the whole file; see ``ByteSource/init(_:now:report:)``. Throws if the beginning of a stream
    /// is lost.
    func open(
        now: @escaping () -> ContinuousClock.Instant = { .now },
        report: @escaping (_ bytesRead: Int64, _ size: Int64?) throws -> Void
    ) throws -> ByteSource {
        if let lostBeginning { throw RollcallError("cannot read \(name) again: \(lostBeginning)") }
        if size != nil { lseek(descriptor, Int(start), SEEK_SET) }
        stream.withLock { $0.position = 0 }
        return try ByteSource(self, now: now, report: report)
    }

    /// Why the file can no longer be read from its beginning; `nil` if it can.
    var lostBeginning: String? { size == nil ? stream.withLock { $0.lost } : nil }

    /// Whether ``read(into:)`` returns at once, because the bytes are on a disk.
    var isReady: Bool { size != nil || stream.withLock { $0.isReady } }

    /// Reads bytes, and returns their number: 0 at the end, -1 after an error.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        if size != nil { return Glibc.read(descriptor, room.baseAddress, room.count) }
        return stream.withLock { $0.read(from: descriptor, into: room) }
    }
}

/// The bytes that were read of a stream.
private struct KeptStream: ~Copyable {
    private let isKept: Bool
    private var copy: OpenFile?
    /// The number of bytes read from the stream.
    private var count: Int64 = 0
    private var isAtEnd = false
    /// The number of bytes read since the beginning was returned to.
    var position: Int64 = 0
    /// Why the beginning is lost.
    private(set) var lost: String?

    init(isKept: Bool) { self.isKept = isKept }

    var isReady: Bool { position < count || isAtEnd }

    mutating func read(from stream: Int32, into room: UnsafeMutableRawBufferPointer) -> Int {
        if position < count, let copy {
            let rest = Int(min(Int64(room.count), count - position))
            let read = pread(copy.descriptor, room.baseAddress, rest, Int(position))
            position += Int64(max(0, read))
            return read
        }
        if isAtEnd { return 0 }
        let read = Glibc.read(stream, room.baseAddress, room.count)
        isAtEnd = read == 0
        let bytes = UnsafeRawBufferPointer(rebasing: room[..<max(0, read)])
        keep(bytes)
        count += Int64(bytes.count)
        position = count
        return read
    }

    /// A stream that cannot be kept is read all the same: its beginning may never be needed.
    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty || lost != nil { return }
        guard isKept else { return lost = "it can be read only once" }
        do throws(RollcallError) {
            if copy == nil { copy = try OpenFile.temporary() }
            try copy?.write(bytes)
        } catch { lost = "it could not be kept: \(error)" }
    }
}
