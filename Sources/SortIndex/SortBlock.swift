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
///                      of a number index: the first `prefix` (8 bytes), then the difference to each next one (varint);
///                      of an index of kind `id`: nothing
///
/// The ids come first and have one width, so that a search reads them without decoding the keys.
package final class SortBlock {
    // Unchecked exclusivity: no access lasts while other code runs, and the checks took a quarter of a batch's time
    // here.
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
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            let order = keys[middle].compare(in: text, to: key, in: keyText)
            if order < 0 || (orAt && order == 0) { low = middle + 1 } else { high = middle }
        }
        return low
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
        for index in 0..<ids.count {
            let difference = index > 0 ? try decoder.readVarint() : 0
            let (sum, isTooGreat) = key.prefix.addingReportingOverflow(difference)
            if isTooGreat { throw DamagedBlock() }
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
