import JSON

/// The order of the lists that are checked: what users are sorted by, and in which direction.
struct CheckedOrder: Equatable {
    enum Value: Equatable {
        case id, login, name, reputation
        /// A field, whose values the JSON of a list contains.
        case field(key: String, isNumber: Bool)
        /// No list contains the values. The lists can only be compared with each other.
        case unknown(String)
    }

    var value: Value
    var isDescending: Bool

    /// The key, as in the URL.
    var key: String {
        switch value {
        case .id: "id"
        case .login: "login"
        case .name: "name"
        case .reputation: "reputation"
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

    static let relevance = "relevance"

    /// A directory of a server without descriptions.
    init() {}

    init(json: UnsafeRawBufferPointer) throws {
        try JSON.forEachMember(of: json) { key, value in
            if key.equals("order"), let text = value.string?.text { order = text }
            guard key.equals("fields") else { return }
            try JSON.forEachElement(of: value.raw) { field in
                var (key, type): (String?, String?)
                try JSON.forEachMember(of: field.raw) { name, value in
                    if name.equals("key") { key = value.string?.text }
                    if name.equals("type") { type = value.string?.text }
                }
                guard let key, let type else {
                    throw UnreadablePage("expected strings \"key\" and \"type\" in each of the fields")
                }
                types[key] = type
            }
        }
    }

    /// Returns the order that the parameters `sort` and `order` name. Without them, a search for words has the order by
    /// relevance.
    func order(sort: String?, direction: String?, hasWords: Bool) -> CheckedOrder {
        let text = sort.flatMap { $0.isEmpty ? nil : $0 }
        let known = text ?? (hasWords ? Self.relevance : order)
        let key = known.hasPrefix("-") ? String(known.dropFirst()) : known
        // Without `sort`, `order` turns the directory's own order.
        let isDescending = direction.map { $0 == "desc" } ?? known.hasPrefix("-")
        let value: CheckedOrder.Value =
            switch key {
            case "id": .id
            case "login": .login
            case "name": .name
            case "reputation": .reputation
            default:
                types[key].map { .field(key: key, isNumber: $0 == "number") } ?? .unknown(key)
            }
        return CheckedOrder(value: value, isDescending: isDescending)
    }
}
