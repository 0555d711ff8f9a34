import Base

/// The directory of a sort index: where each block starts, how many keys it has, and the number of its blob.
///
/// The start of a block is at or before its first key, which may have been removed, and after every key of the block
/// before. The first block starts before all possible keys.
package struct BlockDirectory: Sendable {
    /// The texts of `starts`.
    package private(set) var text: [UInt8] = []
    package private(set) var starts: [SortKey] = []
    package private(set) var counts: [Int32] = []
    /// The numbers of the blobs.
    package private(set) var numbers: [Int64] = []

    package init() {}

    package var count: Int { starts.count }

    /// The approximate size in memory, in bytes.
    package var size: Int {
        text.count + starts.count
            * (MemoryLayout<SortKey>.stride + MemoryLayout<Int32>.stride + MemoryLayout<Int64>.stride)
    }

    /// Appends the last block so far. `startText` is the text of `start`, and is copied.
    package mutating func append(
        _ start: SortKey, _ startText: UnsafeRawBufferPointer, kind: SortKey.Kind, count: Int32, number: Int64
    ) {
        let isText = kind == .text
        starts.append(isText ? SortKey(appending: startText, to: &text, id: start.id) : start)
        counts.append(count)
        numbers.append(number)
    }

    /// Whether every key has a block and the blocks have `total` keys together.
    package func isConsistent(total: Int) -> Bool {
        guard let first = starts.first, first.id == 0, first.text.isEmpty, first.prefix == 0 else { return false }
        let isAscending = text.withUnsafeBytes { text in
            starts.indices.dropFirst().allSatisfy { starts[$0 - 1].compare(in: text, to: starts[$0], in: text) < 0 }
        }
        return isAscending && counts.reduce(0) { $0 + Int($1) } == total
    }

    /// Returns the index of the block that `key` belongs to, which is not before block `low`: by steps that double
    /// (exponential search), then by halves.
    package func index(of key: SortKey, _ keyText: UnsafeRawBufferPointer, from low: Int = 0) -> Int {
        text.withUnsafeBytes { bytes in
            let startsAtOrBefore = { (block: Int) in starts[block].compare(in: bytes, to: key, in: keyText) <= 0 }
            var low = low
            var step = 1
            while low + step < starts.count, startsAtOrBefore(low + step) {
                low += step
                step *= 2
            }
            return ((low + 1)..<max(low + 1, min(low + step, starts.count))).end(where: startsAtOrBefore) - 1
        }
    }

    /// A copy without unused capacity, for directories that stay in memory.
    var compacted: BlockDirectory {
        var directory = BlockDirectory()
        directory.text = text.withUnsafeBytes { Array($0) }
        directory.starts = starts.map { $0 }
        directory.counts = counts.map { $0 }
        directory.numbers = numbers.map { $0 }
        return directory
    }
}

// MARK: - Changes

extension BlockDirectory {
    /// A change of the directory, as the store has to save it. The texts of the keys are in ``text``.
    package enum Change {
        case insert(start: SortKey, count: Int, number: Int64)
        case setCount(Int, start: SortKey)
        case move(start: SortKey, to: SortKey)
        case delete(start: SortKey)
    }

    typealias Entry = (start: SortKey, count: Int, number: Int64)

    /// The entries that replace those of some adjacent blocks.
    typealias Edit = (replaced: ClosedRange<Int>, entries: [Entry])

    mutating func setCount(_ count: Int, of block: Int) { counts[block] = Int32(count) }

    /// Moves the start of `block` to `key`, and returns both the old and the new start.
    mutating func moveStart(
        of block: Int, to key: SortKey, _ keyText: UnsafeRawBufferPointer, kind: SortKey.Kind
    ) -> Change {
        let old = starts[block]
        starts[block] = keep(key, keyText, kind: kind)
        return .move(start: old, to: starts[block])
    }

    /// Returns `key` with its text, which is in `keyText`, copied into the directory.
    mutating func keep(_ key: SortKey, _ keyText: UnsafeRawBufferPointer, kind: SortKey.Kind) -> SortKey {
        kind == .text ? SortKey(appending: keyText[key.text], to: &text, id: key.id) : key
    }

    /// Applies edits, in ascending order of the blocks that they replace.
    mutating func apply(_ edits: [Edit]) {
        if edits.isEmpty { return }
        var edited = BlockDirectory()
        swap(&edited.text, &text)
        let added = edits.reduce(0) { $0 + $1.entries.count }
        edited.starts.reserveCapacity(starts.count + added)
        edited.counts.reserveCapacity(starts.count + added)
        edited.numbers.reserveCapacity(starts.count + added)
        var block = 0
        for edit in edits {
            edited.append(self, block..<edit.replaced.lowerBound)
            for entry in edit.entries {
                edited.starts.append(entry.start)
                edited.counts.append(Int32(entry.count))
                edited.numbers.append(entry.number)
            }
            block = edit.replaced.upperBound + 1
        }
        edited.append(self, block..<starts.count)
        self = edited
    }

    private mutating func append(_ other: BlockDirectory, _ range: Range<Int>) {
        starts += other.starts[range]
        counts += other.counts[range]
        numbers += other.numbers[range]
    }
}
