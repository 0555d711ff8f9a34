import Dispatch
import GRDBSQLite
import Synchronization

/// Brings what was committed from the WAL into the database file, on a thread of its own.
///
/// It copies every page once more, and syncs the WAL and then the file; done by the writer, as SQLite does it, that takes
/// a quarter of its time.
final class Checkpointer: Sendable {
    /// 64 MiB in pages of 4,096 bytes: the writer waits when there are more in the WAL, which then begins anew.
    private static let maxFrames: Int32 = 16_384
    private let connection: Mutex<Connection>
    private let isRequested = Atomic(false)
    /// How many pages are in the WAL.
    private let frames = Atomic<Int32>(0)
    private let queue = DispatchQueue(label: "rollcall.store.checkpoint")

    init(path: String) throws {
        connection = Mutex(try Connection(reading: path, cacheKiB: 64))
    }

    /// Asks for a checkpoint beside whatever is written meanwhile.
    func request() {
        if isRequested.exchange(true, ordering: .relaxed) { return }
        queue.async { [self] in
            isRequested.store(false, ordering: .relaxed)
            run(SQLITE_CHECKPOINT_PASSIVE)
        }
    }

    /// Before a transaction: waits until there is not too much in the WAL.
    func keepUp() {
        if frames.load(ordering: .relaxed) >= Self.maxFrames { queue.sync { run(SQLITE_CHECKPOINT_PASSIVE) } }
    }

    /// Makes the WAL empty, if within a second no reader is in its way.
    func truncate() {
        queue.sync { run(SQLITE_CHECKPOINT_TRUNCATE) }
    }

    /// What fails, another checkpoint does.
    private func run(_ mode: Int32) {
        var (frames, moved): (Int32, Int32) = (0, 0)
        connection.withLock { _ = sqlite3_wal_checkpoint_v2($0.handle, nil, mode, &frames, &moved) }
        // What is all moved is overwritten by the next transaction.
        self.frames.store(moved < frames ? frames : 0, ordering: .relaxed)
    }
}
