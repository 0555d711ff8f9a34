import Base
import People
import Server

/// The parameters of `/events` and `/events.json`: those of a page of users, and what the client has seen.
struct EventsRequest: Sendable {
    let list: PageRequest
    let topic: EventTopic
    let seen: SeenState
    /// The generation of the last event that the client got, if it connects again.
    let lastEvent: Int64?

    /// - Parameter lastEvent: that of a stream, which a client may resume.
    init(_ routed: RoutedRequest, lastEvent: Int64? = nil) throws {
        // Only the people count, and not which of them a page shows in which order.
        var list = try routed.list(.page).selection
        list.sort = list.defaultSort(of: .page)
        let language = list.language?.code ?? .en
        list.language = nil
        self.list = list
        topic = EventTopic(directory: list.directory.id, search: list.search)
        let values = try Parameters(routed.query, [.seen, .seenTotal])
        self.lastEvent = lastEvent
        let now = list.directory.generation
        let given = try values.number(.seen, in: 0...(.max)).map(Int64.init)
        // A database that was restored issues the same generations again.
        let generation = min(given ?? lastEvent ?? now, now)
        seen = SeenState(
            generation: generation, total: try values.number(.seenTotal, in: 0...(.max)), language: language)
    }
}

/// `/events.json`, for clients that cannot keep a stream open: the same count, once.
extension EventsRequest: ListResource {
    /// People who were added lately are read one by one.
    var isSlow: Bool { seen.generation < directory.generation }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/events.json")
        var query = QueryWriter(buffer)
        query.add("seen", Int(seen.generation))
        if let total = seen.total { query.add("seen_total", total) }
        Links(base: "", request: list).addParameters(.first, as: .page, to: &query)
        query.add(language: seen.language)
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Stored<NewPeople> {
        guard seen.generation < directory.generation else {
            return Stored(directory: directory, value: NewPeople(generation: directory.generation, count: 0))
        }
        let counts = try reader.reading(reader.counters.searchReads) {
            try $0.newPeople(of: topic, in: directory, since: [seen])
        }
        let people = try required(counts?.first, .notFound)
        var counted = directory
        counted.generation = people.generation
        return Stored(directory: counted, value: people)
    }

    func write(_ people: Stored<NewPeople>, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        people.value.append(jsonTo: renderer.body, in: renderer.site.languages[seen.language])
    }
}
