import Dispatch
import Foundation
import People
import Publishing
import StoreEngine
import Synchronization

/// The directories in a PostgreSQL database, which any number of servers read and any number of imports write.
///
/// All readers of a process use one host (``HostChoice``), with a connection each. Writers take turns on a connection
/// to the primary. A watcher polls for changes.
public final class PostgresStore: EngineStore {
    let address: DatabaseAddress
    public let instance: String
    let hosts: HostChoice
    let waiting: PrimaryWaiting
    /// Unchecked: after `init` only the thread that holds ``turn`` uses it. No other thread knows the store before
    /// `init` ends.
    nonisolated(unsafe) let writer: PostgresStoreConnection
    package let turn = DispatchSemaphore(value: 1)
    let blobs = BlobCache()
    let pool: ReadingPool
    private let current: CurrentState
    private let watcher: Watcher

    /// Opens the database at `url`. If it has no tables, makes them if the purpose is one that creates databases, and
    /// throws otherwise.
    ///
    /// While no primary accepts connections, writers wait as `waiting` says. `rebuilding` is called while the search
    /// index of a directory is replaced, with the number of users done. `note` is called with messages for the person
    /// who runs the program.
    public init(
        url: String, applicationName: String = "rollcall", for purpose: StorePurpose = .serving,
        waiting: PrimaryWaiting = PrimaryWaiting(),
        note: @escaping @Sendable (String) -> Void = { _ in },
        rebuilding: (StoredDirectory, Int) -> Void = { _, _ in }
    ) throws {
        let address = try DatabaseAddress(url, applicationName: applicationName)
        self.address = address
        // If there are several servers, another one may become the primary.
        let waiting = address.hosts.count > 1 ? waiting.withoutLimit : waiting
        self.waiting = waiting
        let hosts = HostChoice(address)
        self.hosts = hosts
        pool = ReadingPool(hosts, note: note) { [blobs] in ReadingConnection(hosts, blobs) }
        writer = PostgresStoreConnection(address, .writer)
        let database = try Self.openDatabase(hosts, for: purpose, writer)
        instance = database.instance
        let current = CurrentState(database)
        self.current = current
        // A command must see what the previous one has written, which a standby may not have received yet.
        if !purpose.isReading {
            let newest = try waiting.first { [writer] in try writer.generations() }
            try hosts.check(all: newest, isAuthoritative: true)
        }
        let view = PostgresView(hosts, current, withSnapshots: purpose.isReading, note: note)
        try view.refresh()
        watcher = Watcher(view)
        do {
            try rebuildTexts(rebuilding)
        } catch let error as StoreError
            where purpose.isReading && (error.kind == .interruption || error.reason == .notPermitted)
        {
            // A server shows the directories as they are, as it does with a file that it may not write.
        }
    }

    /// Opens the database on the first host that answers.
    private static func openDatabase(
        _ hosts: HostChoice, for purpose: StorePurpose, _ writer: PostgresStoreConnection
    ) throws -> StoredDatabase {
        // Servers write seldom or never.
        defer { writer.close() }
        var failure: StoreError?
        for _ in 0..<hosts.count {
            let host = hosts.current
            let reader = PostgresStoreConnection(hosts.address, .reader(host: host))
            do {
                return try StoredDatabase.open(hosts.address, for: purpose, on: reader, writer: writer)
            } catch let error as StoreError where error.isRetryable {
                failure = failure ?? error
                hosts.leave(host)
            }
        }
        // One attempt with all hosts names the reasons of each.
        if hosts.count > 1 { _ = try writer.client() }
        throw failure ?? StoreError.behind
    }

    private func rebuildTexts(_ rebuilding: (StoredDirectory, Int) -> Void) throws {
        guard try reading({ try $0.hasOtherTexts() }) else { return }
        let connection = writer
        turn.wait()
        defer { turn.signal() }
        try Timeline.note(on: connection)
        try connection.rebuildSearchedTexts(nextGeneration: { try nextGeneration(on: connection) }, rebuilding)
        watcher.refresh()
    }

    package var state: SharedState { current.get() }

    public func makeReader(for audience: Audience) -> any UserReader { PostgresReader(self, for: audience) }

    public func refresh() { watcher.refresh() }

    public func close() {
        watcher.stop()
        pool.close()
        turn.wait()
        defer { turn.signal() }
        writer.close()
    }

    public func checkHealth() throws {
        if let trouble = state.trouble { throw trouble }
    }

    public var isRemote: Bool { true }

    public var status: StoreStatus { hosts.status }
}

/// How writers wait while no primary accepts connections.
public struct PrimaryWaiting: Sendable {
    /// Called when a wait begins, with the reason, and then every minute.
    private let notice: @Sendable (String) -> Void
    private let isOver: @Sendable () -> Bool
    /// How long to wait, in seconds, for a server that can be reached and accepts no changes; `nil` for ever.
    private var limit: Int?

    /// The wait ends when `isOver` returns `true`: by default at once. After `limit` seconds, it also ends with an
    /// error if the address names one server only, and that one only reads.
    public init(
        notice: @escaping @Sendable (String) -> Void = { _ in }, isOver: @escaping @Sendable () -> Bool = { true },
        limit: Int? = nil
    ) {
        (self.notice, self.isOver, self.limit) = (notice, isOver, limit)
    }

    var withoutLimit: PrimaryWaiting { PrimaryWaiting(notice: notice, isOver: isOver) }

    /// Repeats `attempt`, with pauses that grow from 0.2 to 5 s, as long as it throws errors that may pass.
    func first<Result>(_ attempt: () throws -> Result) throws -> Result {
        let start = ContinuousClock.now
        var (pause, noticed) = (0.2, -60.0)
        while true {
            do {
                return try attempt()
            } catch let error as StoreError where error.kind == .interruption {
                if isOver() { throw error }
                let waited = Double((ContinuousClock.now - start).components.seconds)
                if error.reason == .readOnly, let limit {
                    guard waited < Double(limit) else { throw StoreError.lastinglyReadOnly(error, for: limit) }
                    pause = min(pause, max(0.05, Double(limit) - waited))
                }
                if waited - noticed >= 60 {
                    noticed = waited
                    notice("waiting for a primary of the database: \(error)")
                }
                // In slices, so that an interrupt ends the wait at once.
                let end = ContinuousClock.now + .seconds(pause)
                while ContinuousClock.now < end, !isOver() { Thread.sleep(forTimeInterval: 0.05) }
                pause = min(2 * pause, 5)
            }
        }
    }
}

extension StoreError {
    fileprivate static func lastinglyReadOnly(_ error: StoreError, for seconds: Int) -> StoreError {
        StoreError(
            .lastinglyReadOnly,
            """
            \(error). This server has accepted no changes for \(seconds) s: it is a standby, or \
            default_transaction_read_only is on, which providers set when the disk is full. Run the same command \
            again when it accepts changes
            """)
    }
}

/// The state that readers use now. A new state begins with each new timeline of the database and after each loss of
/// data, so that data from before and after is never mixed.
final class CurrentState: Sendable {
    private struct Known {
        var database: StoredDatabase
        var state: SharedState
        /// How often the process has accepted an older state.
        var losses = 0
        /// The latest timeline, and the value of ``losses`` when it was new.
        var latest: (timeline: Int64, losses: Int)

        /// Returns an empty state. Its origin depends on the losses since the timeline was new, because the process may
        /// have shown states of the timeline that are lost.
        func empty(timeline: Int64) -> SharedState {
            let known = timeline > latest.timeline ? losses : timeline == latest.timeline ? latest.losses : 0
            let losses = losses - known
            let origin = Timeline.origin(instance: database.instance, timeline: timeline, losses: losses)
            return SharedState(origin: origin, statistics: state.statistics)
        }
    }

    private let known: Mutex<Known>

    init(_ database: StoredDatabase) {
        let origin = Timeline.origin(instance: database.instance, timeline: database.timeline)
        known = Mutex(
            Known(database: database, state: SharedState(origin: origin), latest: (database.timeline, 0)))
    }

    func get() -> SharedState { known.withLock { $0.state } }

    /// Returns an empty state for another timeline, or `nil` if it is the current one.
    func makeNext(timeline: Int64) -> SharedState? {
        known.withLock { $0.database.timeline == timeline ? nil : $0.empty(timeline: timeline) }
    }

    /// Notes a loss of data. Returns an empty state for the rest of the current timeline.
    func makeNextAfterLoss() -> SharedState {
        known.withLock { known in
            known.losses += 1
            return known.empty(timeline: known.database.timeline)
        }
    }

    func show(_ state: SharedState, timeline: Int64) {
        known.withLock { known in
            if timeline > known.latest.timeline { known.latest = (timeline, known.losses) }
            (known.database.timeline, known.state) = (timeline, state)
        }
    }
}
