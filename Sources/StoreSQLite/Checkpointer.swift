import Dispatch
import GRDBSQLite
import Synchronization

/// Brings what was committed from the WAL into the database file, on a thread of its own.
///
/// A checkpoint mostly waits for the disk (it syncs the WAL, then the file); done by the writer, as SQLite does it, that
/// takes as long again as the transactions themselves.
final class Checkpointer: Sendable {
    private let connection: Mutex<Connection>
    private let isRequested = Atomic(false)
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

    /// Makes the WAL empty, if within a second no reader is in its way.
    func truncate() {
        queue.sync { run(SQLITE_CHECKPOINT_TRUNCATE) }
    }

    /// What fails, another checkpoint does.
    private func run(_ mode: Int32) {
        connection.withLock { _ = sqlite3_wal_checkpoint_v2($0.handle, nil, mode, nil, nil) }
    }
}
