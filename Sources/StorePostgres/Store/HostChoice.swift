import People
import StoreEngine
import Synchronization

/// The host that all readers of this process use, and the latest generations that this process has shown.
///
/// A standby may be behind. A reader that would show an older state than the process has shown uses another host.
final class HostChoice: Sendable {
    private struct State {
        /// The index of the host in the address.
        var host: Int
        /// The latest generation that was shown, by directory.
        var floors: [Int64: Int64] = [:]
        /// The directories whose removal was shown. On the same timeline, no other directory gets their ids.
        var removed: Set<Int64> = []
        /// When all hosts were first found to be behind; `nil` if one has the latest generations.
        var behindSince: ContinuousClock.Instant?
        /// Its host is the one that answered the watcher last. Its connections are those of readers and of the watcher.
        var status = StoreStatus()
        var lastPoll: ContinuousClock.Instant?

        init(host: Int) {
            self.host = host
            (status.reconnects, status.staleReads, status.generationsBehind) = (0, 0, 0)
            (status.openConnections, status.busyConnections) = (0, 0)
        }

        /// Notes all generations. Throws, and notes none, if one is older than was shown, or its directory was removed.
        mutating func check(_ generations: [Int64: Int64]) throws {
            for (directory, generation) in generations
            where generation < floors[directory] ?? 0 || removed.contains(directory) {
                throw stale()
            }
            floors.merge(generations) { $1 }
        }

        mutating func stale() -> StoreError {
            status.staleReads? += 1
            return .behind
        }
    }

    let address: DatabaseAddress
    private let state: Mutex<State>

    /// Begins at a random host, so that processes use different hosts.
    init(_ address: DatabaseAddress) {
        self.address = address
        var hash = SystemRandomNumberGenerator()
        state = Mutex(State(host: Int(hash.next() % UInt64(address.hosts.count))))
    }

    var count: Int { address.hosts.count }

    var current: Int { state.withLock { $0.host } }

    func countConnections(open: Int = 0, busy: Int = 0) {
        state.withLock { state in
            state.status.openConnections? += open
            state.status.busyConnections? += busy
        }
    }

    /// Leaves a host that does not answer, or is behind. Other readers may have left it already.
    func leave(_ host: Int) {
        state.withLock { state in
            state.status.reconnects? += 1
            if state.host == host { state.host = (host + 1) % count }
        }
    }

    /// Notes a generation that is about to be shown, or `nil` if the directory does not exist on the host. Throws if a
    /// later state has been shown.
    func check(_ directory: Int64, _ generation: Int64?) throws {
        try state.withLock { state in
            if let generation { return try state.check([directory: generation]) }
            // Usually the directory was removed a moment ago. If hosts are behind, this one may not have received it
            // yet.
            if state.behindSince != nil, state.floors[directory] != nil { throw state.stale() }
        }
    }

    /// Notes the generations of all directories, which are about to be shown. Throws if a later state has been shown.
    ///
    /// A directory that is missing was removed, or the host has not received it yet. It was removed if the host
    /// `isAuthoritative`: if it is the primary, or if the last state that was shown came from it.
    func check(all generations: [Int64: Int64], isAuthoritative: Bool) throws {
        try state.withLock { state in
            let missing = state.floors.keys.filter { generations[$0] == nil }
            if !missing.isEmpty, !isAuthoritative { throw state.stale() }
            try state.check(generations)
            for directory in missing { state.floors[directory] = nil }
            state.removed.formUnion(missing)
        }
    }

    /// Notes the generations that a host has returned to the watcher.
    func note(_ generations: [Int64: Int64], of host: String, isStandby: Bool) {
        state.withLock { state in
            // Of the directory that is behind most.
            let lag = generations.map { max(0, (state.floors[$0.key] ?? 0) - $0.value) }.max() ?? 0
            (state.status.host, state.status.isStandby) = (host, isStandby)
            (state.status.generationsBehind, state.lastPoll) = (Int(lag), .now)
        }
    }

    func noteSilence() { state.withLock { ($0.status.host, $0.status.isStandby) = (nil, nil) } }

    var status: StoreStatus {
        state.withLock { state in
            var status = state.status
            status.secondsSincePoll = state.lastPoll.map { (ContinuousClock.now - $0) / .seconds(1) }
            return status
        }
    }

    /// Notes whether all hosts that answer are behind. Returns for how long they have been.
    func note(isBehind: Bool) -> Duration {
        state.withLock { state in
            let now = ContinuousClock.now
            state.behindSince = isBehind ? state.behindSince ?? now : nil
            return state.behindSince.map { now - $0 } ?? .zero
        }
    }

    /// Notes that the database has another timeline: new directories may have the ids of those that a failover lost.
    func noteTimeline() { state.withLock { $0.removed = [] } }

    /// Accepts an older state, after a failover that lost data. Returns the latest generations that were shown.
    func forgetFloors() -> [Int64: Int64] {
        state.withLock { state in
            defer { (state.floors, state.removed, state.behindSince) = ([:], [], nil) }
            return state.floors
        }
    }
}
