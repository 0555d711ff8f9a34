import Base
import Publishing

/// The object around the records of a JSON text: `{"total": 2, "items": [{…}, {…}]}`.
enum RecordEnvelope {
    /// The names of the member that has the records, or the object around it: in Stack Exchange, in Rick and Morty, in
    /// all-contributors, OData, SCIM (RFC 7644 §3.4.2), HAL, and other common names.
    static let names: [StaticString] = [
        "items", "results", "contributors", "users", "people", "members", "data", "records", "value", "resources",
        "employees", "persons", "staff", "result", "response", "_embedded", "d",
    ]

    /// Returns the records of an object that is not a person itself: the only member that is a list of objects, or all
    /// members, if they are objects alike with names: `{"anna": {"name": …}, "bo": {"name": …}}`.
    static func people(in object: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
        var lists: [[UnsafeRawBufferPointer]] = []
        var members: [JSONValue] = []
        var isPerson = false
        do {
            try JSON.forEachMember(of: object) { key, value in
                members.append(value)
                if value.kind == .array {
                    lists.append(try NestedRecord.objects(in: value.raw))
                } else if HeaderWords.hasName([key.text]) {
                    isPerson = true
                }
            }
            lists.removeAll(where: \.isEmpty)
            if lists.isEmpty, members.count > 2, try areAlike(members) { lists = [members.map(\.raw)] }
        } catch { return nil }
        return isPerson || lists.count != 1 ? nil : lists.first
    }

    /// Whether all values are objects that begin with the same member, and have a name.
    private static func areAlike(_ values: [JSONValue]) throws -> Bool {
        let keys = try values.filter { $0.kind == .object }.map { value in
            var keys: [String] = []
            try JSON.forEachMember(of: value.raw) { key, _ in keys.append(key.text) }
            return keys
        }
        return keys.count == values.count && Set(keys.map(\.first)).count == 1
            && keys.allSatisfy { HeaderWords.hasName($0, byPersonsAlone: false) }
    }

    /// Returns whether `line` is an object that only wraps the records.
    static func isFound(in line: UnsafeRawBufferPointer) -> Bool {
        // A record with a login may have such members as well: an export of one user is one line.
        var isPerson = false
        try? JSON.forEachMember(of: line) { key, _ in isPerson = isPerson || key.equals("login") }
        if isPerson { return false }
        var splitter = JSONSplitter(members: names, maxElementBytes: line.count)
        var isFound = false
        try? splitter.split(line) { part in
            if case .element(let bytes) = part, bytes.first == UInt8(ascii: "{") { isFound = true }
        }
        return isFound || people(in: line) != nil
    }
}
