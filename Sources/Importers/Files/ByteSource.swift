import Base
import Glibc

/// Reads an ``InputFile`` in chunks, and decompresses gzip whatever the file's name.
///
/// Confined to one thread.
final class ByteSource {
    /// 256 KiB: large enough that the cost of system calls does not matter, small enough for a CPU cache.
    static let chunkBytes = 1 << 18

    /// The number of bytes read so far, before decompression.
    private(set) var bytesRead: Int64 = 0

    let file: InputFile
    private let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
    private let unpacked = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
    /// The part of `raw` that has been read and not yet returned.
    private var pending = 0..<0
    private var isAtEnd = false
    private var inflater: GzipInflater?
    private var isStarted = false

    init(_ file: InputFile) { self.file = file }

    deinit {
        raw.deallocate()
        unpacked.deallocate()
    }

    var name: String { file.name }
    /// The file's size; `nil` for pipes and other streams.
    var size: Int64? { file.size }

    /// Returns the next bytes, valid until the next call, or `nil` at the end. Calls `whileWaiting` a few times a
    /// second while it waits for data.
    func next(whileWaiting: () throws -> Void) throws -> UnsafeRawBufferPointer? {
        _ = try beginning(whileWaiting: whileWaiting)
        guard let inflater else {
            if pending.isEmpty { try fill(whileWaiting) }
            defer { pending = pending.upperBound..<pending.upperBound }
            return pending.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: raw[pending])
        }
        while true {
            if pending.isEmpty { try fill(whileWaiting) }
            let (taken, made) = try inflater.inflate(UnsafeRawBufferPointer(rebasing: raw[pending]), into: unpacked)
            pending = (pending.lowerBound + taken)..<pending.upperBound
            if made > 0 { return UnsafeRawBufferPointer(rebasing: unpacked[..<made]) }
            if isAtEnd, pending.isEmpty {
                try inflater.finish()
                return nil
            }
        }
    }

    /// Returns the first bytes, four or more unless the source has fewer, which remain to be read.
    func beginning(whileWaiting: () throws -> Void) throws -> UnsafeRawBufferPointer {
        if !isStarted { try start(whileWaiting) }
        return UnsafeRawBufferPointer(rebasing: raw[pending])
    }

    /// Detects gzip in the first bytes (RFC 1952 §2.3.1).
    private func start(_ whileWaiting: () throws -> Void) throws {
        isStarted = true
        // A pipe may return fewer bytes at first.
        while pending.count < 4, !isAtEnd { try fill(whileWaiting) }
        if raw[pending].starts(with: [0x1F, 0x8B]) { inflater = GzipInflater() }
    }

    /// Reads more bytes, after the pending ones.
    private func fill(_ whileWaiting: () throws -> Void) throws {
        if isAtEnd { return }
        if pending.isEmpty { pending = 0..<0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: raw[pending.upperBound...])
        var count: Int
        repeat {
            try wait(whileWaiting)
            count = file.read(into: room)
            // EAGAIN: what made the stream ready went to another reader.
        } while count < 0 && (errno == EINTR || errno == EAGAIN)
        if count < 0 { throw RollcallError("cannot read \(name): \(SystemFile.reason)") }
        isAtEnd = count == 0
        bytesRead += Int64(count)
        pending = pending.lowerBound..<(pending.upperBound + count)
    }

    /// Waits until a stream has bytes or has ended; a named pipe also until somebody writes into it.
    private func wait(_ whileWaiting: () throws -> Void) throws {
        if file.isReady { return }
        var watched = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
        // 200 ms: soon enough for Ctrl-C and for the clock on a terminal.
        while poll(&watched, 1, 200) == 0 { try whileWaiting() }
    }
}
