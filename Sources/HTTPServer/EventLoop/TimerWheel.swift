/// Remembers when connections are due, coarsely: one timer turns it for all of them.
///
/// A connection whose deadline moves away, as it does with every request, is left where it is: when its time comes it is
/// asked for its deadline and put where that says. So a request costs the wheel nothing.
struct TimerWheel<Entry> {
    private var buckets: [[Entry]]
    private let resolution: Int64
    /// All ticks before this one have been dealt with.
    private var nextTick: Int64

    init(resolution milliseconds: Int64, buckets count: Int = 512, startingAt now: MonotonicInstant) {
        resolution = max(milliseconds, 1)
        buckets = Array(repeating: [], count: count)
        nextTick = now.milliseconds / resolution
    }

    /// The tick at which an entry with `deadline` comes up: the first after it, or the last one there is, to be put again.
    func tick(for deadline: MonotonicInstant) -> Int64 {
        let wanted = deadline == .never ? Int64.max : deadline.milliseconds / resolution + 1
        return min(max(wanted, nextTick), nextTick + Int64(buckets.count) - 1)
    }

    mutating func insert(_ entry: Entry, at tick: Int64) {
        buckets[Int(tick % Int64(buckets.count))].append(entry)
    }

    /// Takes out what came due, with the tick at which each was put. What is still not due is for the caller to put again.
    mutating func takeDue(at now: MonotonicInstant) -> [(entry: Entry, tick: Int64)] {
        let last = now.milliseconds / resolution
        // After a long sleep every bucket is due once.
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
