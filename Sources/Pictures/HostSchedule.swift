/// When one host may be asked: a few requests at a time, evenly spaced, and none while it rests. Times are those since
/// the start of the run.
struct HostSchedule: Equatable {
    /// The limits for every host.
    struct Limits: Equatable, Sendable {
        var connections = 2
        var requestsPerSecond = 10.0
        /// The number of failures in a row after which a host rests.
        var failures = 20
        var rest = Duration.seconds(3600)
        /// The pause after a 429 without `Retry-After`.
        var pause = Duration.seconds(60)

        var interval: Duration { .seconds(1 / requestsPerSecond) }
    }

    private(set) var active = 0
    private var next = Duration.zero
    private(set) var failuresInARow = 0
    /// The end of the rest that the host asked for, or that it needs.
    private(set) var restsUntil = Duration.zero

    /// Returns the time from which a request may start; `nil` before the end of one that is under way.
    func turn(_ limits: Limits) -> Duration? { active < limits.connections ? max(next, restsUntil) : nil }

    mutating func start(at now: Duration, _ limits: Limits) {
        active += 1
        next = now + limits.interval
    }

    /// Records the end of a request.
    mutating func finish(_ end: End, at now: Duration, _ limits: Limits) {
        active -= 1
        switch end {
        case .answered: failuresInARow = 0
        case .failed:
            failuresInARow += 1
            if failuresInARow >= limits.failures { rest(until: now + limits.rest) }
        case .limited(let end): rest(until: end ?? now + limits.pause)
        case .interrupted: break
        }
    }

    private mutating func rest(until end: Duration) {
        restsUntil = max(restsUntil, end)
        failuresInARow = 0
    }

    /// The end of a request, as far as its host is concerned.
    enum End: Equatable {
        case answered, failed, interrupted
        /// The host asked for a pause until a time, if it gave one.
        case limited(until: Duration?)
    }
}
