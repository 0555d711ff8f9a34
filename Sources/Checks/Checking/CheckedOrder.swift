import Base
import People

/// The order of the lists that are checked: what users are sorted by, and in which direction.
struct CheckedOrder: Equatable {
    enum Value: Equatable {
        case id, login
        /// The name, or the surname in it and then the rest.
        case name(surname: Surname?)
        /// A field, whose values the JSON of a list contains.
        case number, date, text
        /// The first field that a person has, then the name.
        case surname
        /// The reading of a Japanese name and then the name, or else the name.
        case reading
        /// No list contains the values. The lists can only be compared with each other.
        case unknown
    }

    /// The key, as in the URL.
    let key: String
    let value: Value
    /// The fields that are sorted by, which the JSON has to contain.
    var fields: [String] = []
    let isDescending: Bool
    /// The rules of the order by text, if this program knows the same ones as the page names.
    let collation: Collation?

    /// Whether people are sorted by collation keys.
    var isCollated: Bool { hasLetters || value == .text }

    /// Whether names are sorted by, which have letters to jump to.
    var hasLetters: Bool { value != .unknown && ["name", "surname"].contains(key) }

    var description: String { "\(key), \(isDescending ? "desc" : "asc")" }
}

/// The description of a directory, as `/fields.json` has it.
struct DescribedDirectory {
    /// The order of pages, fragments and exports without `sort`, as the value of `sort`.
    var order = "id"
    /// The types of the fields, by key.
    var types: [String: String] = [:]
    /// Whether the order by name follows the surnames in whole names.
    var readsSurnames = false

    static let relevance = "relevance"

    /// A directory of a server without descriptions.
    init() {}

    init(json: Bytes) throws {
        try JSON.forEachMember(of: json) { key, value in
            if key.equals("order"), let text = value.string?.text { order = text }
            if key.equals("surnames") { readsSurnames = value.bool == true }
            guard key.equals("fields") else { return }
            try JSON.forEachElement(of: value.raw) { field in
                let members = JSON.Members(of: field.raw)
                let wrong = "expected strings \"key\" and \"type\" in each of the fields"
                let key = try required(members["key"]?.string?.text, wrong)
                types[key] = try required(members["type"]?.string?.text, wrong)
            }
        }
    }

    /// Returns the order that the parameters `sort` and `order` name. Without them, a search for words has the order by
    /// relevance. `stamp` is the page's `data-collation`.
    func order(sort: String, direction: String?, hasWords: Bool, stamp: String) -> CheckedOrder {
        let standard = hasWords ? Self.relevance : order
        let known = sort.isEmpty ? standard : sort
        let key = known.hasPrefix("-") ? String(known.dropFirst()) : known
        // Without `sort`, `order` turns the directory's own order.
        let isDescending = direction.map { $0 == "desc" } ?? known.hasPrefix("-")
        let collation = Collation(stamp: stamp)
        let (value, fields) = value(of: key, stamp, collation)
        return CheckedOrder(key: key, value: value, fields: fields, isDescending: isDescending, collation: collation)
    }

    /// Returns what the order by `key` compares, and the fields among it. The language of names is that of the
    /// collation.
    private func value(
        of key: String, _ stamp: String, _ collation: Collation?
    ) -> (CheckedOrder.Value, fields: [String]) {
        let isJapanese = stamp.hasPrefix("ja-")
        let (reading, lastName) = (FieldRole.reading.rawValue, FieldRole.lastName.rawValue)
        let isText = { (key: String) in types[key] == "text" }
        switch key {
        case "id": return (.id, [])
        case "login": return (.login, [])
        case "name" where isJapanese && isText(reading): return (.reading, [reading])
        case "name":
            let language = readsSurnames ? collation?.language : nil
            return (.name(surname: language.flatMap { Surname(language: $0) }), [])
        case "surname":
            let keys = (isJapanese ? [reading, lastName] : [lastName, reading]).filter(isText)
            return keys.isEmpty || stamp.isEmpty ? (.unknown, []) : (.surname, keys)
        default:
            // Lists and links are sorted by their text, and JSON contains their elements and addresses.
            let known: [String: CheckedOrder.Value] = ["number": .number, "date": .date, "text": .text]
            return types[key].flatMap { known[$0] }.map { ($0, [key]) } ?? (.unknown, [])
        }
    }
}
