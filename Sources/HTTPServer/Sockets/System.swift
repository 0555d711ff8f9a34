#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A point in time on a clock that only goes forward, to the millisecond: what deadlines are made of.
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
    /// Rounded up, so that a deadline is never early.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 1_000_000_000)
        return bounded * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}

/// What is asked of the operating system, in words of this module. All calls to clocks and descriptors are here and in
/// `Socket`.
enum System {
    /// The clocks are the coarse ones: a few milliseconds behind, and read without a system call.
    static var now: MonotonicInstant {
        #if os(Linux)
            let time = read(CLOCK_MONOTONIC_COARSE)
        #else
            let time = read(CLOCK_MONOTONIC)
        #endif
        return MonotonicInstant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    static var secondsSince1970: Int {
        #if os(Linux)
            read(CLOCK_REALTIME_COARSE).tv_sec
        #else
            read(CLOCK_REALTIME).tv_sec
        #endif
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    /// What the last failed call said, in words.
    static func message(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

    /// A peer that went away shall be an error of `write`, not the end of the process.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// One descriptor a connection: as many as the system administrator allows. Answers how many those are.
    static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return Int.max }
        let old = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if old < limit.rlim_max, setrlimit(resource, &limit) != 0 { limit.rlim_cur = old }
        return Int(clamping: limit.rlim_cur)
    }
}
