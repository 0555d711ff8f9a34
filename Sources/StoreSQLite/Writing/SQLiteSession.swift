import Foundation
import StoreEngine

/// The transactions of one writer: a cache of their own, and checkpoints on another thread.
final class SQLiteSession: WritingSession {
    private let store: SQLiteStore
    private let checkpointer: Checkpointer
    /// Up to 64 MiB of pages. People without an id in the source are found by hashes and handles, whose places in their
    /// tables are random: with a million of them, an import that had 2 MiB read and wrote a page for each.
    private static let cacheKiB = 65_536

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
