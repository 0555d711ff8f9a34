import Base
import People
import SortIndex

/// Reads the sort indexes of directories: scans orders and decodes blocks.
///
/// The block directory is in memory (``SortIndexSnapshot``), or, while that is of another generation, in
/// ``BlockDirectoryTable``.
final class OrderReader {
    private let connection: any StoreConnection
    private let state: SharedState
    private let reader = SortIndexReader()

    init(_ connection: any StoreConnection, _ state: SharedState) {
        self.connection = connection
        self.state = state
    }

    /// Calls `body` with the ids of the users that a scan finds after `seek`, in the scan's direction, a block at a
    /// time, until `body` returns `false`. If `isInclusive`, the user at `seek` is included.
    ///
    /// Returns `false` if the scan ended because `maxBlocks` blocks were read. No scan may begin inside another.
    @discardableResult func scanIDs(
        _ scan: IndexScan, from seek: SeekKey?, isInclusive: Bool = false, maxBlocks: Int = .max,
        in directory: Directory, _ body: (UnsafeBufferPointer<Int64>) throws -> Bool
    ) throws -> Bool {
        try withBlocks(of: scan, from: seek, in: directory) { blocks in
            try reader.scanIDs(
                SortIndexReader.Scan(
                    scan.order.kind, isDescending: scan.isDescending, from: seek, isInclusive: isInclusive),
                maxBlocks: maxBlocks, version: directory.generation, in: storage(of: directory), blocks: blocks, body)
        }
    }

    /// Calls `body` with the keys that a scan finds after `seek` and the bytes of their texts, until `body` returns
    /// `false`.
    func scanKeys(
        _ scan: IndexScan, from seek: SeekKey?, in directory: Directory,
        _ body: (SortKey, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try withBlocks(of: scan, from: seek, in: directory) { blocks in
            try reader.scanKeys(
                SortIndexReader.Scan(scan.order.kind, isDescending: scan.isDescending, from: seek),
                version: directory.generation, in: storage(of: directory), blocks: blocks, body)
        }
    }

    /// Returns the keys of a block, valid until another one is read.
    func block(_ number: Int64, in order: IndexedOrder, of directory: Directory) throws -> SortBlock {
        // No two directories share a generation.
        try reader.block(number, order.kind, version: directory.generation, from: storage(of: directory))
    }

    /// The block directories in memory, if they are of the generation of `directory`.
    func snapshot(of directory: Directory) -> SortIndexSnapshot? {
        guard let snapshot = state.snapshot(of: directory.id), snapshot.version == directory.generation else {
            return nil
        }
        return snapshot
    }

    func table(of directory: Directory) -> BlockDirectoryTable { BlockDirectoryTable(of: directory.id, on: connection) }

    private func storage(of directory: Directory) -> any BlobStorage {
        connection.blobs(.userBlock, of: directory.id)
    }

    /// Calls `body` with a function that returns the numbers of the scan's blocks, one by one.
    private func withBlocks<Result>(
        of scan: IndexScan, from seek: SeekKey?, in directory: Directory,
        _ body: (_ next: () throws -> Int64?) throws -> Result
    ) throws -> Result {
        guard let snapshot = snapshot(of: directory) else {
            return try table(of: directory).withBlocks(of: scan, from: seek, body)
        }
        let blocks = snapshot.directory(of: scan.order.index)
        var next = scan.isDescending ? blocks.count - 1 : 0
        if let seek { next = seek.text.withUnsafeBytes { blocks.index(of: seek.key, $0) } }
        return try body {
            guard blocks.numbers.indices.contains(next) else { return nil }
            defer { next += scan.isDescending ? -1 : 1 }
            return blocks.numbers[next]
        }
    }
}
