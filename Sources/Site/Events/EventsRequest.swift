import Bytes
import Directories
import HTTP

/// The parameters of `/events` and `/events.json`: those of a page of users, and what the client has seen.
struct EventsRequest: Sendable {
    private enum Name: String, CaseIterable, Sendable {
        case seen
        case seenTotal = "seen_total"
    }

    private let list: PageRequest
    let topic: EventTopic
    let seen: SeenState
    /// The generation of the last event that the client got, if it connects again.
    let lastEvent: Int64?

    /// - Parameter isStream: whether this is a stream, which a client may resume (`Last-Event-ID`).
    init(_ routed: RoutedRequest, isStream: Bool = false) throws {
        let (query, scratch) = (routed.request.query, routed.scratch)
        var list = try PageRequest(
            .page, query: query, directories: routed.directories, client: routed.client, scratch: scratch)
        // Only the people count, and not which of them a page shows in which order.
        list.start = .first
        list.sort = list.defaultSort(of: .page)
        list.view = .list
        list.perPage = nil
        list.embedding = nil
        let language = list.language?.code ?? .en
        list.language = nil
        self.list = list
        topic = EventTopic(directory: list.directory.id, search: list.search)
        let values = try NamedValues<Name>(query, scratch: scratch)
        lastEvent = !isStream ? nil : routed.request.value(of: "last-event-id").flatMap { Int64(decimalDigits: $0) }
        let now = list.directory.generation
        let given = try values.number(.seen, in: 0...(.max)).map(Int64.init)
        // A database that was restored issues the same generations again.
        let generation = min(given ?? lastEvent ?? now, now)
        seen = SeenState(
            generation: generation, total: try values.number(.seenTotal, in: 0...(.max)), language: language)
    }
}

/// `/events.json`, for clients that cannot keep a stream open: the same count, once.
extension EventsRequest: Resource {
    var directory: Directory { list.directory }
    /// People who were added lately are read one by one.
    var isSlow: Bool { seen.generation < directory.generation }
    var showsDirectories: Bool { false }
    var hasAbsoluteLinks: Bool { false }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/events.json")
        var query = QueryWriter(buffer)
        query.add("seen", Int(seen.generation))
        if let total = seen.total { query.add("seen_total", total) }
        for (name, value) in list.parameters { query.add(name, value) }
        query.add(language: seen.language)
    }

    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws -> Directory {
        var people = NewPeople(generation: directory.generation, count: 0)
        if seen.generation < directory.generation {
            let counts = try renderer.reading(renderer.counters.searchReads) {
                try $0.newPeople(of: topic, in: directory, since: [seen])
            }
            guard let count = counts?.first else { throw HTTPError.notFound }
            people = count
        }
        people.append(jsonTo: renderer.body, in: renderer.site.languages[seen.language])
        var counted = directory
        counted.generation = people.generation
        return counted
    }
}
