import Foundation

/// Measures the CPU time of this thread, so that other load on the machine does not count.
struct Stopwatch {
    private let start = Self.now()

    /// CPU time in nanoseconds.
    var elapsed: Double { Self.now() - start }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

extension [Double] {
    /// The median: the mean of the middle two for an even count, NaN for an empty array.
    var median: Double {
        if isEmpty { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
