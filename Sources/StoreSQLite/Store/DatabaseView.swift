import Foundation
import StoreEngine

/// The state of the database that this process has seen last. Reads directories and block directories again when the
/// database has changed.
///
/// It has a connection of its own. `PRAGMA data_version` costs microseconds while nothing changes.
final class DatabaseView: WatchedView {
    private let current: Current
    private var database: OpenDatabase
    private var state: SharedState { database.state }
    private var connection: SQLiteConnection?
    private var seenVersion: Int64?
    /// The size of the file when it was last known to be good.
    private var seenSize: Int64?
    /// `nil` if the block directories are not kept in memory.
    private var snapshots: SnapshotSchedule?

    private static let cacheKiB = 256

    /// Each good file that replaces the one before becomes the current one. Without snapshots, which is for processes
    /// that only write, the block directories are not kept in memory.
    init(_ database: OpenDatabase, in current: Current, withSnapshots: Bool) throws {
        (self.database, self.current) = (database, current)
        snapshots = withSnapshots ? SnapshotSchedule() : nil
        seenSize = database.file.identity?.size
        connection = try SQLiteConnection(database.file, cacheKiB: Self.cacheKiB)
    }

    func refreshNotingTrouble() {
        do {
            if database.file.isReplaced { try open() }
            try checkSize()
            try refresh()
            state.note(trouble: nil)
        } catch {
            state.note(trouble: error as? StoreError ?? StoreError(.sqlite(1), "\(error)"))
        }
    }

    func close() { connection = nil }

    /// Checks a file that has shrunk. SQLite notices missing pages only when it reads them, a new connection notices at
    /// once.
    private func checkSize() throws {
        let size = FileIdentity(database.file.path)?.size
        if let size, let seenSize, size < seenSize { _ = try DatabaseFile(at: database.file.path) }
        seenSize = size
    }

    /// Opens the file that has replaced the old one. As long as it is not good, the state of the old one stays.
    private func open() throws {
        let file = try DatabaseFile(at: database.file.path)
        try file.checkIsFilled()
        let next = OpenDatabase(file, origin: .random(in: 1 ... .max), statistics: state.statistics)
        let view = try DatabaseView(next, in: current, withSnapshots: snapshots != nil)
        try view.refresh()
        (database, connection, seenVersion, seenSize, snapshots) = (
            next, view.connection, view.seenVersion, view.seenSize, view.snapshots
        )
        current.set(next)
    }

    func refresh() throws {
        guard let connection else { return }
        let now = try connection.number("PRAGMA data_version")
        if now == seenVersion, snapshots?.isBehind != true { return }
        try read(connection)
        seenVersion = now
    }

    private func read(_ connection: SQLiteConnection) throws {
        let directories = try state.noteDirectories { try connection.directories() }
        // The last step ended the transaction. Block directories carry the generation that they were read with.
        try snapshots?.update(directories, in: state, connection.sortIndexSnapshot)
    }
}
