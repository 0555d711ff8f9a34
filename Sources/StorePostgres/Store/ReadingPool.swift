import Foundation
import StoreEngine

/// The connections on which the readers of a process read, each for one read at a time.
///
/// A read is done again if it loses its connection, or if the host fails or is behind. While the database accepts no
/// further connection, reads wait for one of those that work.
///
/// Unchecked: ``condition`` guards all state that changes. A connection is either idle or lent to one thread.
final class ReadingPool: @unchecked Sendable {
    private let hosts: HostChoice
    private let makeConnection: @Sendable () -> ReadingConnection
    private let note: @Sendable (String) -> Void
    private let condition = NSCondition()
    /// The connections that nobody uses. The one that was used last comes last.
    private var idle: [ReadingConnection] = []
    /// How many connections are in use.
    private var lent = 0
    /// When the next attempt to open a connection may be made, after one that failed.
    private var mayConnect = ContinuousClock.now
    /// When the next refusal is noted.
    private var mayNote = ContinuousClock.now

    /// How long to go on trying, in seconds. A promotion takes less.
    private static let patience = 2.0
    /// Between attempts when each host has had one, in seconds.
    private static let pause = 0.05
    /// How long to wait for those that work after the database has refused a further connection.
    private static let pauseAfterRefusal = Duration.seconds(1)
    /// Between two notes of that.
    private static let pauseBetweenNotes = Duration.seconds(60)

    /// - Parameter note: Reports that the database accepts no further connection.
    init(
        _ hosts: HostChoice, note: @escaping @Sendable (String) -> Void,
        _ makeConnection: @escaping @Sendable () -> ReadingConnection
    ) {
        (self.hosts, self.note, self.makeConnection) = (hosts, note, makeConnection)
    }

    /// Calls `body` with a connection, and again with another one if that is lost or its host fails.
    func withConnection<Result>(_ body: (ReadingConnection) throws -> Result) throws -> Result {
        hosts.countConnections(busy: 1)
        defer { hosts.countConnections(busy: -1) }
        var connection = take()
        defer { giveBack(connection) }
        var (start, attempts) = (ContinuousClock.now, 0)
        while true {
            connection.follow()
            let isKept = connection.isOpen
            do {
                if !isKept, try !open(&connection) { continue }
                return try body(connection)
            } catch let error as StoreError where error.isRetryable {
                if isKept, error.reason == .unreachable {
                    // A firewall may have forgotten a connection that was idle, and then those that are idle still.
                    // That says nothing about the host.
                    connection.close()
                    close()
                    start = .now
                    continue
                }
                connection.leave()
                attempts += 1
                guard ContinuousClock.now - start < .seconds(Self.patience) else { throw error }
                if attempts % hosts.count == 0 { Thread.sleep(forTimeInterval: Self.pause) }
            }
        }
    }

    func close() {
        let closed = locked {
            defer { idle = [] }
            return idle
        }
        withExtendedLifetime(closed) {}
    }

    /// Opens a connection. If the database refuses that while others of the pool work, waits for one of them, and
    /// returns `false` and that one.
    private func open(_ connection: inout ReadingConnection) throws -> Bool {
        do {
            try connection.open()
            return true
        } catch let error as StoreError where error.reason == .unreachable {
            guard let other = exchange() else { throw error }
            connection = other
            if isNoteDue() { note("readers share the connections that are open: \(error)") }
            return false
        }
    }
}

// MARK: - Under the lock

extension ReadingPool {
    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    private func take() -> ReadingConnection {
        locked {
            let kept = ContinuousClock.now < mayConnect ? nextIdle() : idle.popLast()
            lent += 1
            return kept ?? makeConnection()
        }
    }

    /// Takes the place of a connection that cannot be opened. Returns `nil` if no other works.
    private func exchange() -> ReadingConnection? {
        locked {
            mayConnect = .now + Self.pauseAfterRefusal
            lent -= 1
            if lent == 0 { condition.broadcast() }
            defer { lent += 1 }
            return nextIdle()
        }
    }

    /// Whether to note a refusal now: the first one, and then one a minute.
    private func isNoteDue() -> Bool {
        locked {
            let isDue = mayNote <= .now
            if isDue { mayNote = .now + Self.pauseBetweenNotes }
            return isDue
        }
    }

    private func nextIdle() -> ReadingConnection? {
        while idle.isEmpty, lent > 0 { condition.wait() }
        return idle.popLast()
    }

    private func giveBack(_ connection: ReadingConnection) {
        locked {
            lent -= 1
            if connection.isOpen { idle.append(connection) }
            if lent == 0 { condition.broadcast() } else { condition.signal() }
        }
    }
}

extension StoreError {
    /// The error for reads while no host has the latest state that was shown.
    static let behind = StoreError(
        .behind, "no database server that answers has the latest changes yet; try again in a few seconds")
}
