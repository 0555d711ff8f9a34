import Dispatch
import People
import SortIndex

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
        _ directories: [Directory], in state: SharedState, _ read: (Int64) throws -> SortIndexSnapshot?
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
