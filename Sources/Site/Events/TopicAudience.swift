import Server

/// The streams of one topic, grouped by what their clients have seen: those of a group get the same events.
struct TopicAudience {
    struct Group {
        var writers: [Int: any LiveWriter] = [:]
        /// The generation of the directory at the last count; `nil` before the first one.
        var counted: Int64?
        /// The last event; `nil` until somebody is new.
        var told: NewPeople?
        /// Whether the next count is an event even if nobody is new: a client may have been told about people who have
        /// left since.
        var mustTell = false
    }

    private(set) var groups: [SeenState: Group] = [:]
    /// The time of the last count, in nanoseconds; `nil` before the first one.
    private(set) var cost: UInt64?
    /// The number of turns that have left the topic out since the last count.
    private(set) var waits = 0

    var writers: [any LiveWriter] { groups.values.flatMap(\.writers.values) }

    /// Adds a stream. Returns the event that it gets at once, if the count is known and news to its client.
    mutating func add(_ stream: EventStream, _ writer: any LiveWriter) -> NewPeople? {
        let (seen, lastEvent) = (stream.seen, stream.lastEvent)
        var group = groups[seen] ?? Group(counted: seen.generation == stream.now ? stream.now : nil)
        group.writers[stream.number] = writer
        if group.told == nil, let lastEvent, lastEvent > seen.generation {
            group.mustTell = true
            group.counted = nil
        }
        groups[seen] = group
        return group.told?.generation == lastEvent ? nil : group.told
    }

    mutating func noteCount(took: UInt64) { (cost, waits) = (took, 0) }

    mutating func noteWait() { waits += 1 }

    mutating func remove(_ stream: EventStream) {
        groups[stream.seen]?.writers[stream.number] = nil
        if groups[stream.seen]?.writers.isEmpty == true { groups[stream.seen] = nil }
    }

    /// The groups that must be counted, because the directory has changed to `generation`.
    func uncounted(at generation: Int64) -> [SeenState] {
        groups.filter { $0.value.counted != generation }.map(\.key)
    }

    /// Notes a count. Returns the streams that must be told: all of the group if the number has changed.
    mutating func note(_ people: NewPeople, of seen: SeenState) -> [any LiveWriter] {
        guard var group = groups[seen] else { return [] }
        defer { groups[seen] = group }
        group.counted = people.generation
        guard group.mustTell || people.count != group.told?.count ?? 0 else { return [] }
        group.mustTell = false
        group.told = people
        return Array(group.writers.values)
    }
}
