import CZlib

/// gzip (RFC 1952) in one call. For many small texts, keep a ``GzipCompressor``; for streams, use a ``GzipInflater``.
public enum Gzip {
    /// Returns `bytes` compressed. The same bytes always give the same result, because the header contains no time.
    public static func compressed(_ bytes: [UInt8], level: Int = 9) -> [UInt8] {
        // Used once per file, so it takes the most memory that zlib can use.
        let compressor = GzipCompressor(level: level, memoryLevel: 9)
        let buffer = ByteBuffer(capacity: bytes.count / 2 + 64)
        bytes.withUnsafeBytes { compressor.compress($0, into: buffer) }
        return [UInt8](buffer)
    }

    /// Returns the contents of the gzip file `bytes`; `nil` if they are longer than `limit` bytes.
    public static func inflated(_ bytes: Bytes, limit: Int = .max) throws(RollcallError) -> [UInt8]? {
        try bytes.withUnsafeBytes { (bytes) throws(RollcallError) in
            let inflater = GzipInflater()
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
            defer { room.deallocate() }
            var (rest, result) = (bytes, [UInt8]())
            while result.count <= limit {
                let (taken, made) = try inflater.inflate(rest, into: room)
                rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
                result.append(contentsOf: room[..<made])
                if taken == 0, made == 0 {
                    try inflater.finish()
                    return result
                }
            }
            return nil
        }
    }
}
