import Base

/// Reports that a block holds bytes that no encoder writes, or that the block directory does not fit the blocks.
package struct DamagedBlock: Error {
    package init() {}
}

/// Reads the part of a block after the ids. Checks everything, because a disk may have changed the bytes.
struct BlockDecoder {
    private let bytes: UnsafeRawBufferPointer
    private var index: Int

    /// Reads `bytes` from `index` on, which is at most their count.
    init(_ bytes: UnsafeRawBufferPointer, from index: Int) {
        self.bytes = bytes
        self.index = index
    }

    /// Returns the next `count` bytes.
    @inline(__always) mutating func read(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - index else { throw DamagedBlock() }
        defer { index += count }
        return UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)])
    }

    mutating func readUInt64() throws -> UInt64 { UInt64(littleEndian: try read(8).loadUnaligned(as: UInt64.self)) }

    @inline(__always) mutating func readVarint() throws -> UInt64 {
        if index < bytes.count, bytes[index] < 0x80 {
            defer { index += 1 }
            return UInt64(bytes[index])
        }
        return try readLongVarint()
    }

    private mutating func readLongVarint() throws -> UInt64 {
        guard let number = bytes.varint(at: &index) else { throw DamagedBlock() }
        return number
    }
}
