import Bytes
import GRDBSQLite

/// The ids of a run, where they stand in its bytes (see ``SortBlock``).
struct BlockIDs {
    /// The number of ids and their width.
    static let headBytes = 5

    let count: Int
    /// Where the ids end.
    let end: Int
    private let width: Int
    private let bytes: UnsafeRawBufferPointer

    /// Throws if `bytes` are no run's.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count >= Self.headBytes else { throw BlockDecoder.damage }
        count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        width = Int(bytes[4])
        end = Self.headBytes + count * width
        guard width == 4 || width == 8, end <= bytes.count else { throw BlockDecoder.damage }
        self.bytes = bytes
    }

    subscript(index: Int) -> Int64 {
        let offset = Self.headBytes + index * width
        if width == 4 {
            return Int64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        return Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }

    /// Puts all ids into `buffer`, in place of what it holds, in their order or against it.
    func fill(_ buffer: ByteBuffer, isReversed: Bool) {
        buffer.removeAll()
        buffer.append(upTo: count * MemoryLayout<Int64>.size) { room in
            let room = room.bindMemory(to: Int64.self)
            guard let first = bytes.baseAddress.map({ $0 + Self.headBytes }) else { return 0 }
            let (start, step) = isReversed ? (count - 1, -1) : (0, 1)
            // Two loops, which then take several ids at a time.
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

/// Reads what follows the ids of a run; believes nothing, because a disk may have changed it.
struct BlockDecoder {
    static let damage = StoreError(
        .sqlite(SQLITE_CORRUPT), "an order of the directory is damaged in the database; import into a new file")

    private let bytes: UnsafeRawBufferPointer
    private var position: Int

    /// Reads `bytes` from `position` on, which is in them or at their end.
    init(_ bytes: UnsafeRawBufferPointer, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The next `count` bytes.
    @inline(__always) mutating func read(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - position else { throw Self.damage }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    mutating func readWord() throws -> UInt64 { UInt64(littleEndian: try read(8).loadUnaligned(as: UInt64.self)) }

    /// A number in groups of 7 bits, the least first.
    @inline(__always) mutating func readNumber() throws -> UInt64 {
        if position < bytes.count, bytes[position] < 0x80 {
            defer { position += 1 }
            return UInt64(bytes[position])
        }
        return try readGroups()
    }

    private mutating func readGroups() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw Self.damage
    }
}

extension UnsafeMutableRawPointer {
    /// Writes `number` in groups of 7 bits, the least first, and moves behind them.
    @inline(__always) mutating func write(groupsOf number: UInt64) {
        var number = number
        while number >= 0x80 {
            storeBytes(of: UInt8(truncatingIfNeeded: number) | 0x80, as: UInt8.self)
            self += 1
            number >>= 7
        }
        storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
        self += 1
    }
}
