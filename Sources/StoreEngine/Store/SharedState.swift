import Dispatch
import People
import Publishing
import Indexes
import Synchronization

/// The data that a store keeps in memory: updated by its watcher and its writers, read by all.
package final class SharedState: Sendable {
    private struct Known {
        var directories: [StoredDirectory] = [] { didSet { shown = directories.map(\.directory) } }
        /// What everybody gets.
        var shown: [Directory] = []
        /// How many directories writers of this process have added, and the number of each since the last look.
        var additions = 0
        var added: [Int64: Int] = [:]
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

    package var directories: [Directory] { known.withLock { $0.shown } }
    package var storedDirectories: [StoredDirectory] { known.withLock { $0.directories } }
    /// Returns a directory if it is known as it was at `generation`.
    func directory(_ id: Int64, generation: Int64) -> StoredDirectory? {
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

    /// Notes the directories that `read` returns. Writers of this process may add others, or note newer states, before
    /// they are noted.
    package func noteDirectories(_ read: () throws -> [StoredDirectory]) rethrows -> [StoredDirectory] {
        let additions = known.withLock { $0.additions }
        let directories = try read().map(withOrigin)
        known.withLock { known in
            let later = known.directories.filter { known.added[$0.id] ?? 0 > additions }
            let missing = later.filter { added in !directories.contains { $0.id == added.id } }
            known.directories =
                directories.map { directory in
                    known.directories.first { $0.id == directory.id && $0.generation > directory.generation }
                        ?? directory
                } + missing
            known.added = known.added.filter { $0.value > additions }
            known.snapshots = known.snapshots.filter { id, _ in known.directories.contains { $0.id == id } }
        }
        return directories
    }

    private func withOrigin(_ directory: StoredDirectory) -> StoredDirectory {
        var directory = directory
        directory.origin = origin
        return directory
    }

    /// Notes a directory as its writer left it, so that this process sees its own writes at once.
    package func note(_ directory: StoredDirectory) {
        let directory = withOrigin(directory)
        known.withLock { known in
            if let index = known.directories.firstIndex(where: { $0.id == directory.id }) {
                if known.directories[index].generation < directory.generation { known.directories[index] = directory }
            } else {
                known.directories.append(directory)
                known.additions += 1
                known.added[directory.id] = known.additions
            }
        }
    }

    package func note(_ snapshot: SortIndexSnapshot, of directory: Int64) {
        known.withLock { $0.snapshots[directory] = snapshot }
    }
}

/// The state of a database that a store has seen last. Confined to the queue of a ``Watcher``.
package protocol WatchedView: AnyObject {
    /// Looks for changes, and notes why that is impossible.
    func refreshNotingTrouble()
    func close()
}

/// Looks for changes of a database four times a second, on a serial queue of its own.
package final class Watcher: Sendable {
    private let queue = DispatchQueue(label: "rollcall.store.watcher")
    private let parts: Parts

    /// Unchecked: a timer may be cancelled on any thread. The view is used by the thread that made it until the timer
    /// is activated, and then on the queue only.
    private struct Parts: @unchecked Sendable {
        let view: any WatchedView
        let timer: any DispatchSourceTimer
    }

    package init(_ view: any WatchedView) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let parts = Parts(view: view, timer: timer)
        self.parts = parts
        timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250), leeway: .milliseconds(20))
        timer.setEventHandler { parts.view.refreshNotingTrouble() }
        timer.activate()
    }

    /// Looks for changes now, and waits for that.
    package func refresh() { queue.sync { parts.view.refreshNotingTrouble() } }

    /// Stops looking, and returns when the view is closed.
    package func stop() {
        parts.timer.cancel()
        // Without its handler, the timer does not keep itself.
        parts.timer.setEventHandler(handler: nil)
        queue.sync { parts.view.close() }
    }

    deinit { stop() }
}

/// Decides when the block directories in memory are read again.
///
/// During an import large directories change faster than that pays off: at most a tenth of the time is spent on it, and
/// in between readers use the table (``BlockDirectoryTable``).
package struct SnapshotSchedule {
    /// Whether some block directories are older than their directory, because reading them was put off.
    package private(set) var isBehind = false
    private var mayRead = DispatchTime.now()

    package init() {}

    /// Reads the block directories that are out of date with `read`, which returns `nil` if a directory does not exist.
    package mutating func update(
        _ directories: [StoredDirectory], in state: SharedState, _ read: (Int64) throws -> SortIndexSnapshot?
    ) throws {
        let stale = directories.filter { state.snapshot(of: $0.id)?.version != $0.generation }
        isBehind = !stale.isEmpty
        let start = DispatchTime.now()
        guard isBehind, start >= mayRead else { return }
        defer {
            let end = DispatchTime.now()
            mayRead = end + .nanoseconds(Int(10 * (end.uptimeNanoseconds - start.uptimeNanoseconds)))
        }
        for directory in stale {
            if let snapshot = try read(directory.id) { state.note(snapshot, of: directory.id) }
        }
        isBehind = false
    }
}
