import Base
import Metrics

/// The counters of one event loop. Each loop has its own and updates it without a lock or an atomic instruction.
struct Counters: Sendable {
    let bytesIn = Counter()
    let bytesOut = Counter()
    /// The number of bytes that compression saved.
    let savedBytes = Counter()
    /// When the loop's turn began, in nanoseconds; 0 while the loop waits.
    let turnStart = Counter()
    /// The time to serve all connections that were ready at once: the longest that one of them waited for the others.
    let turns = Histogram()
    let requests: RequestCounts
    /// Open connections, by ``ConnectionState/Phase``.
    let phases = CounterRow(count: ConnectionState.Phase.allCases.count)

    init(routes: Int) { requests = RequestCounts(routes: routes) }
}

/// Counts requests by route and status, and measures how long each route took.
struct RequestCounts: Sendable {
    /// The statuses that have a counter of their own. All others share one.
    static let statuses = [
        200, 304, 400, 404, 503, 204, 206, 301, 302, 307, 308, 405, 406, 408, 410, 412, 413, 414, 416, 417, 421, 426,
        429, 431, 500, 501, 505,
    ]
    /// The number of counters per route: the durations, one for each status, and one for all other statuses.
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
}
