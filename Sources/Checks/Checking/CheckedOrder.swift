import Base
import People

/// The order of the lists that are checked: what users are sorted by, and in which direction.
struct CheckedOrder: Equatable {
    enum Value: Equatable {
        case id, login
        /// The name, or the surname in it and then the rest.
        case name(surname: Surname?)
        /// A field, whose values the JSON of a list contains.
        case field(key: String, Kind)
        /// The first of these fields that a person has, then the name.
        case surname(keys: [String])
        /// The reading of a Japanese name and then the name, or else the name.
        case reading
        /// No list contains the values. The lists can only be compared with each other.
        case unknown(String)
    }

    enum Kind: Equatable { case number, date, text }

    var value: Value
    var isDescending: Bool
    /// The rules of the order by text, as the page names them; `nil` if it names none.
    var stamp: String?

    /// The rules, if this program knows the same ones.
    var collation: Collation? { stamp.flatMap { Collation(stamp: $0) } }

    /// Whether people are sorted by collation keys.
    var isCollated: Bool {
        switch value {
        case .name, .surname, .reading, .field(_, .text): true
        case .id, .login, .field, .unknown: false
        }
    }

    /// Whether names are sorted by, which have letters to jump to.
    var hasLetters: Bool {
        switch value {
        case .name, .surname, .reading: true
        case .id, .login, .field, .unknown: false
        }
    }

    /// The fields that the JSON has to contain.
    var fields: [String] {
        switch value {
        case .field(let key, _): [key]
        case .surname(let keys): keys
        case .reading: [FieldRole.reading.rawValue]
        default: []
        }
    }

    /// The key, as in the URL.
    var key: String {
        switch value {
        case .id: "id"
        case .login: "login"
        case .name, .reading: "name"
        case .surname: "surname"
        case .field(let key, _), .unknown(let key): key
        }
    }

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
                var (key, type): (String?, String?)
                try JSON.forEachMember(of: field.raw) { name, value in
                    if name.equals("key") { key = value.string?.text }
                    if name.equals("type") { type = value.string?.text }
                }
                let wrong = "expected strings \"key\" and \"type\" in each of the fields"
                types[try required(key, wrong)] = try required(type, wrong)
            }
        }
    }

    /// Returns the order that the parameters `sort` and `order` name. Without them, a search for words has the order by
    /// relevance. `stamp` is the page's `data-collation`.
    func order(sort: String?, direction: String?, hasWords: Bool, stamp: String?) -> CheckedOrder {
        let text = sort.flatMap { $0.isEmpty ? nil : $0 }
        let known = text ?? (hasWords ? Self.relevance : order)
        let key = known.hasPrefix("-") ? String(known.dropFirst()) : known
        // Without `sort`, `order` turns the directory's own order.
        let isDescending = direction.map { $0 == "desc" } ?? known.hasPrefix("-")
        let value: CheckedOrder.Value =
            switch key {
            case "id": .id
            case "login": .login
            case "name":
                stamp?.hasPrefix("ja-") == true && types[FieldRole.reading.rawValue] == "text"
                    ? .reading : .name(surname: surnameOfWholeNames(stamp))
            case "surname": surname(stamp)
            default: field(key)
            }
        return CheckedOrder(value: value, isDescending: isDescending, stamp: stamp)
    }

    /// The language of names is that of the collation.
    private func surnameOfWholeNames(_ stamp: String?) -> Surname? {
        guard readsSurnames, let collation = stamp.flatMap({ Collation(stamp: $0) }) else { return nil }
        return Surname(language: collation.language)
    }

    private func field(_ key: String) -> CheckedOrder.Value {
        switch types[key] {
        case "number": .field(key: key, .number)
        case "date": .field(key: key, .date)
        case "text": .field(key: key, .text)
        // Lists and links are sorted by their text, and JSON contains their elements and addresses.
        default: .unknown(key)
        }
    }

    private func surname(_ stamp: String?) -> CheckedOrder.Value {
        let isJapanese = stamp?.hasPrefix("ja-") == true
        let roles: [FieldRole] = isJapanese ? [.reading, .lastName] : [.lastName, .reading]
        let keys = roles.map(\.rawValue).filter { types[$0] == "text" }
        return keys.isEmpty || stamp == nil ? .unknown("surname") : .surname(keys: keys)
    }
}
