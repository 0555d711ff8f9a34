import Base

extension SortBlock {
    /// Replaces the content of `bytes` by the block of the keys in `range`.
    func encode(_ range: Range<Int>, to bytes: ByteBuffer) {
        bytes.removeAll()
        let width = range.allSatisfy { UInt32(exactly: keys[$0].id) != nil } ? 4 : 8
        bytes.append(upTo: BlockIDs.headBytes + range.count * width) { room in
            room.storeBytes(of: UInt32(range.count).littleEndian, as: UInt32.self)
            room[4] = UInt8(width)
            var offset = BlockIDs.headBytes
            for index in range {
                if width == 4 {
                    room.storeBytes(
                        of: UInt32(truncatingIfNeeded: keys[index].id).littleEndian, toByteOffset: offset,
                        as: UInt32.self)
                } else {
                    room.storeBytes(of: keys[index].id.littleEndian, toByteOffset: offset, as: Int64.self)
                }
                offset += width
            }
            return offset
        }
        switch kind {
        case .id: break
        case .number: encodeNumbers(range, to: bytes)
        case .text: encodeTexts(range, to: bytes)
        }
    }

    private func encodeNumbers(_ range: Range<Int>, to bytes: ByteBuffer) {
        guard let first = range.first else { return }
        bytes.append(upTo: 8 + range.count * 10) { room in
            guard let start = room.baseAddress else { return 0 }
            var last = keys[first].prefix
            start.storeBytes(of: last.littleEndian, as: UInt64.self)
            var end = start + 8
            for index in range.dropFirst() {
                end.write(varint: keys[index].prefix - last)
                last = keys[index].prefix
            }
            return end - start
        }
    }

    private func encodeTexts(_ range: Range<Int>, to bytes: ByteBuffer) {
        let text = text.bytes
        let textBytes = keys[range].reduce(0) { $0 + Int($1.text.count) }
        bytes.append(upTo: textBytes + range.count * 20) { room in
            guard let start = room.baseAddress else { return 0 }
            var end = start
            var last = SortKey(text: .empty, in: text, id: 0)
            for index in range {
                let key = keys[index]
                let shared = key.sharedPrefixLength(with: last, in: text)
                let rest = Int(key.text.count) - shared
                end.write(varint: UInt64(shared))
                end.write(varint: UInt64(rest))
                let suffix = UnsafeRawBufferPointer(rebasing: text[key.text][shared...])
                UnsafeMutableRawBufferPointer(start: end, count: rest).copyMemory(from: suffix)
                end += rest
                last = key
            }
            return end - start
        }
    }
}

extension SortKey {
    /// Returns the number of bytes with which both texts begin.
    fileprivate func sharedPrefixLength(with other: SortKey, in bytes: UnsafeRawBufferPointer) -> Int {
        let limit = Int(min(text.count, other.text.count))
        var shared = min(limit, (prefix ^ other.prefix).leadingZeroBitCount / 8)
        if shared < 8 { return shared }
        let (start, otherStart) = (Int(text.offset), Int(other.text.offset))
        while shared < limit, bytes[start + shared] == bytes[otherStart + shared] { shared += 1 }
        return shared
    }
}

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
