import Bytes
import JSON

/// Something known about a person beside what every user has: a line of their page.
struct ProfileField: Equatable {
    var label: String
    /// At least one.
    var values: [ProfileValue]
}

/// What a source's record says about a person, sorted by how it is shown.
struct ProfileFields: Equatable {
    /// In their own words.
    var biography: String?
    /// Numbers that say how much of a person there is: followers, answers.
    var figures: [ProfileField] = []
    var facts: [ProfileField] = []

    /// Reads the members of a JSON object, those that ``FieldCatalog`` lists first and in its order; what is no object has
    /// none. Left out is what says nothing to a reader: nulls, empty texts, and the addresses of an API.
    init(_ more: UnsafeRawBufferPointer) {
        guard !more.isEmpty else { return }
        var known: [(rank: Int, fact: ProfileField)] = []
        var others: [ProfileField] = []
        try? JSON.forEachMember(of: more) { key, value in
            let key = key.text
            guard let rank = FieldCatalog.rank(of: key) else {
                if let fact = ProfileField(unknown: key, value) { others.append(fact) }
                return
            }
            let member = FieldCatalog.all[rank]
            switch member.kind {
            case .biography: biography = biography ?? value.string?.text.trimmed
            case .markup: biography = biography ?? value.string?.text.withoutMarkup.trimmed
            default: if let fact = ProfileField(member, value) { known.append((rank, fact)) }
            }
        }
        // A stable order: of several members with one meaning the first comes first.
        let inOrder = known.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        for (rank, fact) in inOrder.map(\.element) {
            if FieldCatalog.all[rank].kind == .figure { figures.append(fact) } else { facts.append(fact) }
        }
        facts += others
    }
}

extension ProfileField {
    init?(_ member: FieldCatalog, _ value: JSONValue) {
        let values = ProfileValue.all(of: value, as: member.kind)
        if values.isEmpty { return nil }
        self.init(label: member.label, values: values)
    }

    /// A member that nothing is known of but its name.
    init?(unknown key: String, _ value: JSONValue) {
        if key.hasSuffix("_url") { return nil }
        // Stack Exchange's dates are numbers.
        let values = ProfileValue.all(of: value, as: key.hasSuffix("_date") ? .date : .plain)
        if values.isEmpty { return nil }
        self.init(label: Self.label(key), values: values)
    }

    /// `last_access_date` → `Last access date`; `twitterHandle` stays as it is but for its first letter.
    private static func label(_ key: String) -> String {
        let words = key.split { $0 == "_" || $0 == "-" }.joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension String {
    /// Without white space around it; `nil` if nothing is left.
    fileprivate var trimmed: String? {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(self[start...end])
    }
}
