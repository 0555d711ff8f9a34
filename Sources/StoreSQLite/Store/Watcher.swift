import Directories
import Dispatch
import Foundation
import GRDBSQLite
import SortIndex

/// Looks four times a second whether anyone has changed the database, and then reads directories and ranks anew.
///
/// All of it happens on its own serial queue and connection; `PRAGMA data_version` costs microseconds while nothing changes.
final class Watcher: Sendable {
    private let queue = DispatchQueue(label: "rollcall.store.watcher")
    /// Unchecked: set up in `init`, and then only cancelled, which Dispatch allows from any thread.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer
    /// Unchecked: used on the queue alone once `init` is through.
    private nonisolated(unsafe) let view: DatabaseView

    /// Calls `adopt` with each file that takes the place of the one before and is good. Without ranks, positions are summed up
    /// whenever they are asked for: for those who write.
    init(_ database: OpenDatabase, withRanks: Bool, adopt: @escaping (OpenDatabase) -> Void) throws {
        let view = try DatabaseView(database, withRanks: withRanks, adopt: adopt)
        self.view = view
        try view.refresh()
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250), leeway: .milliseconds(20))
        nonisolated(unsafe) let queuesView = view
        timer.setEventHandler { queuesView.refreshNotingTrouble() }
        timer.activate()
    }

    /// When this is over, the watcher's connection is closed.
    deinit {
        timer.cancel()
        queue.sync { view.close() }
    }
}

/// The watcher's view of the database: what it saw last.
private final class DatabaseView {
    private var database: OpenDatabase
    private let withRanks: Bool
    private let adopt: (OpenDatabase) -> Void
    private var state: SharedState { database.state }
    private var connection: Connection?
    private var seenVersion: Int64?
    /// How large the file was when it was good.
    private var seenSize: Int64?
    /// Whether some ranks are older than their directory, because reading them was put off.
    private var isBehind = false
    private var mayReadRanks = DispatchTime.now()

    private static let cacheKiB = 256

    init(_ database: OpenDatabase, withRanks: Bool, adopt: @escaping (OpenDatabase) -> Void) throws {
        self.database = database
        self.withRanks = withRanks
        self.adopt = adopt
        seenSize = database.file.identity?.size
        connection = try Connection(database.file, cacheKiB: Self.cacheKiB)
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

    /// A file that was cut short looks the same as long as nobody reads what is missing; to a new connection it does not.
    private func checkSize() throws {
        let size = FileIdentity(database.file.path)?.size
        if let size, let seenSize, size < seenSize { _ = try DatabaseFile(at: database.file.path) }
        seenSize = size
    }

    /// Opens what is in the file's place now. Until that is good, what was read from the file before stays.
    private func open() throws {
        let file = try DatabaseFile(at: database.file.path)
        if file.instance.isEmpty {
            throw StoreError(.foreign, "\(file.path) is empty; expected a database that rollcall made")
        }
        let next = OpenDatabase(file, origin: .random(in: 1 ... .max), statistics: state.statistics)
        let view = try DatabaseView(next, withRanks: withRanks, adopt: adopt)
        try view.refresh()
        (database, connection, seenVersion, seenSize, isBehind) = (
            next, view.connection, view.seenVersion, view.seenSize, view.isBehind
        )
        adopt(next)
    }

    func refresh() throws {
        guard let connection else { return }
        let version = try connection.statement("PRAGMA data_version")
        defer { version.reset() }
        guard try version.step() else { return }
        let now = version.number(0)
        version.reset()
        if now == seenVersion, !isBehind { return }
        try read(connection)
        seenVersion = now
    }

    private func read(_ connection: Connection) throws {
        let directories = try connection.directories(origin: state.origin)
        // The last step ended the transaction; ranks carry the generation that they were read with.
        state.note(directories: directories)
        if withRanks { try readRanks(of: directories, connection) }
    }

    /// Large directories under import change faster than their ranks are worth reading: at most a tenth of the time goes
    /// to that, and until then readers sum up the ranks themselves.
    private func readRanks(of directories: [Directory], _ connection: Connection) throws {
        let stale = directories.filter { state.ranks(of: $0.id)?.version != $0.generation }
        isBehind = !stale.isEmpty
        let start = DispatchTime.now()
        guard isBehind, start >= mayReadRanks else { return }
        defer {
            let end = DispatchTime.now()
            mayReadRanks = end + .nanoseconds(Int(10 * (end.uptimeNanoseconds - start.uptimeNanoseconds)))
        }
        for directory in stale { try readRanks(of: directory.id, connection) }
        isBehind = false
    }

    private func readRanks(of directory: Int64, _ connection: Connection) throws {
        let statement = try connection.statement("SELECT \(Directory.columns) FROM directory WHERE id = ?")
        statement.bind(directory, at: 1)
        // Left open until the end: the ranks are read in the same transaction.
        defer { statement.reset() }
        guard try statement.step() else { return }
        let ranks = try SortIndexSnapshot(of: Directory(statement), on: connection)
        state.note(ranks: ranks, of: directory)
    }
}
