import Directories
import Dispatch
import Foundation
import GRDBSQLite

/// Looks four times a second whether anyone has changed the database, and then reads directories and ranks anew.
///
/// All of it happens on its own serial queue and connection; `PRAGMA data_version` costs microseconds while nothing changes.
final class Watcher: Sendable {
    private let queue = DispatchQueue(label: "rollcall.store.watcher")
    /// Unchecked: set up in `init`, and then only cancelled, which Dispatch allows from any thread.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer
    /// Unchecked: used on the queue alone once `init` is through.
    private nonisolated(unsafe) let view: DatabaseView

    /// Without ranks, positions are summed up whenever they are asked for: for those who write.
    init(path: String, state: SharedState, withRanks: Bool) throws {
        let view = try DatabaseView(path: path, state: state, withRanks: withRanks)
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
    private let state: SharedState
    private let withRanks: Bool
    private var connection: Connection?
    private var seenVersion: Int64?
    /// Whether some ranks are older than their directory, because reading them was put off.
    private var isBehind = false
    private var mayReadRanks = DispatchTime.now()

    init(path: String, state: SharedState, withRanks: Bool) throws {
        self.state = state
        self.withRanks = withRanks
        connection = try Connection(reading: path, cacheKiB: 256)
    }

    func refreshNotingTrouble() {
        do {
            try refresh()
            state.note(trouble: nil)
        } catch {
            state.note(trouble: error as? StoreError ?? StoreError(.sqlite(1), "\(error)"))
        }
    }

    func close() { connection = nil }

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
        let statement = try connection.statement(
            "SELECT id, slug, title, source, total, generation FROM directory ORDER BY id")
        defer { statement.reset() }
        var directories: [Directory] = []
        while try statement.step() {
            if let directory = Directory(statement) { directories.append(directory) }
        }
        // The last step ended the transaction; ranks carry the generation that they were read with.
        state.note(directories: directories)
        if withRanks { try readRanks(of: directories, connection) }
    }

    /// Large directories under import change faster than their ranks are worth reading: at most a tenth of the time goes
    /// to that, and until then readers sum up the ranks themselves.
    private func readRanks(of directories: [Directory], _ connection: Connection) throws {
        let stale = directories.filter { state.ranks(of: $0.id)?.generation != $0.generation }
        isBehind = !stale.isEmpty
        let start = DispatchTime.now()
        guard isBehind, start >= mayReadRanks else { return }
        for directory in stale { try readRanks(of: directory.id, connection) }
        isBehind = false
        let end = DispatchTime.now()
        mayReadRanks = end + .nanoseconds(Int(10 * (end.uptimeNanoseconds - start.uptimeNanoseconds)))
    }

    private func readRanks(of directory: Int64, _ connection: Connection) throws {
        let generation = try connection.statement("SELECT generation FROM directory WHERE id = ?")
        generation.bind(directory, at: 1)
        defer { generation.reset() }
        guard try generation.step() else { return }
        let ranks = try RankSnapshot(directory: directory, generation: generation.number(0), from: connection)
        state.note(ranks: ranks, of: directory)
    }
}

/// Which file a path names.
struct FileIdentity: Equatable {
    var device: UInt64
    var inode: UInt64

    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
    }
}

extension Directory {
    /// From the columns id, slug, title, source, total, generation.
    init?(_ statement: Statement) {
        guard let slug = Slug(statement.text(1)) else { return nil }
        self.init(
            id: statement.number(0), slug: slug, title: statement.text(2), source: statement.text(3),
            total: Int(statement.number(4)), generation: statement.number(5))
    }
}
