import CSQLite
import Dispatch
import Synchronization

/// Copies committed pages from the WAL into the database file, on a thread of its own.
///
/// A checkpoint copies every page once more and syncs both files. In the writer's thread, where SQLite does it by
/// default, that takes a quarter of an import's time.
final class Checkpointer: Sendable {
    /// If the WAL has more pages than this, the writer waits until all are in the file. It then overwrites them.
    private let maxFrames: Int32
    private let connection: Mutex<SQLiteConnection>
    /// The number of requested checkpoints, and how many of these the last one covers.
    private let requested = Atomic(0)
    private let begun = Atomic(0)
    /// The number of pages in the WAL at the last checkpoint.
    private let frames = Atomic<Int32>(0)
    private let queue = DispatchQueue(label: "rollcall.store.checkpoint")

    /// The default of 32,768 pages is 256 MiB: a large transaction need not wait for the one before.
    init(path: String, maxFrames: Int32 = 32_768) throws {
        self.maxFrames = maxFrames
        connection = Mutex(try SQLiteConnection(reading: path, cacheKiB: 64))
    }

    /// Requests a checkpoint after a transaction, and returns at once.
    func request() {
        requested.add(1, ordering: .relaxed)
        queue.async { [self] in
            if begun.load(ordering: .relaxed) < requested.load(ordering: .relaxed) { run(SQLITE_CHECKPOINT_PASSIVE) }
        }
    }

    /// Waits, before a transaction, if the WAL is long, or may be because checkpoints are late.
    func keepUp() {
        let behind = requested.load(ordering: .relaxed) - begun.load(ordering: .relaxed)
        if behind > 1 || frames.load(ordering: .relaxed) > maxFrames {
            queue.sync { run(SQLITE_CHECKPOINT_PASSIVE) }
        }
    }

    /// Truncates the WAL, unless a reader prevents it for a second.
    func truncate() {
        queue.sync { run(SQLITE_CHECKPOINT_TRUNCATE) }
    }

    /// If a checkpoint fails, the next one repeats its work.
    private func run(_ mode: Int32) {
        begun.store(requested.load(ordering: .relaxed), ordering: .relaxed)
        var frames: Int32 = 0
        connection.withLock { _ = sqlite3_wal_checkpoint_v2($0.handle, nil, mode, &frames, nil) }
        // Even if all pages are in the file: a transaction that began meanwhile has appended to them.
        self.frames.store(frames, ordering: .relaxed)
    }
}
