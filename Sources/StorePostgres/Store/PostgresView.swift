import Foundation
import People
import Publishing
import StoreEngine

/// The state of the database that this process has seen last. Asks the host in use which generations the directories
/// have, and reads directories and block directories that have changed.
///
/// It has a connection of its own. Asking costs the server 50 µs. Standbys have no notifications (`LISTEN`).
final class PostgresView: WatchedView {
    private let hosts: HostChoice
    private let current: CurrentState
    private let note: @Sendable (String) -> Void
    private let reading: ReadingConnection
    private var generations: [Int64: Int64] = [:]
    /// The generations that the host returned last. It may be behind.
    private var polled: [Int64: Int64] = [:]
    private var timeline: Int64 = -1
    /// The session of the connection whose generations were shown last.
    private var shownSession = 0
    /// `nil` if the block directories are not kept in memory.
    private var snapshots: SnapshotSchedule?
    /// The directories whose tables the role may not read, as was noted.
    private var denied: Set<Int64> = []
    /// The state that takes the place of the current one as soon as it is read.
    private var next: SharedState?

    /// How long all hosts may be behind until the process accepts their state. If a primary is among them, data is
    /// lost; without one, it may be.
    private static let patience = (withPrimary: Duration.seconds(2), withoutPrimary: Duration.seconds(10))

    init(
        _ hosts: HostChoice, _ current: CurrentState, withSnapshots: Bool, note: @escaping @Sendable (String) -> Void
    ) {
        (self.hosts, self.current, self.note) = (hosts, current, note)
        snapshots = withSnapshots ? SnapshotSchedule() : nil
        reading = ReadingConnection(hosts)
    }

    func close() { reading.close() }

    func refreshNotingTrouble() {
        do {
            try refresh()
            current.get().note(trouble: nil)
        } catch {
            hosts.noteSilence()
            current.get().note(trouble: error as? StoreError ?? StoreError(.database(0), "\(error)"))
        }
    }

    /// Asks one host after the other until one answers with a state that may be shown.
    func refresh() throws {
        var (failures, hasPrimary): ([StoreError], Bool) = ([], false)
        // The first attempt may find that the connection was lost, which says little about its host.
        for _ in 0...hosts.count {
            reading.follow()
            do {
                try poll(&hasPrimary)
                _ = hosts.note(isBehind: false)
                return
            } catch let error as StoreError where error.isRetryable {
                failures.append(error)
                reading.leave()
            }
        }
        let behind = failures.first { $0.reason == .behind }
        let duration = hosts.note(isBehind: behind != nil)
        if duration > (hasPrimary ? Self.patience.withPrimary : Self.patience.withoutPrimary) { acceptLoss() }
        // This is the reason not to be ready, even if other hosts cannot be reached.
        throw behind ?? failures[0]
    }

    /// Lets the process show an older state, because the latest one is lost.
    private func acceptLoss() {
        let shown = hosts.forgetFloors()
        next = current.makeNextAfterLoss()
        generations = [:]
        let lost = current.get().directories.compactMap { directory -> String? in
            let (before, now) = (shown[directory.id] ?? 0, polled[directory.id] ?? 0)
            return now < before ? "\(directory.slug) (generation \(now) instead of \(before))" : nil
        }
        let places = lost.isEmpty ? "" : ". Directories with lost changes: \(lost.joined(separator: ", "))"
        note(
            """
            a failover of the database has lost changes that were shown: no database server that answers has them. \
            From now on, the older state is shown; run the latest imports and commands again\(places)
            """)
    }

    private func poll(_ hasPrimary: inout Bool) throws {
        let connection = reading.connection
        let client = try connection.client()
        let rows = try connection.statement(
            """
            SELECT directory.id, directory.generation, timeline, pg_is_in_recovery(), format
            FROM database LEFT JOIN directory ON NOT \(connection.exists(table: IncompleteCopy.table))
            """)
        defer { rows.reset() }
        var (found, isStandby): ([Int64: Int64], Bool) = ([:], false)
        var (foundTimeline, format) = (timeline, Int64(0))
        while try rows.step() {
            if !rows.isNull(0) { found[rows.number(0)] = rows.number(1) }
            (foundTimeline, format) = (rows.number(2), rows.number(4))
            isStandby = rows.number(3) != 0
        }
        rows.reset()
        try TableFormat.check(format, of: "\(hosts.address)")
        if !isStandby { hasPrimary = true }
        hosts.note(found, of: client.host, isStandby: isStandby)
        polled = found
        if foundTimeline != timeline { hosts.noteTimeline() }
        let session = try connection.session
        try hosts.check(all: found, isAuthoritative: !isStandby || session == shownSession)
        shownSession = session
        if foundTimeline != timeline {
            next = current.makeNext(timeline: foundTimeline)
            generations = [:]
        } else if found == generations, snapshots?.isBehind != true {
            return
        }
        // Only a state with its directories is shown: without them, the database would seem empty.
        try read(connection, into: next ?? current.get())
        if let next { current.show(next, timeline: foundTimeline) }
        next = nil
        timeline = foundTimeline
        generations = found
    }

    private func read(_ connection: PostgresStoreConnection, into state: SharedState) throws {
        let directories = try state.noteDirectories { try connection.reading(connection.directories) }
        try snapshots?.update(directories, in: state) { directory in
            do {
                let snapshot = try connection.sortIndexSnapshot(of: directory)
                denied.remove(directory)
                return snapshot
            } catch let error as StoreError where error.kind == .denied {
                // Its requests fail, and those of others need not.
                try noteDenied(directories.first { $0.id == directory }, on: connection)
                return nil
            }
        }
    }

    private func noteDenied(_ directory: StoredDirectory?, on connection: PostgresStoreConnection) throws {
        guard let directory, !denied.contains(directory.id) else { return }
        let schema = hosts.address.schema
        let names = try connection.first(
            """
            SELECT current_user, pg_get_userbyid(relowner) FROM pg_class
            WHERE oid = to_regclass('"\(schema)".user\(directory.id)')
            """
        ) { (role: $0.text(0), owner: $0.text(1)) }
        // Without the table, the directory is not complete yet.
        guard let names else { return }
        denied.insert(directory.id)
        note(
            """
            \(directory.slug) cannot be read: the role \(names.role) may not read its tables. As \(names.owner): \
            GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO "\(names.role)"; and, for directories to come: \
            ALTER DEFAULT PRIVILEGES FOR ROLE "\(names.owner)" IN SCHEMA \(schema) GRANT SELECT ON TABLES TO \
            "\(names.role)"
            """)
    }
}
