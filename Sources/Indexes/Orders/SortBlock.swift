import Base

/// Adjacent keys of a sort index, ascending: one or more blocks in memory, between reading and writing.
///
/// The bytes of a block, with all numbers little-endian:
///
///     number of keys:  4 bytes
///     width of an id:  1 byte, 4, or 8 if an id needs it
///     ids:             that many bytes each
///     keys:            of a text index, for each key: the length of the prefix that it shares with the key before
///                      (varint), the number of bytes that follow (varint), and these bytes;
///                      of a number index: the first `prefix` (8 bytes), the binary exponent of the greatest power of
///                      two that divides all differences (1 byte), and the quotient of the difference to each next
///                      `prefix` (varint);
///                      of an index of kind `id`: nothing
///
/// The ids come first and have one width, so that a search reads them without decoding the keys.
package final class SortBlock {
    // Unchecked exclusivity: a block belongs to one thread at a time, and a change of its keys calls nothing that comes
    // back to it. A merge reads another block than the one that it changes. (The checks took a quarter of a batch's
    // time here.)
    @exclusivity(unchecked) package private(set) var keys: [SortKey] = []
    /// The texts of the keys.
    package let text = ByteBuffer(capacity: 1 << 13)
    package let kind: SortKey.Kind

    /// The greatest number of text bytes. The lengths in damaged bytes could add up to more than fits a ``ByteSlice``.
    private static let maxTextBytes = 1 << 30

    /// The bytes of a block without keys.
    package static let empty: [UInt8] = [0, 0, 0, 0, 4]

    package init(_ kind: SortKey.Kind) {
        self.kind = kind
    }

    package func removeAll() {
        keys.removeAll(keepingCapacity: true)
        text.removeAll()
    }

    /// Returns the number of keys before `key`, or before and at it. The text of `key` is in `keyText`.
    package func count(before key: SortKey, _ keyText: UnsafeRawBufferPointer, orAt: Bool) -> Int {
        let text = text.bytes
        return keys.indices.end { index in
            let order = keys[index].compare(in: text, to: key, in: keyText)
            return order < 0 || (orAt && order == 0)
        }
    }

    /// Decodes a block and appends its keys. Throws if the bytes are not a block.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        let ids = try BlockIDs(bytes)
        var decoder = BlockDecoder(bytes, from: ids.end)
        keys.reserveCapacity(keys.count + ids.count)
        switch kind {
        case .id: for index in 0..<ids.count { keys.append(SortKey(number: .min, id: ids[index])) }
        case .number: try appendNumbers(ids, &decoder)
        case .text: try appendTexts(ids, &decoder)
        }
    }

    private func appendNumbers(_ ids: BlockIDs, _ decoder: inout BlockDecoder) throws {
        guard ids.count > 0 else { return }
        var key = SortKey(number: .min, id: 0)
        key.prefix = try decoder.readUInt64()
        let unit: UInt64 = 1 << (try decoder.read(1)[0])
        for index in 0..<ids.count {
            let quotient = index > 0 ? try decoder.readVarint() : 0
            let (difference, isTooLong) = quotient.multipliedReportingOverflow(by: unit)
            let (sum, isTooGreat) = key.prefix.addingReportingOverflow(difference)
            if isTooLong || isTooGreat { throw DamagedBlock() }
            key.prefix = sum
            key.id = ids[index]
            keys.append(key)
        }
    }

    private func appendTexts(_ ids: BlockIDs, _ decoder: inout BlockDecoder) throws {
        var last = 0..<0
        for index in 0..<ids.count {
            let shared = Int(truncatingIfNeeded: try decoder.readVarint())
            let rest = Int(truncatingIfNeeded: try decoder.readVarint())
            guard (0...last.count).contains(shared) else { throw DamagedBlock() }
            let suffix = try decoder.read(rest)
            let start = text.count
            guard start + shared + rest <= Self.maxTextBytes else { throw DamagedBlock() }
            text.reserve(shared + rest)
            text.append(UnsafeRawBufferPointer(start: text.base + last.lowerBound, count: shared))
            text.append(suffix)
            last = start..<text.count
            keys.append(SortKey(text: ByteSlice(offset: start, count: last.count), in: text.bytes, id: ids[index]))
        }
    }
}

// MARK: - Merging

extension SortBlock {
    /// Appends `block` after applying `changes`, which are sorted and whose texts are in `texts`.
    func append(_ block: SortBlock, changed changes: ArraySlice<SortChange>, _ texts: UnsafeRawBufferPointer) throws {
        var old = 0
        var next = changes.startIndex
        let blockText = block.text.bytes
        while next < changes.endIndex {
            let key = changes[next].key
            var delta = 0
            while next < changes.endIndex, changes[next].key.compare(in: texts, to: key, in: texts) == 0 {
                delta += changes[next].delta
                next += 1
            }
            var order = 1
            let first = old
            while old < block.keys.count {
                order = block.keys[old].compare(in: blockText, to: key, in: texts)
                if order >= 0 { break }
                old += 1
            }
            append(block, first..<old)
            let isFound = old < block.keys.count && order == 0
            switch (isFound, delta) {
            case (true, -1): old += 1
            case (false, 1): append(key, texts[key.text])
            case (_, 0): break
            default: throw DamagedBlock()
            }
        }
        append(block, old..<block.keys.count)
    }

    private func append(_ block: SortBlock, _ range: Range<Int>) {
        guard let first = range.first, let last = range.last else { return }
        guard kind == .text else { return keys.append(contentsOf: block.keys[range]) }
        // The texts of adjacent keys are adjacent.
        let start = block.keys[first].text.range.lowerBound
        let end = block.keys[last].text.range.upperBound
        let distance = text.count - start
        text.append(UnsafeRawBufferPointer(rebasing: block.text.bytes[start..<end]))
        for index in range {
            var key = block.keys[index]
            key.text = ByteSlice(offset: Int(key.text.offset) + distance, count: Int(key.text.count))
            keys.append(key)
        }
    }

    private func append(_ key: SortKey, _ keyText: UnsafeRawBufferPointer) {
        var key = key
        if kind == .text {
            key.text = ByteSlice(offset: text.count, count: keyText.count)
            text.append(keyText)
        }
        keys.append(key)
    }
}

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
        // Doubles that are whole numbers differ in their first bits only.
        let differences = range.dropFirst().reduce(0) { $0 | (keys[$1].prefix - keys[$1 - 1].prefix) }
        let zeros = min(63, differences.trailingZeroBitCount)
        bytes.append(upTo: 9 + range.count * 10) { room in
            guard let start = room.baseAddress else { return 0 }
            var last = keys[first].prefix
            start.storeBytes(of: last.littleEndian, as: UInt64.self)
            start.storeBytes(of: UInt8(zeros), toByteOffset: 8, as: UInt8.self)
            var end = start + 9
            for index in range.dropFirst() {
                end.write(varint: (keys[index].prefix - last) >> zeros)
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
