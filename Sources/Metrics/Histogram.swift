/// How long something took, how often: a histogram, of whole nanoseconds, that one thread adds to and any may read.
public final class Histogram: Sendable {
    /// Upper bounds in nanoseconds: 50 µs, a page out of memory, to 10 s, when nobody waits any more.
    public static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// What a duration takes in a row of tallies: a number for each bound, one for what is longer, and the sum.
    public static let width = 19

    private let tallies = CounterRow(count: width)

    public init() {}

    /// From the one thread that this belongs to.
    public func add(_ nanoseconds: Int) { tallies.add(duration: nanoseconds, at: 0) }

    public var value: HistogramSum { HistogramSum(tallies, at: 0) }
}

extension CounterRow {
    /// Adds to the histogram that begins at `index`. From the one thread that these belong to.
    @inlinable public func add(duration nanoseconds: Int, at index: Int) {
        // Nearly all of what is frequent is in the first; the table is only asked about the others.
        let bucket = nanoseconds <= 50_000 ? 0 : Self.bucket(of: nanoseconds)
        add(1, at: index + bucket)
        add(nanoseconds, at: index + 18)
    }

    @usableFromInline static func bucket(of nanoseconds: Int) -> Int {
        Histogram.bounds.firstIndex { nanoseconds <= $0 } ?? Histogram.bounds.count
    }
}

/// A histogram as it is told, and the sum of several.
public struct HistogramSum: Equatable, Sendable {
    /// How many were up to each of the bounds, and longer than the one before; the last one is what was longer than all.
    public private(set) var counts = [Int](repeating: 0, count: Histogram.bounds.count + 1)
    public private(set) var nanoseconds = 0

    public init() {}

    /// The histogram that begins at `index` of `tallies`.
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
