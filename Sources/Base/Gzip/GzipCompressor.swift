import CZlib

/// Compresses one text after another with one zlib stream and reuses its memory: setting up a stream costs more than
/// compressing a small page.
///
/// It owns raw memory; confined to one queue at a time.
public final class GzipCompressor {
    // zlib's state contains a pointer to the stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a compressor.
    ///
    /// Level 3 is the most thorough level that uses zlib's fastest matching. It compresses a fragment of ten users to
    /// 1,022 bytes, and level 6 to 894, but it takes two thirds of the time. Compression is half the cost of a page
    /// that is not in the cache.
    ///
    /// The window has 15 bits, so that a fragment fits it whole: with 13 bits, zlib slid the window while it compressed
    /// a fragment of 30 users with fields, which took a sixth of the time and found fewer matches. The table that zlib
    /// clears before each text is smallest with a low memory level; below 5, large fragments grow. By the formula
    /// in zconf.h, both take 144 KiB.
    public init(level: Int = 3, memoryLevel: Int = 5) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 + 16: the largest window, and gzip's header and trailer instead of zlib's. The time in the header is 0
        // unless it is set.
        let status = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, 15 + 16, Int32(memoryLevel), Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib: deflateInit2 answered \(status)")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Appends a complete gzip member that contains `bytes`.
    /// - Parameter level: the level for this member and the next ones, if it is another one than before.
    public func compress(_ bytes: UnsafeRawBufferPointer, level: Int? = nil, into buffer: ByteBuffer) {
        begin()
        if let level { deflateParams(stream, Int32(level), Z_DEFAULT_STRATEGY) }
        append(bytes, isLast: true, into: buffer)
    }

    /// Begins a gzip member that consists of several parts.
    public func begin() { deflateReset(stream) }

    /// See ``compress(_:level:into:)``.
    public func compress(_ body: ByteBuffer, level: Int? = nil, into buffer: ByteBuffer) {
        compress(body.bytes, level: level, into: buffer)
    }

    /// See ``append(_:isLast:into:)``.
    public func append(_ part: ByteBuffer, isLast: Bool, into buffer: ByteBuffer) {
        append(part.bytes, isLast: isLast, into: buffer)
    }

    /// Compresses the next part of the member that ``begin()`` began; the last part ends it. Output may lag behind
    /// input.
    public func append(_ part: UnsafeRawBufferPointer, isLast: Bool, into buffer: ByteBuffer) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: part.bindMemory(to: UInt8.self).baseAddress)
        // zlib's counts have 32 bits. No page has 4 GiB, and a file that has is not compressed.
        stream.pointee.avail_in = UInt32(part.count)
        repeat {
            let bound = min(Int(deflateBound(stream, UInt(stream.pointee.avail_in))) + 64, 1 << 20)
            buffer.append(upTo: bound) { room in
                stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                let status = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                precondition(
                    status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR,
                    "zlib: deflate answered \(status)")
                return room.count - Int(stream.pointee.avail_out)
            }
        } while stream.pointee.avail_out == 0
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
    }
}
