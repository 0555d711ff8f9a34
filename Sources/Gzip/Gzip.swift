import Bytes
import CZlib

/// gzip (RFC 1952) in one call. For many small texts keep a ``GzipCompressor``; for streams, a ``GzipInflater``.
public enum Gzip {
    /// `bytes` compressed; the same bytes give the same result on any day (the header carries no time).
    public static func compressed(_ bytes: [UInt8], level: Int = 9) -> [UInt8] {
        // Done once per file: window and memory at zlib's largest.
        let compressor = GzipCompressor(level: level, windowBits: 15, memoryLevel: 9)
        let buffer = ByteBuffer(capacity: bytes.count / 2 + 64)
        bytes.withUnsafeBytes { compressor.compress($0, into: buffer) }
        return [UInt8](buffer)
    }

    /// What the gzip file `bytes` holds; refuses to make more than `limit` bytes of it.
    public static func inflated(_ bytes: [UInt8], limit: Int = .max) throws(GzipError) -> [UInt8] {
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
                throw GzipError(message: "expected at most \(limit) bytes in gzip data, found more")
            }
            if made == 0, position == bytes.count { break }
        }
        try inflater.finish()
        return result
    }

    private static func inflate(
        _ bytes: [UInt8], from position: Int, by inflater: GzipInflater, into room: UnsafeMutableRawBufferPointer
    ) throws(GzipError) -> (taken: Int, made: Int) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(GzipError) in
                try inflater.inflate(UnsafeRawBufferPointer(rebasing: bytes[position...]), into: room)
            }
        }
        return try result.get()
    }
}

/// What is wrong with gzip data.
public struct GzipError: Error, Equatable, CustomStringConvertible {
    public var message: String

    public init(message: String) { self.message = message }

    public var description: String { message }
}
