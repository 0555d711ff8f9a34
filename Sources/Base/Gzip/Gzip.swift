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

    /// Returns the contents of the gzip file `bytes`. Throws an error if they are longer than `limit` bytes.
    public static func inflated(_ bytes: [UInt8], limit: Int = .max) throws(RollcallError) -> [UInt8] {
        let inflater = GzipInflater()
        var result: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { room.deallocate() }
        var position = 0
        while true {
            let (taken, made) = try inflate(bytes, from: position, by: inflater, into: room)
            position += taken
            result.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<made]))
            if result.count > limit {
                throw RollcallError("expected at most \(limit) bytes in gzip data, found more")
            }
            if made == 0, position == bytes.count { break }
        }
        try inflater.finish()
        return result
    }

    private static func inflate(
        _ bytes: [UInt8], from position: Int, by inflater: GzipInflater, into room: UnsafeMutableRawBufferPointer
    ) throws(RollcallError) -> (taken: Int, made: Int) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(RollcallError) in
                try inflater.inflate(UnsafeRawBufferPointer(rebasing: bytes[position...]), into: room)
            }
        }
        return try result.get()
    }
}
