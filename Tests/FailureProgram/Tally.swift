import Foundation
import Synchronization

/// The outcomes of requests during one fault.
struct Counts {
    var requests = 0
    /// Requests that got no complete response of status 200, by what they got.
    var failures: [String: Int] = [:]
    var slowest = 0.0
    var walks = 0
    /// People of the start that a walk did not meet, and people that it met again.
    var lost = 0
    var repeated = 0
    /// How often a server showed an older state of the directory after a newer one.
    var back = 0
    /// The last lines of imports that ended early.
    var importEnds: [String] = []
    /// The longest time in which no server showed new people, in seconds.
    var pause = 0.0

    var failed: Int { failures.values.reduce(0, +) }
}

/// Counts for the present fault, from all threads.
final class Tally: Sendable {
    private struct State {
        var counts = Counts()
        var newest: Int64 = 0
        var lastGrowth = ContinuousClock.now
    }
    private let state = Mutex(State())

    func count(_ body: (inout Counts) -> Void) { state.withLock { body(&$0.counts) } }

    /// Notes that a server shows the directory at `generation`.
    func note(generation: Int64) {
        state.withLock { state in
            let now = ContinuousClock.now
            state.counts.pause = max(state.counts.pause, (now - state.lastGrowth) / .seconds(1))
            if generation > state.newest { (state.newest, state.lastGrowth) = (generation, now) }
        }
    }

    /// Begins to count for another fault.
    func begin() { state.withLock { ($0.counts, $0.lastGrowth) = (Counts(), .now) } }

    var counts: Counts { state.withLock { $0.counts } }
}
