/// Stores coarsely when connections are due, so that one timer serves all of them.
///
/// If a deadline moves away, as it does with every request, the entry stays in its bucket. When the bucket comes up,
/// the caller checks the connection's deadline and inserts it again. So a request costs the wheel nothing.
struct TimerWheel<Entry> {
    private var buckets: [[Entry]]
    private let resolution: Int64
    /// All earlier ticks have been handled.
    private var nextTick: Int64

    init(resolution milliseconds: Int64, buckets count: Int = 512, startingAt now: MonotonicInstant) {
        resolution = max(milliseconds, 1)
        buckets = Array(repeating: [], count: count)
        nextTick = now.milliseconds / resolution
    }

    /// Returns the tick at which an entry with `deadline` comes up: the first tick after it, or the last tick of the
    /// wheel, from which the entry is inserted again.
    func tick(for deadline: MonotonicInstant) -> Int64 {
        let wanted = deadline == .never ? Int64.max : deadline.milliseconds / resolution + 1
        return min(max(wanted, nextTick), nextTick + Int64(buckets.count) - 1)
    }

    mutating func insert(_ entry: Entry, at tick: Int64) {
        buckets[Int(tick % Int64(buckets.count))].append(entry)
    }

    /// Removes and returns the entries whose tick has come, each with its tick. The caller must insert those again that
    /// are not due yet.
    mutating func takeDue(at now: MonotonicInstant) -> [(entry: Entry, tick: Int64)] {
        let last = now.milliseconds / resolution
        // After a long sleep, every bucket is due once.
        let end = min(last, nextTick + Int64(buckets.count) - 1)
        guard nextTick <= end else { return [] }
        var due: [(entry: Entry, tick: Int64)] = []
        for tick in nextTick...end {
            let bucket = Int(tick % Int64(buckets.count))
            due += buckets[bucket].map { ($0, tick) }
            buckets[bucket] = []
        }
        nextTick = last + 1
        return due
    }
}
