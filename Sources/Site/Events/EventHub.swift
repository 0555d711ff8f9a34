import Dispatch
import People
import Server
import Synchronization

/// The open event streams of a site. The hub tells each of them how many new people its topic has.
///
/// While there are streams, its queue looks four times a second whether a directory has changed, in memory. After a
/// change it counts once for each topic, and hands the same bytes to all streams that have seen the same. Costly topics
/// take turns (``CountingTurn``). A stream itself is a writer in a table: it has no thread, no timer and no buffer.
final class EventHub: Sendable {
    /// How often the queue looks for changes.
    static let interval = DispatchTimeInterval.milliseconds(250)
    /// The least time between two rounds of counting, in nanoseconds: an import commits several times a second.
    private static let pause: UInt64 = 1_000_000_000
    /// The time before the next round if the store could not be read.
    private static let pauseAfterFailure: UInt64 = 5_000_000_000

    private let queue = DispatchQueue(label: "rollcall.events")
    private let state = Mutex(State())
    /// Used on the queue only.
    private let counter: EventCounter
    private let pace = Mutex(DispatchTime(uptimeNanoseconds: 0))

    private struct State {
        var topics: [EventTopic: TopicAudience] = [:]
        var nextStream = 0
        var streams = 0
        /// Whether the queue looks for changes.
        var isLooking = false
        var isStopped = false
    }

    private let languages: Languages

    init(_ counter: EventCounter, _ languages: Languages) {
        self.counter = counter
        self.languages = languages
    }

    /// The number of topics that open streams are about.
    var topicCount: Int { state.withLock { $0.topics.count } }

    /// Returns a body that the events of `request` are written to while it is open.
    func stream(_ request: EventsRequest) -> LiveBody {
        // Not the request, which has the whole directory: this is kept for each of ten thousand streams.
        let now = request.directory.generation
        let stream = state.withLock { state in
            defer { state.nextStream += 1 }
            return EventStream(
                number: state.nextStream, topic: request.topic, seen: request.seen, lastEvent: request.lastEvent,
                now: now)
        }
        return LiveBody(
            opening: Self.opening, heartbeat: Self.heartbeat,
            opened: { [self] in add(stream, $0) },
            closed: { [self] in remove(stream) })
    }

    /// When a server ends, its clients come back at different times.
    private static var opening: [UInt8] { Array("retry: \(Int.random(in: 2000...10_000))\n\n".utf8) }

    /// A comment.
    private static let heartbeat: [UInt8] = Array(":\n\n".utf8)

    private func add(_ stream: EventStream, _ writer: any LiveWriter) {
        let (known, mustLook) = state.withLock { state in
            state.streams += 1
            let known = state.topics[stream.topic, default: TopicAudience()].add(stream, writer)
            defer { state.isLooking = true }
            return (known, !state.isLooking)
        }
        // The others with this topic got this event already.
        if let known { writer.write(known.event(in: languages[stream.seen.language])) }
        if mustLook { lookLater() }
    }

    private func remove(_ stream: EventStream) {
        state.withLock { state in
            state.streams -= 1
            state.topics[stream.topic]?.remove(stream)
            if state.topics[stream.topic]?.groups.isEmpty == true { state.topics[stream.topic] = nil }
        }
    }

    /// Stops looking for changes, and waits until the store is no longer read.
    func stop() {
        state.withLock { $0.isStopped = true }
        queue.sync { counter.rest() }
    }

    // MARK: On the queue

    private func lookLater() { queue.asyncAfter(deadline: .now() + Self.interval) { [self] in look() } }

    private func look() {
        let isOver = state.withLock { state in
            state.isLooking = state.streams > 0 && !state.isStopped
            return !state.isLooking
        }
        if isOver { return counter.rest() }
        defer { lookLater() }
        let start = DispatchTime.now()
        let directories = counter.directories()
        // At once, however long the last count took: nobody may hear more of a directory that is hidden now.
        endStreams(ofOthersThan: directories)
        guard start >= pace.withLock({ $0 }) else { return }
        let round = tellAll(directories)
        let end = DispatchTime.now()
        // However many topics there are, counting takes a quarter of this queue's time.
        let took = end.uptimeNanoseconds - start.uptimeNanoseconds
        let rest =
            switch round {
            case .idle: 0 as UInt64
            case .counted: max(Self.pause, 3 * took)
            case .failed: Self.pauseAfterFailure
            }
        pace.withLock { $0 = end + .nanoseconds(Int(clamping: rest)) }
    }

    private enum Round {
        /// No directory has changed.
        case idle
        case counted
        /// The store cannot be read. A later round counts what is left.
        case failed
    }

    private func tellAll(_ directories: DirectoryList) -> Round {
        var round = Round.idle
        var turn = CountingTurn()
        for (topic, isCostly) in state.withLock({ CountingTurn.order($0.topics) }) {
            guard let directory = directories.directory(of: topic) else { continue }
            let states = state.withLock { $0.topics[topic]?.uncounted(at: directory.generation) ?? [] }
            guard !states.isEmpty else { continue }
            round = .counted
            if isCostly, !turn.hasTimeForCostly {
                state.withLock { $0.topics[topic]?.noteWait() }
                continue
            }
            let start = DispatchTime.now()
            guard let counts = counter.count(topic, in: directory, since: states) else { return .failed }
            let took = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
            turn.note(took)
            state.withLock { $0.topics[topic]?.noteCount(took: took) }
            for (seen, people) in zip(states, counts) {
                // Outside the lock: there may be ten thousand writers.
                let writers = state.withLock { $0.topics[topic]?.note(people, of: seen) ?? [] }
                if writers.isEmpty { continue }
                let event = people.event(in: languages[seen.language])
                for writer in writers { writer.write(event) }
            }
        }
        return round
    }

    /// Ends the streams of directories that the site does not show any more. Their clients come back and get 404.
    private func endStreams(ofOthersThan directories: DirectoryList) {
        let hidden = state.withLock { state in
            state.topics.filter { directories.directory(of: $0.key) == nil }.map(\.value)
        }
        for audience in hidden { for writer in audience.writers { writer.end() } }
    }
}

/// One client's stream.
final class EventStream: Sendable {
    let number: Int
    let topic: EventTopic
    let seen: SeenState
    /// The generation of the last event that the client got, if it connects again.
    let lastEvent: Int64?
    /// The generation of the directory when the stream began.
    let now: Int64

    init(number: Int, topic: EventTopic, seen: SeenState, lastEvent: Int64?, now: Int64) {
        (self.number, self.topic, self.seen, self.lastEvent, self.now) = (number, topic, seen, lastEvent, now)
    }
}

extension DirectoryList {
    /// The directory of a topic; `nil` if it is gone. An empty database has none yet.
    fileprivate func directory(of topic: EventTopic) -> Directory? {
        topic.directory == Self.none.id ? shown : self[topic.directory]
    }
}

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
    static func order(_ topics: [EventTopic: TopicAudience]) -> [(topic: EventTopic, isCostly: Bool)] {
        let known = topics.map { (topic: $0.key, isCostly: isCostly($0.key, $0.value), waits: $0.value.waits) }
        let sorted = known.sorted { ($0.isCostly ? 1 : 0, $1.waits) < ($1.isCostly ? 1 : 0, $0.waits) }
        return sorted.map { ($0.topic, $0.isCostly) }
    }

    private static func isCostly(_ topic: EventTopic, _ audience: TopicAudience) -> Bool {
        if let cost = audience.cost { return cost >= costly }
        return topic.search?.filters.reduce(0) { $0 + $1.texts.count } ?? 0 > manyValues
    }
}
