import Metrics
import Synchronization

/// Counts the connections of a server. Acceptors count them in, event loops count them out.
final class ConnectionGauge: Sendable {
    private let acceptedCount = Atomic<Int>(0)
    private let admittedCount = Atomic<Int>(0)
    /// Connections with a body that stays open. They are not among the admitted ones.
    private let liveCount = Atomic<Int>(0)
    private let maxLive: Int
    /// Connections that are open only until their peer has read that there are too many.
    private let turnedAwayCount = Atomic<Int>(0)
    private let shares: AddressShares?
    /// Connections that were refused.
    let refused = SharedCounter()
    /// Idle connections that were closed to make room for others.
    let displaced = SharedCounter()

    /// Requests for a body that stays open, refused because there were too many.
    let refusedLive = SharedCounter()

    /// - Parameters:
    ///   - maxPerAddress: the connections that one address may have; 0 for any number.
    ///   - maxLive: the connections that may have a body that stays open.
    init(maxPerAddress: Int = 0, maxLive: Int = 0) {
        shares = maxPerAddress > 0 ? AddressShares(max: maxPerAddress) : nil
        self.maxLive = maxLive
    }

    var open: Int { admittedCount.load(ordering: .relaxed) + turnedAwayCount.load(ordering: .relaxed) + live }
    /// The connections with a body that stays open.
    var live: Int { liveCount.load(ordering: .relaxed) }
    var accepted: Int { acceptedCount.load(ordering: .relaxed) }

    /// Counts one more connection from `peer`, and returns how many are admitted now. Returns `nil` if its address has
    /// as many as it may.
    func admit(_ peer: Peer) -> Int? {
        acceptedCount.wrappingAdd(1, ordering: .relaxed)
        if let shares, !shares.take(peer) { return nil }
        return admittedCount.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Counts out an admitted connection.
    func leave(_ peer: Peer) {
        admittedCount.wrappingSubtract(1, ordering: .relaxed)
        shares?.giveBack(peer)
    }

    /// Counts an admitted connection among those with a body that stays open instead. Returns `false`, and changes
    /// nothing, if there are as many as there may be.
    func openLiveBody() -> Bool {
        guard liveCount.wrappingAdd(1, ordering: .relaxed).oldValue < maxLive else {
            liveCount.wrappingSubtract(1, ordering: .relaxed)
            refusedLive.add(1)
            return false
        }
        admittedCount.wrappingSubtract(1, ordering: .relaxed)
        return true
    }

    /// Counts out a connection with a body that stays open.
    func leaveLive(_ peer: Peer) {
        liveCount.wrappingSubtract(1, ordering: .relaxed)
        shares?.giveBack(peer)
    }

    /// Counts a refusal, and returns how many refused connections are open now.
    func turnAway() -> Int {
        refused.add(1)
        return turnedAwayCount.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Counts out a refused connection.
    func leaveTurnedAway() { turnedAwayCount.wrappingSubtract(1, ordering: .relaxed) }
}

/// The number of connections that each address has. Nothing is kept of an address without connections.
final class AddressShares: Sendable {
    private let max: Int
    private let counts = Mutex<[UInt128: Int]>([:])

    init(max: Int) { self.max = max }

    /// Counts one more for the address of `peer`, unless it has as many as it may. A unix socket has no address and no
    /// limit.
    func take(_ peer: Peer) -> Bool {
        guard let holder = peer.shareholder else { return true }
        return counts.withLock { counts in
            guard counts[holder, default: 0] < max else { return false }
            counts[holder, default: 0] += 1
            return true
        }
    }

    func giveBack(_ peer: Peer) {
        guard let holder = peer.shareholder else { return }
        counts.withLock { counts in
            let count = counts[holder, default: 0] - 1
            counts[holder] = count > 0 ? count : nil
        }
    }

    /// The number of addresses that have connections.
    var addresses: Int { counts.withLock { $0.count } }
}

/// How many connections are admitted at a time, and how many more are answered with 503.
struct ConnectionLimit: Equatable, Sendable {
    /// Past these, an idle connection is closed for a new one. If no connection is idle, the new one gets 503 and is
    /// closed.
    let maxConnections: Int
    /// Past so many refused connections at a time, another one is closed without an answer.
    let maxTurnedAway: Int
    /// How many of other connections may have a body that stays open.
    let maxLive: Int
    /// Notes for the operator.
    let warning: String?

    /// Descriptors that are not for connections, such as those of the database, which has one reader per worker.
    private static let reserve = 128
    private static let maxTold = 1024

    /// Derives the limits.
    ///
    /// - Parameter maxDescriptors: The number of descriptors that the process may have open. Some are reserved: without
    ///   any left, new connections would wait without a response.
    init(maxConnections wanted: Int, maxLive wantedLive: Int = 0, maxDescriptors: Int) {
        let room = max(maxDescriptors - min(Self.reserve, maxDescriptors / 2), 1)
        let places = max(room - min(Self.maxTold, room / 8), 1)
        // Where there are too few for both, connections go first, but for a quarter.
        maxLive = min(wantedLive, max(places - wanted, places / 4))
        maxConnections = min(wanted, max(places - maxLive, 1))
        maxTurnedAway = max(min(Self.maxTold, room - maxConnections - maxLive), 0)
        // Nobody needs a warning about event streams that nearly all fit.
        let isEnough = maxConnections == wanted && maxLive >= wantedLive / 2
        let (streams, wish) = wantedLive == 0 ? ("", "") : (" and \(maxLive) event streams", " and \(wantedLive)")
        warning =
            isEnough
            ? nil
            : "at most \(maxConnections) connections\(streams) at a time, not \(wanted)\(wish): the system allows this "
                + "process only \(maxDescriptors) open files (ulimit -n, or LimitNOFILE= of systemd)"
    }
}
