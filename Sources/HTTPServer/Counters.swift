import Synchronization

/// A number that one thread adds to and any may read.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ amount: Int) { number.wrappingAdd(amount, ordering: .relaxed) }
}

/// What one event loop has done; each has its own, so that none waits for another's cache line.
struct Counters: Sendable {
    let requests = Counter()
    let bytesIn = Counter()
    let bytesOut = Counter()
}

/// How many connections are open, and were ever.
final class ConnectionGauge: Sendable {
    private let openCount = Atomic<Int>(0)
    private let acceptedCount = Atomic<Int>(0)

    var open: Int { openCount.load(ordering: .relaxed) }
    var accepted: Int { acceptedCount.load(ordering: .relaxed) }

    /// Counts one more and says how many that makes.
    func opened() -> Int {
        acceptedCount.wrappingAdd(1, ordering: .relaxed)
        return openCount.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func closed() { openCount.wrappingSubtract(1, ordering: .relaxed) }
}

extension Server {
    /// What a server has done since it started.
    public struct Statistics: Equatable, Sendable {
        public var openConnections = 0
        public var acceptedConnections = 0
        /// Answered, refusals included.
        public var requests = 0
        public var bytesIn = 0
        public var bytesOut = 0
        /// Pieces of work for `.later` that wait or run.
        public var pendingWork = 0
        public var droppedLogLines = 0
    }
}
