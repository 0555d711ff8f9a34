import Glibc

/// A point in time on a monotonic clock, in milliseconds. Deadlines are values of this type.
struct MonotonicInstant: Comparable, Hashable, Sendable {
    var milliseconds: Int64

    /// Later than any deadline.
    static let never = MonotonicInstant(milliseconds: .max)

    static func < (one: Self, other: Self) -> Bool { one.milliseconds < other.milliseconds }
    static func + (moment: Self, milliseconds: Int64) -> Self {
        MonotonicInstant(milliseconds: moment.milliseconds + milliseconds)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, so that a deadline is never early.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 1_000_000_000)
        return bounded * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}

/// Access to clocks and process limits. All calls to clocks and descriptors are here and in `Socket`.
enum System {
    /// The time on the coarse clock, which is a few milliseconds behind and needs no system call.
    static var now: MonotonicInstant {
        let time = read(CLOCK_MONOTONIC_COARSE)
        return MonotonicInstant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    static var secondsSince1970: Int {
        read(CLOCK_REALTIME_COARSE).tv_sec
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    /// Returns the description of an error code, by default that of the last failed call.
    static func message(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

    /// Ignores SIGPIPE: `write` shall report that the peer has gone away, instead of ending the process.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// Raises the limit of open descriptors to the maximum that the system administrator allows. Every connection needs
    /// one. Returns the new limit.
    static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return Int.max }
        let old = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if old < limit.rlim_max, setrlimit(resource, &limit) != 0 { limit.rlim_cur = old }
        return Int(clamping: limit.rlim_cur)
    }
}
