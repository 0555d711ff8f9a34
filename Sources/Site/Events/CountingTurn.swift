/// One turn of counting new people: who comes first, and who waits for a later turn.
///
/// Cheap topics are counted in every turn. Costly ones share a fixed time, those that have waited longest first, so
/// sixty of them delay nobody else's events.
struct CountingTurn {
    /// The time from which on a count is costly, and the time that costly counts share in a turn, in nanoseconds. A
    /// count that has begun is finished, so each turn counts at least one of them.
    static let costly: UInt64 = 5_000_000
    static let budget: UInt64 = 100_000_000
    /// A topic with more chosen values than this is taken for costly until it is counted.
    private static let manyValues = 20

    private var spent: UInt64 = 0

    /// Whether a costly topic may still be counted in this turn.
    var hasTimeForCostly: Bool { spent < Self.budget }

    /// Notes the time of a count, in nanoseconds.
    mutating func note(_ took: UInt64) { if took >= Self.costly { spent += took } }

    /// Returns the topics in the order of a turn, and which of them are costly.
    static func order(_ topics: [EventTopic: Audience]) -> [(topic: EventTopic, isCostly: Bool)] {
        let known = topics.map { (topic: $0.key, isCostly: isCostly($0.key, $0.value), waits: $0.value.waits) }
        let sorted = known.sorted { ($0.isCostly ? 1 : 0, $1.waits) < ($1.isCostly ? 1 : 0, $0.waits) }
        return sorted.map { ($0.topic, $0.isCostly) }
    }

    private static func isCostly(_ topic: EventTopic, _ audience: Audience) -> Bool {
        if let cost = audience.cost { return cost >= costly }
        return topic.search?.filters.reduce(0) { $0 + $1.texts.count } ?? 0 > manyValues
    }
}
