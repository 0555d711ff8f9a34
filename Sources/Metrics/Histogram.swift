import Base

/// A histogram of durations in nanoseconds, which one thread adds to and any thread may read.
public final class Histogram: Sendable {
    /// Upper bounds in nanoseconds: from 50 µs, the time of a page from memory, to 10 s, when clients have given up.
    public static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// The size of a histogram in a ``CounterRow``: one number for each bound, one for longer durations, and the sum.
    public static let width = 19

    private let tallies = CounterRow(count: width)

    public init() {}

    /// Adds a duration. Only the owning thread may call it.
    public func add(_ nanoseconds: Int) { tallies.add(duration: nanoseconds, at: 0) }

    public var value: HistogramSum { HistogramSum(tallies, at: 0) }
}

/// A snapshot of a histogram, or the sum of several.
public struct HistogramSum: Equatable, Sendable {
    /// The number of durations in each bucket: at most the bucket's bound and above the previous one. The last bucket
    /// counts those above all bounds.
    public private(set) var counts = [Int](repeating: 0, count: Histogram.bounds.count + 1)
    public private(set) var nanoseconds = 0

    public init() {}

    /// Reads the histogram that begins at `index` of `tallies`.
    public init(_ tallies: CounterRow, at index: Int) {
        for bucket in counts.indices { counts[bucket] = tallies[index + bucket] }
        nanoseconds = tallies[index + counts.count]
    }

    public var count: Int { counts.reduce(0, +) }

    public mutating func add(_ duration: Int) {
        counts[CounterRow.bucket(of: duration)] += 1
        nanoseconds += duration
    }

    public static func += (sum: inout HistogramSum, other: HistogramSum) {
        for bucket in sum.counts.indices { sum.counts[bucket] += other.counts[bucket] }
        sum.nanoseconds += other.nanoseconds
    }
}
