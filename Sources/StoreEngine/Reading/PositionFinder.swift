import Base
import People
import SortIndex

/// Converts between users and their ranks: the rank of a user is the number of users before them in the ascending
/// order.
///
/// The number of users before a block is known from memory, or else summed up. The rest is the user's place in the
/// block.
struct PositionFinder {
    private let orders: OrderReader

    init(_ orders: OrderReader) {
        self.orders = orders
    }

    /// Returns the rank of `row` in `order`.
    func rank(of row: UserRow, in rows: UserRows, _ order: IndexedOrder, of directory: Directory) throws -> Int {
        let seek = SeekKey(row, in: rows, order)
        return try seek.text.withUnsafeBytes { try rank(of: seek.key, $0, in: order, of: directory) }
    }

    /// Returns the number of users before `seek`.
    func rank(of seek: SeekKey, in order: IndexedOrder, of directory: Directory) throws -> Int {
        try seek.text.withUnsafeBytes { try rank(of: seek.key, $0, in: order, of: directory) }
    }

    private func rank(
        of key: SortKey, _ text: UnsafeRawBufferPointer, in order: IndexedOrder, of directory: Directory
    ) throws -> Int {
        guard let snapshot = orders.snapshot(of: directory) else {
            let (number, start) = try orders.table(of: directory).block(of: key, text, in: order)
            let before = try orders.table(of: directory).count(before: start, in: order)
            return try before + count(before: key, text, inBlock: number, order, directory)
        }
        let blocks = snapshot.directory(of: order.index)
        let block = blocks.index(of: key, text)
        let before = snapshot.count(before: block, in: order.index)
        if order == .id, block + 1 < blocks.count {
            // Starts ascend, and ids are not negative.
            let start = blocks.starts[block].id
            if blocks.starts[block + 1].id - start == Int64(blocks.counts[block]), key.id >= start {
                return before + Int(key.id - start)  // No id of the block is missing.
            }
        }
        return try before + count(before: key, text, inBlock: blocks.numbers[block], order, directory)
    }

    private func count(
        before key: SortKey, _ text: UnsafeRawBufferPointer, inBlock number: Int64, _ order: IndexedOrder,
        _ directory: Directory
    ) throws -> Int {
        try orders.block(number, in: order, of: directory).count(before: key, text, orAt: false)
    }

    /// Returns the key that a page of `scan` starts from, or `nil` for an end of the order.
    func seekKey(_ start: UserQuery.Start, on scan: IndexScan, in directory: Directory) throws -> SeekKey? {
        guard case .at(let position) = start else { return try SeekKey(start, scan.order) }
        // The page starts after this user. Beyond the end, that is the last one.
        let last = min(position, directory.total) - 1
        guard last >= 0 else { return nil }
        return try seekKey(ofRank: scan.isDescending ? directory.total - 1 - last : last, in: scan.order, of: directory)
    }

    /// Returns the key of the user with `rank`.
    private func seekKey(ofRank rank: Int, in order: IndexedOrder, of directory: Directory) throws -> SeekKey {
        let (number, offset) = try block(ofRank: rank, in: order, of: directory)
        let block = try orders.block(number, in: order, of: directory)
        guard block.keys.indices.contains(offset) else { throw StoreError.damagedOrder }
        return SeekKey(block.keys[offset], in: block.text.bytes, kind: order.kind)
    }

    private func block(
        ofRank rank: Int, in order: IndexedOrder, of directory: Directory
    ) throws -> (number: Int64, offset: Int) {
        guard let snapshot = orders.snapshot(of: directory) else {
            return try orders.table(of: directory).block(ofRank: rank, in: order)
        }
        let (block, offset) = snapshot.position(ofRank: rank, in: order.index)
        return (snapshot.directory(of: order.index).numbers[block], offset)
    }
}
