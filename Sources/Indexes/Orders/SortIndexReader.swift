import Base

/// Decodes and scans the blocks of sort indexes. Keeps the block that was decoded last: a page often needs one block,
/// and the rank of its first key is in the same one.
///
/// ```swift
/// // The ids after the key "ada" of the person 1, block by block.
/// let seek = SeekKey(text: Array("ada".utf8), id: 1)
/// let scan: SortIndexReader.Scan = (.text, isDescending: false, seek, isInclusive: false)
/// try reader.scanIDs(scan, version: generation, in: storage, blocks: nextBlock) { ids in … }
/// ```
package final class SortIndexReader {
    /// The part of an index that a scan reads, and its direction: it starts from a key, which it may include, or from
    /// an end of the order for `nil`.
    package typealias Scan = (kind: SortKey.Kind, isDescending: Bool, seek: SeekKey?, isInclusive: Bool)

    private var last: (keys: SortBlock, number: Int64?, version: Int64)?
    private let ids = ByteBuffer(capacity: 1 << 12)

    package init() {}

    /// Returns the keys of blob `number`, valid until the next call. `version` changes whenever blobs change.
    package func block(
        _ number: Int64, _ kind: SortKey.Kind, version: Int64, from storage: some BlobStorage
    ) throws -> SortBlock {
        if let last, last.keys.kind == kind, last.number == number, last.version == version { return last.keys }
        let keys = last.flatMap { $0.keys.kind == kind ? $0.keys : nil } ?? SortBlock(kind)
        last = (keys, nil, 0)
        keys.removeAll()
        guard try storage.get(number, { try keys.append($0) }) else { throw DamagedBlock() }
        last = (keys, number, version)
        return keys
    }

    /// Calls `body` with the ids that a scan finds, in its direction, a block at a time, until `body` returns `false`.
    ///
    /// `next` names the blocks, from the one that the scan starts in. Returns `false` if the scan ended because
    /// `maxBlocks` blocks were read. No scan may begin inside another.
    package func scanIDs(
        _ scan: Scan, maxBlocks: Int = .max, version: Int64, in storage: some BlobStorage,
        blocks next: () throws -> Int64?, _ body: (UnsafeBufferPointer<Int64>) throws -> Bool
    ) throws -> Bool {
        var remaining = maxBlocks
        var isStopped = false
        func nextBlock() throws -> Int64? {
            guard let number = try next() else { return nil }
            remaining -= 1
            return remaining < 0 ? nil : number
        }
        if let seek = scan.seek {
            guard let number = try nextBlock() else { return remaining >= 0 }
            let block = try block(number, scan.kind, version: version, from: storage)
            var found = block.keys[block.range(of: scan, from: seek)].map(\.id)
            if scan.isDescending { found.reverse() }
            if try !found.isEmpty && !found.withUnsafeBufferPointer(body) { return true }
        }
        try storage.get(nextBlock) { bytes in
            guard let bytes else { throw DamagedBlock() }
            try BlockIDs(bytes).fill(ids, isReversed: scan.isDescending)
            isStopped = try !ids.isEmpty && !body(ids.bytes.bindMemory(to: Int64.self))
            return !isStopped
        }
        return isStopped || remaining >= 0
    }

    /// Calls `body` with the keys that a scan finds, in its direction, and the bytes of their texts, until it returns
    /// `false`.
    ///
    /// `next` names the blocks, from the one that the scan starts in.
    package func scanKeys(
        _ scan: Scan, version: Int64, in storage: some BlobStorage, blocks next: () throws -> Int64?,
        _ body: (SortKey, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var seek = scan.seek
        while let number = try next() {
            let block = try block(number, scan.kind, version: version, from: storage)
            let range = seek.map { block.range(of: scan, from: $0) } ?? block.keys.indices
            seek = nil
            for index in range {
                let index = scan.isDescending ? range.lowerBound + range.upperBound - 1 - index : index
                guard try body(block.keys[index], block.text.bytes) else { return }
            }
        }
    }
}

extension SortBlock {
    /// Returns the keys of this block that a scan from `seek` finds.
    fileprivate func range(of scan: SortIndexReader.Scan, from seek: SeekKey) -> Range<Int> {
        let count = seek.text.withUnsafeBytes {
            self.count(before: seek.key, $0, orAt: scan.isDescending == scan.isInclusive)
        }
        return scan.isDescending ? 0..<count : count..<keys.count
    }
}

/// The block directories of one version of some sort indexes, and the number of keys before each block.
///
/// Turns a rank into a block and a key into a rank without reading more than that block. Immutable, and shared by all
/// readers. The rank of a key is the number of keys before it.
package final class SortIndexSnapshot: Sendable {
    /// The version of the data that the directories were read from.
    package let version: Int64
    private let directories: [BlockDirectory]
    private let countsBefore: [[Int]]

    /// The snapshot of one index for each directory.
    package init(version: Int64, _ directories: [BlockDirectory]) {
        self.version = version
        self.directories = directories.map(\.compacted)
        countsBefore = directories.map { directory in
            var sum = 0
            return directory.counts.map { count in
                defer { sum += Int(count) }
                return sum
            }
        }
    }

    package func directory(of index: Int) -> BlockDirectory { directories[index] }

    /// Returns the block that has the key with `rank`, and the number of keys before it in the block.
    package func position(ofRank rank: Int, in index: Int) -> (block: Int, offset: Int) {
        let counts = countsBefore[index]
        let block = counts.indices.end { counts[$0] <= rank } - 1
        return (block, rank - counts[block])
    }

    /// Returns the number of keys before a block.
    package func count(before block: Int, in index: Int) -> Int { countsBefore[index][block] }
}
