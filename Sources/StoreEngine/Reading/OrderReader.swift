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

/// A sort index and the direction in which it is read.
package struct IndexScan: Hashable {
    package var order: IndexedOrder
    package var isDescending: Bool

    /// The scan that reads the users of a page, from the page's start.
    init(_ query: UserQuery, _ settings: ResolvedSettings) throws {
        self.init(
            order: try IndexedOrder(query.sort, settings),
            isDescending: query.sort.isReadBackwards != query.start.isBackward)
    }

    package init(order: IndexedOrder, isDescending: Bool) {
        self.order = order
        self.isDescending = isDescending
    }

    var reversed: IndexScan { IndexScan(order: order, isDescending: !isDescending) }
}

extension SeekKey {
    /// The key that a page of `order` starts from. `nil` for the first and the last page, and for a page by number or
    /// letter, whose key has to be looked up.
    init?(_ start: UserQuery.Start, _ order: IndexedOrder) throws {
        switch start {
        case .first, .last, .at, .letter: return nil
        case .after(let cursor), .before(let cursor):
            switch (cursor.base, order.kind) {
            // The order by a hidden reputation is read by id: see `IndexedOrder`.
            case (.id(let id), .id), (.number(_, let id), .id): self.init(number: .min, id: id)
            case (.text(var text, let id), .text):
                self.init(text: text.withUTF8 { order.key(UnsafeRawBufferPointer($0)) }, id: id)
            case (.key(let key, _, let id), .text):
                self.init(text: key.withUnsafeBytes { order.key($0) }, id: id)
            case (.number(let number, let id), .number): self.init(number: order.key(number), id: id)
            default: throw StoreError(.invalidCursor, "\(cursor) is not a cursor of the order")
            }
        }
    }

    /// The key of a row of `rows` in `order`.
    init(_ row: UserRow, in rows: UserRows, _ order: IndexedOrder) {
        switch order.kind {
        case .id: self.init(number: .min, id: row.id)
        case .number where order.isReputation: self.init(number: order.key(row.reputation), id: row.id)
        case .number: self.init(number: order.key(row.sortNumber), id: row.id)
        case .text: self.init(text: rows.text.withUnsafeBytes { order.key($0[row.sortText]) }, id: row.id)
        }
    }
}
