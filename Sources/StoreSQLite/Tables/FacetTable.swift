import Bytes
import Directories
import JSON

/// The values of the facets of one directory as its writer changes them, and the number of users with each.
///
/// A value has a number, which rows and search index contain instead of it. Numbers are never reused, so a facet that
/// once had too many values stays excluded.
final class FacetTable {
    private struct Value {
        let facet: Facet
        let number: Int64
        /// The value as it is shown: in the spelling that came first.
        let text: [UInt8]
        /// Other spellings that have come, which differ in case only.
        var otherTexts: [[UInt8]] = []
        var count: Int64
        var isChanged = false
    }

    /// The generation of the directory that the values are of, or `nil` if they are not valid.
    var generation: Int64?
    /// In the order in which they came, so that the most frequent values are found at once.
    private var values: [Value] = []
    private let directory: Int64
    private let connection: Connection
    private let scratch = ByteBuffer(capacity: 256)

    init(directory: Int64, connection: Connection) {
        self.directory = directory
        self.connection = connection
    }

    /// Reads the values, unless those in memory are of `generation` already.
    func load(_ generation: Int64) throws {
        if generation == self.generation { return }
        values = []
        let rows = try connection.statement(
            "SELECT facet, number, value, count FROM facet WHERE directory = ? ORDER BY number")
        rows.bind(directory, at: 1)
        defer { rows.reset() }
        while try rows.step() {
            guard let facet = rows.facet(0) else { continue }
            values.append(
                Value(
                    facet: facet, number: try rows.facetValue(1), text: Array(rows.bytes(2)),
                    count: Int64(try rows.count(3, "the count of a value"))))
        }
        self.generation = generation
    }

    /// Returns the values of a user. Values that are new get a number.
    func facets(of record: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer) -> UserFacets {
        var facets = UserFacets()
        switch record.shape {
        case .plain: facets[.type] = number(.type, bytes[record.type])
        case .stackExchange:
            let type = bytes[record.type]
            // Stack Exchange's "registered" is a plain user in Rollcall.
            facets[.userType] = type.equals("User") ? number(.userType, "registered") : number(.userType, type)
        case .rickAndMorty:
            try? JSON.forEachMember(of: bytes[record.more]) { key, value in
                guard let text = value.string,
                    let facet = Facet.of(.rickAndMorty).first(where: { key.raw.elementsEqual($0.name.utf8) })
                else { return }
                scratch.removeAll()
                text.append(to: scratch)
                facets[facet] = number(facet, scratch.bytes)
            }
        }
        return facets
    }

    /// Updates the counts for a user whose values change from `old` to `new`.
    func change(from old: UserFacets, to new: UserFacets) {
        old.subtracting(new).forEach { count($0, $1, -1) }
        new.subtracting(old).forEach { count($0, $1, 1) }
    }

    /// Saves the values that have changed.
    func save() throws {
        let statement = try connection.statement(
            """
            INSERT INTO facet (directory, facet, number, value, count) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = excluded.count
            """)
        for index in values.indices where values[index].isChanged {
            let value = values[index]
            guard value.count >= 0 else { throw StoreError.damage("the count of a facet's value would be negative") }
            try value.text.withUnsafeBytes { text in
                statement.bind(directory, at: 1)
                statement.bind(Int64(value.facet.rawValue), at: 2)
                statement.bind(value.number, at: 3)
                statement.bind(text, at: 4)
                statement.bind(value.count, at: 5)
                try statement.run()
            }
            values[index].isChanged = false
        }
    }

    private func number(_ facet: Facet, _ text: StaticString) -> Int64 {
        text.withUTF8Buffer { number(facet, UnsafeRawBufferPointer($0)) }
    }

    /// Returns the number of a value, and assigns one if the value is new. Returns 0 for a text that cannot be a value.
    private func number(_ facet: Facet, _ text: UnsafeRawBufferPointer) -> Int64 {
        for index in values.indices where values[index].facet == facet {
            if values[index].text.withUnsafeBytes({ $0.equals(text) }) { return values[index].number }
        }
        guard (1...Facet.maxValueBytes).contains(text.count) else { return 0 }
        let last = values.last { $0.facet == facet }?.number ?? 0
        // One value more than allowed is kept: it marks the facet as excluded.
        if last > Facet.maxValues { return 0 }
        if let index = index(of: facet, inAnyCase: text) { return values[index].number }
        values.append(Value(facet: facet, number: last + 1, text: Array(text), count: 0, isChanged: true))
        return last + 1
    }

    /// Returns the value that differs from `text` in case only. Folding is slow, so each spelling is folded once.
    private func index(of facet: Facet, inAnyCase text: UnsafeRawBufferPointer) -> Int? {
        let known = values.firstIndex { value in
            value.facet == facet && value.otherTexts.contains { $0.withUnsafeBytes { $0.equals(text) } }
        }
        if let known { return known }
        let folded = String(decoding: text, as: UTF8.self).folded
        let index = values.firstIndex { $0.facet == facet && String(decoding: $0.text, as: UTF8.self).folded == folded }
        if let index { values[index].otherTexts.append(Array(text)) }
        return index
    }

    private func count(_ facet: Facet, _ number: Int64, _ delta: Int64) {
        guard number > 0, let index = values.firstIndex(where: { $0.facet == facet && $0.number == number }) else {
            return
        }
        values[index].count += delta
        values[index].isChanged = true
    }
}
