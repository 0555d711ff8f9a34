import Base
import Glibc

/// Reads an ``InputFile`` in chunks, and decompresses gzip whatever the file's name. Confined to one thread.
///
/// The first people of a stream wait a little, so that more of it is known when its columns are judged. A file is read
/// ahead however long that takes: what is inferred from it must not depend on the speed of a disk.
final class ByteSource {
    /// 256 KiB: large enough that the cost of system calls does not matter, small enough for a CPU cache.
    static let chunkBytes = 1 << 18
    /// Two seconds after the first byte; the first people are visible a second later.
    private static let patience = Duration.seconds(2)

    /// The number of bytes read so far, before decompression.
    private(set) var bytesRead: Int64 = 0

    let file: InputFile
    private let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
    private let unpacked = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
    /// The part of `raw` that has been read and not yet returned.
    private var pending = 0..<0
    private var isAtEnd = false
    private var inflater: GzipInflater?
    private let now: () -> ContinuousClock.Instant
    private let report: (_ bytesRead: Int64, _ size: Int64?) throws -> Void
    private var isPatient = true
    /// When the first people have waited long enough.
    private var end: ContinuousClock.Instant?

    /// Reads the first bytes, by which it detects gzip (RFC 1952 §2.3.1).
    ///
    /// - Parameter report: Called a few times a second while the source waits for data, and by ``tick()``.
    init(
        _ file: InputFile, now: @escaping () -> ContinuousClock.Instant = { .now },
        report: @escaping (_ bytesRead: Int64, _ size: Int64?) throws -> Void
    ) throws {
        (self.file, self.now, self.report) = (file, now, report)
        // A pipe may return fewer bytes at first.
        while pending.count < 4, !isAtEnd { try fill() }
        if beginning.starts(with: [0x1F, 0x8B]) { inflater = GzipInflater() }
    }

    deinit {
        raw.deallocate()
        unpacked.deallocate()
    }

    var name: String { file.name }
    /// The file's size; `nil` for pipes and other streams.
    var size: Int64? { file.size }

    /// Reports the progress.
    func tick() throws { try report(bytesRead, size) }

    /// Returns the next bytes, valid until the next call, or `nil` at the end.
    ///
    /// - Parameter isPatient: Whether it takes as long as it takes. Else throws ``RecordSurvey/End`` when the first
    ///   people have waited long enough.
    func next(isPatient: Bool = true) throws -> UnsafeRawBufferPointer? {
        self.isPatient = isPatient
        try checkTime()
        let chunk = try nextChunk()
        if size == nil, chunk != nil { end = end ?? now() + Self.patience }
        return chunk
    }

    private func checkTime() throws {
        if !isPatient, let end, now() >= end { throw RecordSurvey.End() }
    }

    /// Appends the next bytes to `buffer`. Returns `false` at the end, and unless it `isPatient` also when the first
    /// people have waited long enough.
    func append(to buffer: ByteBuffer, isPatient: Bool = true) throws -> Bool {
        do {
            guard let chunk = try next(isPatient: isPatient) else { return false }
            buffer.append(chunk)
            return true
        } catch is RecordSurvey.End { return false }
    }

    private func nextChunk() throws -> UnsafeRawBufferPointer? {
        while true {
            if pending.isEmpty { try fill() }
            guard let inflater else {
                defer { pending = pending.upperBound..<pending.upperBound }
                return pending.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: raw[pending])
            }
            let (taken, made) = try inflater.inflate(UnsafeRawBufferPointer(rebasing: raw[pending]), into: unpacked)
            pending = (pending.lowerBound + taken)..<pending.upperBound
            if made > 0 { return UnsafeRawBufferPointer(rebasing: unpacked[..<made]) }
            if isAtEnd, pending.isEmpty {
                try inflater.finish()
                return nil
            }
        }
    }

    /// The first bytes, four or more unless the source has fewer, before any are read.
    var beginning: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: raw[pending]) }

    /// Reads more bytes, after the pending ones.
    private func fill() throws {
        if pending.isEmpty { pending = 0..<0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: raw[pending.upperBound...])
        var count: Int
        repeat {
            try wait()
            count = file.read(into: room)
            // EAGAIN: what made the stream ready went to another reader.
        } while count < 0 && [EINTR, EAGAIN].contains(errno)
        try expect(count >= 0, "cannot read \(name): \(SystemFile.reason)")
        isAtEnd = count == 0
        bytesRead += Int64(count)
        pending = pending.lowerBound..<(pending.upperBound + count)
    }

    /// Waits until a stream has bytes or has ended; a named pipe also until somebody writes into it.
    private func wait() throws {
        if file.isReady { return }
        var watched = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
        // 200 ms: soon enough for Ctrl-C and for the clock on a terminal.
        while poll(&watched, 1, 200) == 0 {
            try tick()
            try checkTime()
        }
    }
}
