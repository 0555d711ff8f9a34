import People
import SortIndex
import Synchronization

/// The data that a store keeps in memory: updated by its watcher and its writers, read by all.
package final class SharedState: Sendable {
    private struct Known {
        var directories: [Directory] = []
        var snapshots: [Int64: SortIndexSnapshot] = [:]
        var trouble: StoreError?
        /// When the watcher last read the database without trouble.
        var polled: ContinuousClock.Instant?
        var statistics = StoreStatistics()
    }

    private let known = Mutex(Known())
    /// The origin of all directories here: see ``Directory/origin``.
    package let origin: UInt64
    let filters = FilterCache()

    package init(origin: UInt64 = 0, statistics: StoreStatistics = StoreStatistics()) {
        self.origin = origin
        known.withLock { $0.statistics = statistics }
    }

    package var directories: [Directory] { known.withLock { $0.directories } }
    /// Returns a directory if it is known as it was at `generation`.
    func directory(_ id: Int64, generation: Int64) -> Directory? {
        known.withLock { $0.directories.first { $0.id == id && $0.generation == generation } }
    }

    package var trouble: StoreError? { known.withLock { $0.trouble } }

    package var statistics: StoreStatistics { known.withLock { $0.statistics } }

    func noteSearch(isKnown: Bool) {
        known.withLock { known in
            if isKnown { known.statistics.searchHits += 1 } else { known.statistics.searchMisses += 1 }
        }
    }

    package func snapshot(of directory: Int64) -> SortIndexSnapshot? { known.withLock { $0.snapshots[directory] } }

    /// Notes the outcome of looking for changes.
    package func note(trouble: StoreError?) {
        let now = ContinuousClock.now
        known.withLock { known in
            known.trouble = trouble
            if trouble == nil { known.polled = now }
        }
    }

    /// The time since the watcher last read the database without trouble; `nil` before the first time.
    package var secondsSincePoll: Double? {
        known.withLock { $0.polled }.map { (ContinuousClock.now - $0) / .seconds(1) }
    }

    package func note(directories: [Directory]) {
        known.withLock { known in
            // A writer of this process may have noted a newer state in the meantime.
            known.directories = directories.map { directory in
                known.directories.first { $0.id == directory.id && $0.generation > directory.generation } ?? directory
            }
            known.snapshots = known.snapshots.filter { id, _ in directories.contains { $0.id == id } }
        }
    }

    /// Notes a directory as its writer left it, so that this process sees its own writes at once.
    package func note(_ directory: Directory) {
        var origined = directory
        origined.origin = origin
        known.withLock { [directory = origined] known in
            if let index = known.directories.firstIndex(where: { $0.id == directory.id }) {
                if known.directories[index].generation < directory.generation { known.directories[index] = directory }
            } else {
                known.directories.append(directory)
            }
        }
    }

    package func note(_ snapshot: SortIndexSnapshot, of directory: Int64) {
        known.withLock { $0.snapshots[directory] = snapshot }
    }
}
