import Base
import People
import SortIndex

/// The sort indexes of one directory as its writer changes them: the blocks in `userBlock`, the block directories in
/// memory and in `userBlockDirectory`.
final class OrderWriter {
    /// The generation of the directory that the block directories in memory are of, or `nil` if they are not valid.
    var generation: Int64?
    /// The sizes of blocks. Tests make them small.
    var limits = SortIndexWriter.Limits()
    private(set) var orders = IndexedOrder.common
    private var indexes = SortIndexWriter([])
    private let directory: Int64
    private let connection: any StoreConnection

    init(of directory: Int64, on connection: any StoreConnection) {
        self.directory = directory
        self.connection = connection
    }

    private var table: BlockDirectoryTable { BlockDirectoryTable(of: directory, on: connection) }

    /// Reads the block directories, unless those in memory are of the generation of `directory` already.
    func load(_ directory: Directory) throws {
        if generation == directory.generation { return }
        orders = IndexedOrder.all(directory.settings)
        let directories = try table.load(orders, total: directory.total)
        indexes = SortIndexWriter(zip(orders, directories).map { ($1, $0.kind) })
        generation = directory.generation
    }

    /// Removes all orders, and creates those of `settings` without users.
    func clear(_ settings: ResolvedSettings) throws {
        try connection.execute("DELETE FROM userBlock\(directory); DELETE FROM userBlockDirectory\(directory)")
        orders = IndexedOrder.all(settings)
        let storage = connection.blobs(.userBlock, of: directory)
        for order in orders {
            let number = try SortBlock.empty.withUnsafeBytes { try storage.add($0) }
            try table.insertFirstBlock(number, of: order)
        }
        let directories = try table.load(orders, total: 0)
        indexes = SortIndexWriter(zip(orders, directories).map { ($1, $0.kind) })
    }

    /// The approximate size in memory, in bytes.
    var size: Int { indexes.size }

    /// Applies sorted `changes`, whose texts are in `texts`, to the index of an order.
    func apply(_ changes: [SortChange], to order: IndexedOrder, texts: ByteBuffer) throws {
        let table = table
        indexes.limits = limits
        do {
            try indexes.apply(
                changes, to: order.index, texts: texts, storage: connection.blobs(.userBlock, of: directory)
            ) { change, text in try table.save(change, text, in: order) }
        } catch is DamagedBlock {
            throw StoreError.damagedOrder
        }
    }
}
