import Metrics
import Synchronization

/// Counts the connections of a server. Acceptors count them in, event loops count them out.
final class ConnectionGauge: Sendable {
    private let acceptedCount = Atomic<Int>(0)
    private let admittedCount = Atomic<Int>(0)
    /// Connections that are open only until their peer has read that there are too many.
    private let turnedAwayCount = Atomic<Int>(0)
    private let shares: AddressShares?
    /// Connections that were refused.
    let refused = SharedCounter()
    /// Idle connections that were closed to make room for others.
    let displaced = SharedCounter()

    /// - Parameter maxPerAddress: the connections that one address may have; 0 for any number.
    init(maxPerAddress: Int = 0) { shares = maxPerAddress > 0 ? AddressShares(max: maxPerAddress) : nil }

    var open: Int { admittedCount.load(ordering: .relaxed) + turnedAwayCount.load(ordering: .relaxed) }
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
    private let counts = Mutex<[Peer: Int]>([:])

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
