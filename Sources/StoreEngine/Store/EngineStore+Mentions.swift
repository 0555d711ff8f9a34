import Base
import People
import Publishing

extension EngineStore {
    public func clearMentions(of names: [String], alsoInTexts: Bool, in slug: Slug?) throws -> [Mention] {
        let connection = try makeReadingConnection()
        var mentions: [Mention] = []
        for directory in try directories(slug) {
            let writer = try UserWriter(store: self, directory)
            let rule = try MentionRule(names, alsoInTexts: alsoInTexts, nobodysOf: writer)
            let found = try connection.withSnapshot(of: directory.id) { _ in
                try rule.find(in: directory.id, connection)
            }
            try writer.clear(found?.people ?? [], by: rule)
            for (mention, people) in found?.counts ?? [:] {
                mentions.append(
                    Mention(
                        names[mention.name], in: mention.column, of: people, directory: directory.slug,
                        isCleared: mention.isCleared))
            }
        }
        if mentions.contains(where: \.isCleared) {
            try overwriteWhatIsGone(
                from: try directories(slug).map(\.id), "the fields are empty",
                "their values are still in the database; run this again")
        }
        let places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return mentions.sorted {
            (places[$0.name] ?? 0, $0.directory.text, $1.people, $0.column)
                < (places[$1.name] ?? 0, $1.directory.text, $0.people, $1.column)
        }
    }
}

/// Decides which values that name forgotten people are cleared.
private struct MentionRule {
    private let finder: NameFinder
    private let alsoInTexts: Bool
    /// The names that nobody else in the directory has: see ``NameFinder/key(of:)``.
    private var nobodys: Set<String> = []

    /// - Parameter writer: Knows who else has the names.
    init(_ names: [String], alsoInTexts: Bool, nobodysOf writer: UserWriter) throws {
        finder = NameFinder(names)
        self.alsoInTexts = alsoInTexts
        for name in names where try !writer.hasPerson(named: name) { nobodys.insert(NameFinder.key(of: name)) }
    }

    func clears(_ text: String, in column: String) -> Bool {
        if finder.find(in: text).isEmpty { return false }
        return alsoInTexts || Withheld.isRelation(heading: column) && nobodys.contains(NameFinder.key(of: text))
    }
}

extension MentionRule {
    /// Where a name, by its index, stands.
    struct Place: Hashable {
        var name: Int
        var column: String
        var isCleared: Bool
    }

    private static let rowsAtOnce = 8192

    /// Returns the numbers of people by where a name stands, and the people whose values must be cleared.
    func find(
        in directory: Int64, _ connection: any StoreConnection
    ) throws -> (counts: [Place: Int], people: [Int64]) {
        var (counts, people): ([Place: Int], [Int64]) = ([:], [])
        for table in Table.ofPeople(in: directory) {
            var last: Int64? = 0
            while let id = last {
                last = nil
                try connection.forEach(
                    """
                    SELECT id, more FROM \(table) WHERE id > ? AND more IS NOT NULL
                    ORDER BY id LIMIT \(Self.rowsAtOnce)
                    """, id
                ) { row in
                    last = row.number(0)
                    let places = places(in: row.bytes(1))
                    for place in places { counts[place, default: 0] += 1 }
                    if places.contains(where: \.isCleared) { people.append(row.number(0)) }
                }
            }
        }
        return (counts, people)
    }

    private func places(in more: UnsafeRawBufferPointer) -> Set<Place> {
        var places: Set<Place> = []
        // A damaged record ends where the damage begins.
        try? JSON.forEachMember(of: more) { key, value in
            let column = key.text
            value.forEachText { text, isTop in
                let isCleared = isTop && clears(text, in: column)
                for name in finder.find(in: text) {
                    places.insert(Place(name: name, column: column, isCleared: isCleared))
                }
            }
        }
        return places
    }
}

extension UserWriter {
    fileprivate func hasPerson(named name: String) throws -> Bool {
        try change { _ in try tables.finder().hasPerson(named: name) }
    }

    fileprivate func clear(_ people: [Int64], by rule: MentionRule) throws {
        for start in stride(from: 0, to: people.count, by: 1_000) {
            try change { _ in
                let batch = UserBatch(settings: directory.settings)
                for id in people[start...].prefix(1_000).sorted() {
                    try tables.readRow(of: id, as: id, into: batch)
                }
                batch.clear(where: rule.clears)
                _ = try tables.save(batch)
            }
        }
    }
}

extension UserBatch {
    /// Clears the relations whose value `isForgotten`, if the source has such columns.
    func clearRelations(_ isForgotten: (_ name: String) -> Bool) {
        let relations = Set(settings.columns.filter { Withheld.isRelation(heading: $0) })
        if !relations.isEmpty { clear { text, column in relations.contains(column) && isForgotten(text) } }
    }

    fileprivate func clear(where isGone: (_ text: String, _ column: String) -> Bool) {
        for index in records.indices {
            guard let rest = buffer.bytes[records[index].more].clearing(where: isGone) else { continue }
            update(userAt: index) { $0.more = buffer.keep(rest.bytes) }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns this object without the texts for which `isGone` holds; `nil` if there are none.
    fileprivate func clearing(where isGone: (_ text: String, _ column: String) -> Bool) -> ByteBuffer? {
        let rest = ByteBuffer(capacity: count + 1)
        var isCleared = false
        try? JSON.forEachMember(of: self) { key, value in
            let column = key.text
            let kept = value.clearing { isGone($0, column) }
            isCleared = isCleared || kept?.count != value.raw.count
            kept?.withUnsafeBytes { rest.append(member: key.raw, $0, isFirst: rest.count == 0) }
        }
        if rest.count > 0 { rest.append(UInt8(ascii: "}")) }
        return isCleared ? rest : nil
    }
}

extension JSONValue {
    /// Returns this value without the texts for which `isGone` holds: those in a list, or the whole value; `nil` if
    /// nothing is left.
    fileprivate func clearing(where isGone: (_ text: String) -> Bool) -> [UInt8]? {
        if let string { return isGone(string.text) ? nil : Array(raw) }
        guard kind == .array else { return Array(raw) }
        var (elements, isCleared): ([[UInt8]], Bool) = ([], false)
        try? JSON.forEachElement(of: raw) { element in
            if let text = element.string?.text, isGone(text) {
                isCleared = true
            } else {
                elements.append(Array(element.raw))
            }
        }
        guard isCleared else { return Array(raw) }
        let list = elements.joined(separator: [UInt8(ascii: ",")])
        return elements.isEmpty ? nil : [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")]
    }

    /// Calls `body` with each text inside, and whether it is the value itself or an element of it.
    fileprivate func forEachText(isTop: Bool = true, _ body: (_ text: String, _ isTop: Bool) -> Void) {
        if let string {
            body(string.text, isTop)
        } else if kind == .array {
            try? JSON.forEachElement(of: raw) { element in
                element.forEachText(isTop: isTop && element.kind == .string, body)
            }
        } else if kind == .object {
            try? JSON.forEachMember(of: raw) { _, member in member.forEachText(isTop: false, body) }
        }
    }
}
