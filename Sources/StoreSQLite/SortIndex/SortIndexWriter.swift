import Bytes
import Directories

/// Someone who comes into a place of an order, or leaves it.
struct SortChange {
    /// Its text is in the batch's bytes.
    var place: SortKey
    /// 1 or -1.
    var delta: Int
}

/// The orders of one directory as its writer changes them, a batch at a time.
final class SortIndexWriter {
    /// How long runs are.
    struct Limits {
        /// A run is split when it has more users than this. Reading one, which every page does, takes some microseconds;
        /// shorter ones would be more to read for a walk, longer ones more to write for a change.
        var count = 256
        /// Runs are made about this long, so that the next few users do not split them again.
        var newCount = 192
        /// A run that has fewer takes the next one in.
        var minCount = 64
        /// A run is also split when it has more bytes than this: it then fits a page of SQLite's, of 4,096.
        var bytes = 4000
    }

    /// The state of the directory that this is of; `nil` for none that is known.
    var generation: Int64?
    var limits = Limits()
    private var orders: [SortIndexMerger] = []
    private let connection: Connection

    init(connection: Connection) {
        self.connection = connection
    }

    /// Reads where the runs are, unless what is here is of the directory's generation already.
    func load(_ directory: Directory) throws {
        if generation == directory.generation { return }
        let runs = try BlockDirectory.all(of: directory.id, total: directory.total, from: connection)
        orders = zip(IndexedOrder.allCases, runs).map { order, runs in
            SortIndexMerger(runs, of: order, rows: BlockStorage(order: order, directory: directory.id, connection: connection))
        }
        generation = directory.generation
    }

    /// How many bytes of memory it takes, near enough.
    var size: Int { orders.reduce(0) { $0 + $1.runs.size } }

    /// Applies `changes`, whose texts are in `texts`.
    func apply(_ changes: consuming [SortChange], to order: IndexedOrder, texts: ByteBuffer) throws {
        if changes.isEmpty { return }
        changes.sort { $0.place.compare(in: texts.bytes, to: $1.place, in: texts.bytes) < 0 }
        try orders[Int(order.rawValue)].apply(changes, texts: texts.bytes, limits: limits)
    }
}
