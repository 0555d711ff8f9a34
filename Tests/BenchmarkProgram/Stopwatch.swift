import Foundation

/// CPU time of this thread: what a micro-benchmark counts, whatever else the machine does.
struct Stopwatch {
    private let start = Self.now()

    /// In nanoseconds.
    var elapsed: Double { Self.now() - start }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

extension [Double] {
    /// The middle value; of an even number the mean of the two in the middle; NaN of none.
    var median: Double {
        if isEmpty { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
