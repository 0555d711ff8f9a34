import Base

/// Changes the sort indexes of one set of entries, a batch at a time: one index for each order, all in the same
/// storage.
///
/// ```swift
/// let writer = SortIndexWriter([(directory: byReputation, kind: .number)])
/// let added = SortChange(key: SortKey(number: 42, id: 1), delta: 1)
/// try writer.apply([added], to: 0, texts: ByteBuffer(), storage: storage) { change, text in … }
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
    private let indexes: [SortIndexMerger]

    /// A writer for one index for each directory and kind.
    package init(_ indexes: [(directory: BlockDirectory, kind: SortKey.Kind)]) {
        self.indexes = indexes.map { SortIndexMerger($0.directory, kind: $0.kind) }
    }

    /// The approximate size of all directories in memory, in bytes.
    package var size: Int { indexes.reduce(0) { $0 + $1.directory.size } }

    /// Applies `changes`, sorted by their keys, whose texts are in `texts`, to the index with number `index`.
    ///
    /// Writes the blocks to `storage`, and calls `save` with each change of the directory and the text of its keys. If
    /// this throws, the writer is of no more use.
    package func apply(
        _ changes: [SortChange], to index: Int, texts: ByteBuffer, storage: some BlobStorage,
        save: (BlockDirectory.Change, _ text: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if changes.isEmpty { return }
        let merger = indexes[index]
        let directoryChanges = try merger.apply(changes, texts: texts.bytes, limits: limits, to: storage)
        try merger.directory.text.withUnsafeBytes { text in
            for change in directoryChanges { try save(change, text) }
        }
    }
}
