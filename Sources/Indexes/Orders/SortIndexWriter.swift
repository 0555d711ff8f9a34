import Base

/// Changes one sort index, a batch at a time.
///
/// Each block that a batch changes is read once, merged with its changes, and written once. The directory stays in
/// memory.
///
/// ```swift
/// let writer = SortIndexWriter(byReputation, kind: .number)
/// let added = SortChange(key: SortKey(number: 42, id: 1), delta: 1)
/// try writer.apply([added], texts: ByteBuffer(), storage: storage) { change, text in … }
/// ```
package final class SortIndexWriter {
    /// The sizes of blocks.
    package struct Limits: Sendable {
        /// A block with more keys is split. Decoding a block, which every page needs, takes some microseconds. Shorter
        /// blocks would make scans slower, longer ones would make changes write more.
        package var count = 256
        /// New blocks have about this many keys, so that the next few keys do not split them again.
        package var newCount = 192
        /// A block with fewer keys is merged with the next one.
        package var minCount = 64
        /// A block with more bytes is split, too, so that it fits a page of SQLite's, of 4,096 bytes.
        package var bytes = 4000

        package init() {}

        package init(count: Int, newCount: Int, minCount: Int, bytes: Int) {
            (self.count, self.newCount, self.minCount, self.bytes) = (count, newCount, minCount, bytes)
        }
    }

    package var limits = Limits()
    private var directory: BlockDirectory
    private let kind: SortKey.Kind
    /// A block as it was, and the keys that are to be written.
    private let old: SortBlock
    private let new: SortBlock
    private let bytes = ByteBuffer(capacity: 1 << 13)
    private var saved: [BlockDirectory.Change] = []

    package init(_ directory: BlockDirectory, kind: SortKey.Kind) {
        self.directory = directory
        self.kind = kind
        old = SortBlock(kind)
        new = SortBlock(kind)
    }

    /// The approximate size of the directory in memory, in bytes.
    package var size: Int { directory.size }

    /// Applies `changes`, sorted by their keys, whose texts are in `texts`.
    ///
    /// Writes the blocks to `storage`, and calls `save` with each change of the directory and the text of its keys. If
    /// this throws, the writer is of no more use.
    package func apply(
        _ changes: [SortChange], texts: ByteBuffer, storage: some BlobStorage,
        save: (BlockDirectory.Change, _ text: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if changes.isEmpty { return }
        try apply(changes, texts.bytes, to: storage)
        try directory.text.withUnsafeBytes { text in
            for change in saved { try save(change, text) }
        }
    }

    private func apply(
        _ changes: [SortChange], _ texts: UnsafeRawBufferPointer, to storage: some BlobStorage
    ) throws {
        saved = []
        var edits: [BlockDirectory.Edit] = []
        try storage.prepareToRead(.numbers(blocks(of: changes, texts)))
        var next = 0
        var block = 0
        while next < changes.count {
            block = directory.index(of: changes[next].key, texts, from: block)
            let first = block
            new.removeAll()
            try merge(block, changes, &next, texts, storage)
            while isShort, block + 1 < directory.count {
                block += 1
                try merge(block, changes, &next, texts, storage)
            }
            // All keys of the last block may have been removed.
            let kept = first > 0 && new.keys.isEmpty ? first..<first : first..<(first + 1)
            for removed in kept.upperBound..<(block + 1) {
                let number = directory.numbers[removed]
                try storage.delete(number..<(number + 1))
                saved.append(.delete(start: directory.starts[removed]))
            }
            if !kept.isEmpty { moveStart(of: first) }
            let entries = kept.isEmpty ? [] : try write(first, 0..<new.keys.count, storage)
            if entries.count == 1, block == first {
                directory.setCount(entries[0].count, of: first)
            } else {
                edits.append((first...block, entries))
            }
        }
        directory.apply(edits)
    }

    /// Returns the numbers of the blobs that `changes` belong to.
    private func blocks(of changes: [SortChange], _ texts: UnsafeRawBufferPointer) -> [Int64] {
        var numbers: [Int64] = []
        var (next, block) = (0, 0)
        while next < changes.count {
            block = directory.index(of: changes[next].key, texts, from: block)
            numbers.append(directory.numbers[block])
            next = end(of: block, changes, from: next, texts)
        }
        return numbers
    }

    private var isShort: Bool {
        // A few keys with long texts are enough for a block.
        new.keys.count < limits.minCount && new.text.count < limits.bytes / 4
    }

    /// Moves the start of a block to its first key if the key that it started with is gone: no text of a removed key
    /// may stay.
    private func moveStart(of block: Int) {
        guard block > 0, let start = new.keys.first else { return }
        let isLater = directory.text.withUnsafeBytes {
            start.compare(in: new.text.bytes, to: directory.starts[block], in: $0) > 0
        }
        if isLater { saved.append(directory.moveStart(of: block, to: start, new.text.bytes, kind: kind)) }
    }

    /// Appends a block to the keys that are to be written, after applying those of `changes` from `next` on that belong
    /// to it.
    private func merge(
        _ block: Int, _ changes: [SortChange], _ next: inout Int, _ texts: UnsafeRawBufferPointer,
        _ storage: some BlobStorage
    ) throws {
        let first = next
        next = end(of: block, changes, from: next, texts)
        old.removeAll()
        guard try storage.get(directory.numbers[block], { try old.append($0) }),
            old.keys.count == Int(directory.counts[block])
        else { throw DamagedBlock() }
        try new.append(old, changed: changes[first..<next], texts)
    }

    /// Returns the index of the first change from `next` on that does not belong to `block`.
    private func end(
        of block: Int, _ changes: [SortChange], from next: Int, _ texts: UnsafeRawBufferPointer
    ) -> Int {
        if block + 1 == directory.count { return changes.count }
        let end = directory.starts[block + 1]
        return directory.text.withUnsafeBytes { text in
            var next = next
            while next < changes.count, changes[next].key.compare(in: texts, to: end, in: text) < 0 { next += 1 }
            return next
        }
    }

    /// Writes some of the keys that are to be written, in as many blocks as they need. The first of all keys goes to
    /// the blob of `block`.
    private func write(
        _ block: Int, _ range: Range<Int>, _ storage: some BlobStorage
    ) throws -> [BlockDirectory.Entry] {
        new.encode(range, to: bytes)
        if range.count > 1, range.count > limits.count || bytes.count > limits.bytes {
            let newBytes = limits.bytes * limits.newCount / limits.count
            let parts = max(
                2, (range.count + limits.newCount - 1) / limits.newCount,
                min(range.count, (bytes.count + newBytes - 1) / newBytes))
            var entries: [BlockDirectory.Entry] = []
            for part in 0..<parts {
                let start = range.lowerBound + range.count * part / parts
                let end = range.lowerBound + range.count * (part + 1) / parts
                entries += try write(block, start..<end, storage)
            }
            return entries
        }
        if range.lowerBound == 0 {
            let (start, number) = (directory.starts[block], directory.numbers[block])
            try storage.put(bytes.bytes, at: number)
            if Int(directory.counts[block]) != range.count { saved.append(.setCount(range.count, start: start)) }
            return [(start, range.count, number)]
        }
        let start = directory.keep(new.keys[range.lowerBound], new.text.bytes, kind: kind)
        let number = try storage.add(bytes.bytes)
        saved.append(.insert(start: start, count: range.count, number: number))
        return [(start, range.count, number)]
    }
}

/// A key that is added to a sort index or removed from it.
package struct SortChange {
    /// Its text is in the bytes of the batch.
    package var key: SortKey
    /// 1 for an added key, -1 for a removed one.
    package var delta: Int

    package init(key: SortKey, delta: Int) {
        self.key = key
        self.delta = delta
    }
}

extension [SortChange] {
    /// Sorts by the keys, whose texts are in `bytes`.
    package mutating func sort(in bytes: UnsafeRawBufferPointer) {
        sort { $0.key.compare(in: bytes, to: $1.key, in: bytes) < 0 }
    }
}
