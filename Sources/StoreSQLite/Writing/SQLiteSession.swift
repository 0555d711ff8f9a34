import Foundation
import StoreEngine

/// The transactions of one writer: a cache of their own, and checkpoints on another thread.
final class SQLiteSession: WritingSession {
    private let store: SQLiteStore
    private let checkpointer: Checkpointer
    /// 2 MiB of pages: those that a batch changes, and their ancestors. An import of a million users took as long with
    /// 64 MiB.
    private static let cacheKiB = 2048

    init(_ store: SQLiteStore) throws {
        self.store = store
        try store.transaction { connection in
            try connection.execute("PRAGMA cache_size = -\(Self.cacheKiB); PRAGMA wal_autocheckpoint = 0")
        }
        checkpointer = try Checkpointer(path: store.path)
    }

    /// All writers of a file take turns.
    let maxDuration = Duration.milliseconds(400)

    func keepUp() { checkpointer.keepUp() }

    func noteCommit() { checkpointer.request() }

    /// Others that want to write look every three milliseconds.
    func pause(after duration: Duration) {
        if duration > .milliseconds(100) { Thread.sleep(forTimeInterval: 0.004) }
    }

    /// Another thread may have a transaction open meanwhile.
    func end(_ connection: any StoreConnection) {
        store.writing?.use { shared in
            connection.removeStatements()
            try? shared.execute(
                """
                PRAGMA cache_size = -2000; PRAGMA wal_autocheckpoint = \(WritingConnection.autocheckpoint);
                PRAGMA shrink_memory
                """)
        }
        checkpointer.truncate()
    }
}
