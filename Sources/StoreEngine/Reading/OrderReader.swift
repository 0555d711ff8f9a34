import Base
import People
import Indexes

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

    /// Calls `body` with the ids of the users that a scan finds, in its direction, a block at a time, until `body`
    /// returns `false`.
    ///
    /// Returns `false` if the scan ended because `maxBlocks` blocks were read. No scan may begin inside another.
    @discardableResult func scanIDs(
        _ scan: IndexScan, maxBlocks: Int = .max, in directory: ShownDirectory,
        _ body: (UnsafeBufferPointer<Int64>) throws -> Bool
    ) throws -> Bool {
        try withBlocks(of: scan, in: directory) { blocks in
            try reader.scanIDs(
                scan.ofKeys, maxBlocks: maxBlocks, version: directory.generation, in: storage(of: directory),
                blocks: blocks, body)
        }
    }

    /// Calls `body` with the keys that a scan finds and the bytes of their texts, until `body` returns `false`.
    func scanKeys(
        _ scan: IndexScan, in directory: ShownDirectory, _ body: (SortKey, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try withBlocks(of: scan, in: directory) { blocks in
            try reader.scanKeys(
                scan.ofKeys, version: directory.generation, in: storage(of: directory), blocks: blocks, body)
        }
    }

    /// Returns the keys of a block, valid until another one is read.
    func block(_ number: Int64, in order: IndexedOrder, of directory: ShownDirectory) throws -> SortBlock {
        // No two directories share a generation.
        try StoreError.readingBlocks {
            try reader.block(number, order.kind, version: directory.generation, from: storage(of: directory))
        }
    }

    /// The block directories in memory, if they are of the generation of `directory`.
    func snapshot(of directory: ShownDirectory) -> SortIndexSnapshot? {
        guard let snapshot = state.snapshot(of: directory.id), snapshot.version == directory.generation else {
            return nil
        }
        return snapshot
    }

    func table(of directory: ShownDirectory) -> BlockDirectoryTable {
        BlockDirectoryTable(of: directory.id, on: connection)
    }

    private func storage(of directory: ShownDirectory) -> any BlobStorage {
        connection.blobs(.userBlock, of: directory.id)
    }

    /// Calls `body` with a function that returns the numbers of the scan's blocks, one by one.
    private func withBlocks<Result>(
        of scan: IndexScan, in directory: ShownDirectory, _ body: (_ next: () throws -> Int64?) throws -> Result
    ) throws -> Result {
        guard let snapshot = snapshot(of: directory) else {
            return try StoreError.readingBlocks { try table(of: directory).withBlocks(of: scan, body) }
        }
        let blocks = snapshot.directory(of: scan.order.index)
        var next = scan.isDescending ? blocks.count - 1 : 0
        if let seek = scan.start { next = seek.text.withUnsafeBytes { blocks.index(of: seek.key, $0) } }
        return try StoreError.readingBlocks {
            try body {
                guard blocks.numbers.indices.contains(next) else { return nil }
                defer { next += scan.isDescending ? -1 : 1 }
                return blocks.numbers[next]
            }
        }
    }
}

/// A sort index, the direction in which it is read, and from where.
package struct IndexScan {
    package var order: IndexedOrder
    package var isDescending: Bool
    /// The key that the scan starts after, or `nil` for an end of the order.
    var start: SeekKey?
    /// Whether the user at the start is included.
    private(set) var isInclusive = false

    /// The scan that reads the users of a page, from an end of the order.
    init(_ query: UserQuery, _ settings: ShownSettings) throws {
        self.init(
            order: try IndexedOrder(query.sort, settings),
            isDescending: query.sort.isReadBackwards != query.start.isBackward)
    }

    package init(order: IndexedOrder, isDescending: Bool, from start: SeekKey? = nil) {
        self.order = order
        self.isDescending = isDescending
        self.start = start
    }

    /// The scan in the other direction, which begins with the user at the start.
    var reversed: IndexScan {
        var scan = self
        (scan.isDescending, scan.isInclusive) = (!isDescending, true)
        return scan
    }

    func from(_ start: SeekKey?) -> IndexScan {
        var scan = self
        scan.start = start
        return scan
    }

    /// The same as the index knows it.
    fileprivate var ofKeys: SortIndexReader.Scan {
        (order.kind, isDescending, start, isInclusive)
    }
}

extension SeekKey {
    /// The key that a page of `order` starts from. `nil` for the first and the last page, and for a page by number or
    /// letter, whose key has to be looked up.
    init?(_ start: UserQuery.Start, _ order: IndexedOrder) throws {
        guard let cursor = start.cursor else { return nil }
        switch (cursor.base, order.kind) {
        case (.id(let id), .id): self.init(number: .min, id: id)
        case (.text(let text, let id), .text): self.init(text: text.withBytes { order.key($0) }, id: id)
        case (.key(let key, _, let id), .text): self.init(text: key.withUnsafeBytes { order.key($0) }, id: id)
        case (.number(let number, let id), .number): self.init(number: order.key(number), id: id)
        default: throw StoreError(.invalidCursor, "\(cursor) is not a cursor of the order")
        }
    }

    /// The key of a row of `rows` in `order`.
    init(_ row: UserRow, in rows: UserRows, _ order: IndexedOrder) {
        switch order.kind {
        case .id: self.init(number: .min, id: row.id)
        case .number: self.init(number: order.key(row.sortNumber), id: row.id)
        case .text: self.init(text: rows.text.withUnsafeBytes { order.key($0[row.sortText]) }, id: row.id)
        }
    }
}

// Converts between users and their ranks: the rank of a user is the number of users before them in the ascending
// order.
//
// The number of users before a block is known from memory, or else summed up. The rest is the user's place in the
// block.
extension OrderReader {
    /// Returns the number of users before `seek`.
    func rank(of seek: SeekKey, in order: IndexedOrder, of directory: ShownDirectory) throws -> Int {
        try seek.text.withUnsafeBytes { text in
            let (number, before): (Int64, Int)
            if let snapshot = snapshot(of: directory) {
                let blocks = snapshot.directory(of: order.index)
                let block = blocks.index(of: seek.key, text)
                (number, before) = (blocks.numbers[block], snapshot.count(before: block, in: order.index))
                if order == .id, block + 1 < blocks.count {
                    // Starts ascend, and ids are not negative.
                    let start = blocks.starts[block].id
                    if blocks.starts[block + 1].id - start == Int64(blocks.counts[block]), seek.key.id >= start {
                        return before + Int(seek.key.id - start)  // No id of the block is missing.
                    }
                }
            } else {
                let (found, start) = try table(of: directory).block(of: seek.key, text, in: order)
                (number, before) = (found, try table(of: directory).count(before: start, in: order))
            }
            let block = try block(number, in: order, of: directory)
            return before + block.count(before: seek.key, text, orAt: false)
        }
    }

    /// Returns the key that a page of `scan` starts from, or `nil` for an end of the order.
    func seekKey(_ start: UserQuery.Start, on scan: IndexScan, in directory: ShownDirectory) throws -> SeekKey? {
        guard case .at(let position) = start else { return try SeekKey(start, scan.order) }
        // The page starts after this user. Beyond the end, that is the last one.
        let last = min(position, directory.total) - 1
        guard last >= 0 else { return nil }
        return try seekKey(ofRank: scan.isDescending ? directory.total - 1 - last : last, in: scan.order, of: directory)
    }

    /// Returns the key of the user with `rank`.
    private func seekKey(ofRank rank: Int, in order: IndexedOrder, of directory: ShownDirectory) throws -> SeekKey {
        let (number, offset): (Int64, Int)
        if let snapshot = snapshot(of: directory) {
            let place = snapshot.position(ofRank: rank, in: order.index)
            (number, offset) = (snapshot.directory(of: order.index).numbers[place.block], place.offset)
        } else {
            (number, offset) = try table(of: directory).block(ofRank: rank, in: order)
        }
        let block = try block(number, in: order, of: directory)
        guard block.keys.indices.contains(offset) else { throw StoreError.damagedOrder }
        return SeekKey(block.keys[offset], in: block.text.bytes, kind: order.kind)
    }
}
