import Dispatch
import GRDBSQLite
import Synchronization

/// Brings what was committed from the WAL into the database file, on a thread of its own.
///
/// It copies every page once more, and syncs the WAL and then the file; done by the writer, as SQLite does it, that takes
/// a quarter of its time.
final class Checkpointer: Sendable {
    /// When there are more pages in the WAL, the writer waits until all are in the file; it then writes over them.
    private let maxFrames: Int32
    private let connection: Mutex<Connection>
    /// How many checkpoints were asked for, and how many of them one that has begun is for.
    private let requested = Atomic(0)
    private let begun = Atomic(0)
    /// How many pages were in the WAL.
    private let frames = Atomic<Int32>(0)
    private let queue = DispatchQueue(label: "rollcall.store.checkpoint")

    /// 32,768 pages of 4,096 bytes are 128 MiB.
    init(path: String, maxFrames: Int32 = 32_768) throws {
        self.maxFrames = maxFrames
        connection = Mutex(try Connection(reading: path, cacheKiB: 64))
    }

    /// After a transaction: asks for a checkpoint beside whatever is written meanwhile.
    func request() {
        requested.add(1, ordering: .relaxed)
        queue.async { [self] in
            if begun.load(ordering: .relaxed) < requested.load(ordering: .relaxed) { run(SQLITE_CHECKPOINT_PASSIVE) }
        }
    }

    /// Before a transaction: waits if there is much in the WAL, or if there may be, because checkpoints are behind.
    func keepUp() {
        let behind = requested.load(ordering: .relaxed) - begun.load(ordering: .relaxed)
        if behind > 1 || frames.load(ordering: .relaxed) > maxFrames {
            queue.sync { run(SQLITE_CHECKPOINT_PASSIVE) }
        }
    }

    /// Makes the WAL empty, if within a second no reader is in its way.
    func truncate() {
        queue.sync { run(SQLITE_CHECKPOINT_TRUNCATE) }
    }

    /// What fails, another checkpoint does.
    private func run(_ mode: Int32) {
        begun.store(requested.load(ordering: .relaxed), ordering: .relaxed)
        var frames: Int32 = 0
        connection.withLock { _ = sqlite3_wal_checkpoint_v2($0.handle, nil, mode, &frames, nil) }
        // Even if all are in the file: a transaction that began meanwhile is behind them, not over them.
        self.frames.store(frames, ordering: .relaxed)
    }
}
