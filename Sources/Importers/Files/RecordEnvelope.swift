import Base
import People
import Publishing

/// The object around the records of a JSON text: `{"total": 2, "items": [{…}, {…}]}`.
enum RecordEnvelope {
    /// The names of the member that has the records, or the object around it: in Stack Exchange, in Rick and Morty, in
    /// all-contributors, OData, SCIM (RFC 7644 §3.4.2), HAL, and other common names.
    static let names: [StaticString] = [
        "items", "results", "contributors", "users", "people", "members", "data", "records", "value", "resources",
        "employees", "persons", "staff", "result", "response", "_embedded", "d",
    ]

    /// Returns the records of an object that is no person, and has them in the only member that is a list of objects.
    static func people(in object: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
        var lists: [[UnsafeRawBufferPointer]] = []
        var isPerson = false
        do {
            try JSON.forEachMember(of: object) { key, value in
                if value.kind == .array {
                    var list: [UnsafeRawBufferPointer] = []
                    var isOther = false
                    try JSON.forEachElement(of: value.raw) { element in
                        isOther = isOther || element.kind != .object
                        list.append(element.raw)
                    }
                    if !isOther, !list.isEmpty { lists.append(list) }
                } else if HeaderWords.hasName([key.text]) {
                    isPerson = true
                }
            }
        } catch { return nil }
        return isPerson || lists.count != 1 ? nil : lists.first
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
