import Base

/// The ids of a block, read where they are in its bytes (see ``SortBlock``).
struct BlockIDs {
    /// The number of ids (4 bytes) and their width (1 byte).
    static let headBytes = 5

    let count: Int
    /// The index after the last id.
    let end: Int
    private let width: Int
    private let bytes: UnsafeRawBufferPointer

    /// Throws if `bytes` are not a block.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count >= Self.headBytes else { throw DamagedBlock() }
        count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        width = Int(bytes[4])
        end = Self.headBytes + count * width
        guard width == 4 || width == 8, end <= bytes.count else { throw DamagedBlock() }
        self.bytes = bytes
    }

    subscript(index: Int) -> Int64 {
        let offset = Self.headBytes + index * width
        if width == 4 {
            return Int64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        return Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }

    /// Replaces the content of `buffer` by all ids, in their order or reversed.
    func fill(_ buffer: ByteBuffer, isReversed: Bool) {
        buffer.removeAll()
        buffer.append(upTo: count * MemoryLayout<Int64>.size) { room in
            let room = room.bindMemory(to: Int64.self)
            guard let first = bytes.baseAddress.map({ $0 + Self.headBytes }) else { return 0 }
            let (start, step) = isReversed ? (count - 1, -1) : (0, 1)
            // Two loops, so that the compiler can vectorize them.
            if width == 4 {
                for index in 0..<count {
                    room[start + index * step] = Int64(
                        UInt32(littleEndian: first.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
                }
            } else {
                for index in 0..<count {
                    room[start + index * step] = Int64(
                        littleEndian: first.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
                }
            }
            return room.count * MemoryLayout<Int64>.size
        }
    }
}
