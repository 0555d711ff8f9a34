import HTTP
import Metrics

/// What one event loop has done. Each has its own, and adds to it without a lock or a locked instruction.
struct Counters: Sendable {
    let bytesIn = Counter()
    let bytesOut = Counter()
    /// What compressed answers would have had more.
    let savedBytes = Counter()
    /// When the loop's turn began, in nanoseconds; 0 while it waits.
    let turnStart = Counter()
    /// From learning what is ready until all of it has been served: so long may one connection have waited for the others.
    let turns = Histogram()
    let requests: RequestCounts
    /// Open connections, by ``ConnectionState/Phase``.
    let phases = CounterRow(count: ConnectionState.Phase.allCases.count)

    init(routes: Int) { requests = RequestCounts(routes: routes) }
}

/// Requests answered, by route and status, and how long each route took.
struct RequestCounts: Sendable {
    /// One number for each, and one for any other.
    static let statuses = [
        200, 304, 400, 404, 503, 204, 206, 301, 302, 307, 308, 405, 406, 408, 410, 412, 413, 414, 416, 417, 421, 426,
        429, 431, 500, 501, 505,
    ]
    /// The durations, a number for each status, and one for all others.
    private static let width = Histogram.width + 28

    private let routes: Int
    private let tallies: CounterRow

    init(routes: Int) {
        self.routes = max(routes, 1)
        tallies = CounterRow(count: self.routes * Self.width)
    }

    @inline(__always) func add(route: UInt8, _ status: Status, nanoseconds: Int) {
        let start = (Int(route) < routes ? Int(route) : 0) * Self.width
        tallies.add(duration: nanoseconds, at: start)
        tallies.add(1, at: start + Histogram.width + (status == .ok ? 0 : Self.index(of: status)))
    }

    private static func index(of status: Status) -> Int {
        statuses.firstIndex(of: status.rawValue) ?? statuses.count
    }

    func count(route: Int, statusAt index: Int) -> Int { tallies[route * Self.width + Histogram.width + index] }

    func durations(route: Int) -> HistogramSum { HistogramSum(tallies, at: route * Self.width) }

    var count: Int { (0..<routes).reduce(0) { $0 + durations(route: $1).count } }
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
