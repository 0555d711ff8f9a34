import Assets
import Base
import JSON
import People

/// A line of a user's page: a field that not every user has.
struct ProfileField: Equatable {
    var label: String
    /// The label as a message, for a member that ``FieldCatalog`` contains.
    var message: MessageKey?
    /// At least one.
    var values: [ProfileValue]
    /// Whether the values are pages of the person, rather than accounts at the service that the label names.
    var isWebsite = false
    /// The key of the field; `nil` for a member of the record that no field reads.
    var key: String?
    /// The member of the record that no field reads.
    var member: String?
}

/// The fields of a source's record, by how they are shown.
struct ProfileFields: Equatable {
    /// The person's text about themselves.
    var biography: String?
    /// Numbers that are shown prominently: followers, answers.
    var figures: [ProfileField] = []
    var facts: [ProfileField] = []

    /// Reads the members of a JSON object, first those in ``FieldCatalog``, in its order. Nulls, empty texts and the
    /// URLs of an API are left out. Any other JSON has no fields.
    /// - Parameter excluded: the members that the page shows elsewhere.
    init(_ more: Bytes, without excluded: Set<String> = [], _ language: Language) {
        guard !more.isEmpty else { return }
        var known: [(rank: Int, fact: ProfileField)] = []
        var others: [ProfileField] = []
        try? JSON.forEachMember(of: more) { key, value in
            let key = key.text
            if excluded.contains(key) { return }
            guard let rank = FieldCatalog.rank(of: key) else {
                if var fact = ProfileField(unknown: key, value, language) {
                    fact.member = key
                    others.append(fact)
                }
                return
            }
            let member = FieldCatalog.all[rank]
            switch member.kind {
            case .biography: biography = biography ?? value.string?.text.trimmedOrNil
            case .markup: biography = biography ?? value.string?.text.withoutMarkup.trimmedOrNil
            default:
                guard var fact = ProfileField(member, value, language) else { return }
                fact.member = key
                known.append((rank, fact))
            }
        }
        // A stable order: members with the same meaning keep their order.
        let inOrder = known.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        for (rank, fact) in inOrder.map(\.element) {
            if FieldCatalog.all[rank].kind == .figure { figures.append(fact) } else { facts.append(fact) }
        }
        facts += others
    }
}

extension ProfileFields {
    /// Reads the fields of the directory's settings, in their order, and then the members that they do not read.
    init(_ user: UserView, _ settings: ShownSettings, _ language: Language) {
        self.init(user.more, without: settings.readColumns, language)
        var fields: [ProfileField] = []
        settings.forEachValue(of: settings.facts, in: user.row, user.text) { index, value in
            let field = settings.fields[index]
            // The type stands beside the name, and the reputation among the figures.
            if field.role == .type || field.role == .reputation { return }
            if field.role == .about, case .text(let text) = value {
                biography = text
            } else {
                let line = ProfileField(
                    label: settings.label(of: field, language), values: ProfileValue.all(of: value, field, language),
                    isWebsite: field.role == .website, key: field.key)
                // Numbers that the list can be sorted by are prominent, unless they name something.
                let isFigure =
                    field.type == .number && !field.isPlainNumber && settings.orders.contains { $0.field == index }
                if isFigure { figures.append(line) } else { fields.append(line) }
            }
        }
        facts = fields + facts
    }
}

extension ProfileField {
    init?(_ member: FieldCatalog, _ value: JSON.LentValue, _ language: Language) {
        let values = ProfileValue.all(of: value, as: member.kind, language)
        if values.isEmpty { return nil }
        self.init(
            label: member.label.map { language.text($0) } ?? "", message: member.label, values: values,
            isWebsite: member.kind == .website)
    }

    /// A member that the catalog does not contain.
    init?(unknown key: String, _ value: JSON.LentValue, _ language: Language) {
        if key.hasSuffix("_url") { return nil }
        // Stack Exchange's dates are numbers.
        let values = ProfileValue.all(of: value, as: key.hasSuffix("_date") ? .date : .plain, language)
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
    /// The text without the white space around it; `nil` if nothing is left.
    fileprivate var trimmedOrNil: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }
}

extension String {
    /// The text of HTML: without tags, and with paragraphs and breaks as lines. Good enough for the HTML that Stack
    /// Exchange allows in profiles. The result is text, which is escaped like any other.
    var withoutMarkup: String {
        let lines = ["<p>", "</p>", "<br>", "<br/>", "<br />", "<li>"]
        let text = ByteBuffer(capacity: utf8.count)
        var rest = self[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            text.append(utf8: rest[..<start])
            if lines.contains(String(rest[start...end])) { text.append("\n") }
            rest = rest[rest.index(after: end)...]
        }
        text.append(utf8: rest)
        let decoded = ByteBuffer(capacity: text.count)
        HTMLEntities.append(decoding: text, to: decoded)
        return String(decoded).replacing(/\n{3,}/, with: "\n\n")
    }
}
