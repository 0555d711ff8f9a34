import Base
import People

/// The people that a stream of events is about: those of a directory that a search finds, or all of them.
///
/// Streams with equal topics share the counting.
struct EventTopic: Hashable, Sendable {
    /// The id of the directory; that of ``DirectoryList/none`` for a database without any.
    var directory: Int64
    var search: Search?
}

/// The state of its topic that a client has seen. New people are those who were added later.
struct SeenState: Hashable, Sendable {
    /// The generation of the directory.
    var generation: Int64
    /// The number of people of the topic, if the client knows it. Serves where nobody knows any more who was added.
    var total: Int?
    /// The language of the client's page.
    var language = LanguageCode.en
}

/// A count of new people, as a client gets it.
struct NewPeople: Equatable, Sendable {
    /// The generation of the directory at which they were counted.
    var generation: Int64
    var count: Int
    /// The least and the greatest of their ids; `nil` if they are not known.
    var ids: ClosedRange<Int64>?

    /// Appends the object for programs: `{"generation":42,"new":12,"label":"12 new people – show"}`. The label is for
    /// the reader. If the ids are known, `since` and `before` are the cursors around them in the order by id, as text,
    /// because numbers in JavaScript are not exact beyond 53 bits.
    func append(jsonTo buffer: ByteBuffer, in language: Language) {
        var object = ObjectWriter(buffer)
        object.add("generation", number: generation)
        object.add("new", number: Int64(count))
        object.add("label", string: language.text(.newPeople, ["count": .number(count)]))
        if let ids {
            object.add("since") { $0.append(decimal: ids.lowerBound - 1) }
            object.add("before") { $0.append(decimal: min(ids.upperBound, .max - 1) + 1) }
        }
        object.close()
    }

    /// The event (WHATWG HTML §9.2.5). Its id is the generation, which a client that connects again sends back.
    func event(in language: Language) -> [UInt8] {
        let buffer = ByteBuffer(capacity: 160)
        buffer.append("id: ")
        buffer.append(decimal: Int(generation))
        buffer.append("\nevent: people\ndata: ")
        append(jsonTo: buffer, in: language)
        buffer.append("\n\n")
        return [UInt8](buffer)
    }
}

extension UserReader {
    /// Counts the people of a topic in `directory` who are new to clients that have seen `states`. Returns `nil` if the
    /// directory does not exist any more.
    func newPeople(of topic: EventTopic, in directory: Directory, since states: [SeenState]) throws -> [NewPeople]? {
        let first = states.map(\.generation).min() ?? 0
        guard let additions = try additions(among: topic.search, in: directory.id, after: first) else { return nil }
        var total: Int??
        return try states.map { state in
            if let count = additions.count(since: state.generation) {
                return NewPeople(
                    generation: additions.directory.generation, count: count,
                    ids: additions.ids(since: state.generation))
            }
            // The list of additions does not reach back to this generation. The difference of the totals then says how
            // many people are new, if both were counted.
            let now = try total ?? countPeople(of: topic, in: additions.directory)
            total = .some(now)
            let difference = now.flatMap { now in state.total.map { now - $0 } } ?? 0
            return NewPeople(generation: additions.directory.generation, count: max(0, difference))
        }
    }

    /// Returns the number of people of a topic, or `nil` if they are too many to count.
    private func countPeople(of topic: EventTopic, in directory: Directory) throws -> Int? {
        guard let search = topic.search else { return directory.total }
        return try page(UserQuery(directory: directory.id, search: search, limit: 1))?.total
    }
}
