import Base
import JSON
import People

extension EngineStore {
    public func mentions(of names: [String], in slug: Slug?) throws -> [Mention] {
        let finder = NameFinder(names)
        let connection = try makeReadingConnection()
        let found = try directories(slug).map { directory in
            let rows = MentionReader(of: directory.id, connection)
            return (
                directory.slug, try connection.withSnapshot(of: directory.id) { _ in try rows.count(finder) } ?? [:]
            )
        }
        return names.indices.flatMap { name in
            found.flatMap { slug, counts in
                (counts[name] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { column, people in
                    Mention(names[name], in: column, of: people, directory: slug)
                }
            }
        }
    }
}

/// Reads what the people of a directory have in columns of their own.
private struct MentionReader {
    private static let rowsAtOnce = 8192
    private let directory: Int64
    private let connection: any StoreConnection
    private let scratch = ByteBuffer(capacity: 1024)

    init(of directory: Int64, _ connection: any StoreConnection) {
        (self.directory, self.connection) = (directory, connection)
    }

    /// Returns the number of people by the index of a name and by the column in which they have it.
    func count(_ finder: NameFinder) throws -> [Int: [String: Int]] {
        var counts: [Int: [String: Int]] = [:]
        for table in ["user", "userHidden"] {
            let rows = try connection.statement(
                """
                SELECT id, more FROM \(table)\(directory) WHERE id > ? AND more IS NOT NULL
                ORDER BY id LIMIT \(Self.rowsAtOnce)
                """)
            var last: Int64? = 0
            while let id = last {
                last = nil
                rows.bind(id, at: 1)
                defer { rows.reset() }
                while try rows.step() {
                    last = rows.number(0)
                    count(rows.bytes(1), finder, &counts)
                }
            }
        }
        return counts
    }

    private func count(
        _ more: UnsafeRawBufferPointer, _ finder: NameFinder, _ counts: inout [Int: [String: Int]]
    ) {
        // A damaged record ends where the damage begins.
        try? JSON.forEachMember(of: more) { key, value in
            var found: Set<Int> = []
            find(in: value, finder, &found)
            for name in found { counts[name, default: [:]][key.text, default: 0] += 1 }
        }
    }

    private func find(in value: JSONValue, _ finder: NameFinder, _ found: inout Set<Int>) {
        if let string = value.string {
            scratch.removeAll()
            string.append(to: scratch)
            finder.find(in: scratch.bytes, &found)
        } else if value.kind == .array {
            try? JSON.forEachElement(of: value.raw) { find(in: $0, finder, &found) }
        } else if value.kind == .object {
            try? JSON.forEachMember(of: value.raw) { _, member in find(in: member, finder, &found) }
        }
    }
}
