import CZlib

/// Decompresses a gzip file while it arrives in chunks. The contents of several members are concatenated (RFC 1952
/// §2.2).
///
/// It owns raw memory; confined to one queue at a time.
public final class GzipInflater {
    // zlib's state contains a pointer to the stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var state = State.start

    private enum State { case start, inMember, betweenMembers }

    public init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 + 16: any window size, and a gzip header.
        let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib: inflateInit2 answered \(status)")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses as much of `input` as fits into `output`. Returns the number of bytes it consumed and produced.
    ///
    /// Call it again, with the rest or with an empty `input`, until it produces nothing.
    public func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(RollcallError) -> (taken: Int, made: Int) {
        // zlib's counts have 32 bits.
        var rest = UnsafeRawBufferPointer(rebasing: input.prefix(1 << 30))
        let whole = rest.count
        var made = 0
        while made < output.count {
            if state == .betweenMembers { skipPadding(&rest) }
            if rest.isEmpty, state != .inMember { break }
            made += try inflateMember(&rest, into: UnsafeMutableRawBufferPointer(rebasing: output[made...]))
            if state == .inMember { break }
        }
        return (whole - rest.count, made)
    }

    /// Ends the input. Throws an error if the file is truncated.
    public func finish() throws(RollcallError) {
        try expect(state == .betweenMembers, "gzip data is cut short: expected more, found the end")
    }

    /// Skips the zeros with which some tools pad the last block, as gzip(1) does.
    private func skipPadding(_ rest: inout UnsafeRawBufferPointer) {
        while rest.first == 0 { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst()) }
    }

    /// Returns the number of bytes that it produced.
    private func inflateMember(
        _ rest: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) throws(RollcallError) -> Int {
        state = .inMember
        stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(rest.count)
        stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(min(room.count, 1 << 30))
        let size = Int(stream.pointee.avail_out)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        rest = UnsafeRawBufferPointer(rebasing: rest.suffix(Int(stream.pointee.avail_in)))
        let made = size - Int(stream.pointee.avail_out)
        switch status {
        case Z_STREAM_END:
            inflateReset(stream)
            state = .betweenMembers
        case Z_OK, Z_BUF_ERROR: break
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(status)"
            throw RollcallError("gzip data is damaged: \(reason)")
        }
        return made
    }
}
