import Base
import People

/// A line of a person's page: a field that not everybody has.
struct ProfileField: Equatable {
    var label: String
    /// The meaning, if it is known.
    var role: FieldRole?
    /// At least one.
    var values: [ProfileValue]
    /// The key of the field, or of the member of the record.
    var key: String
}

extension ProfileField {
    /// A member of a record.
    /// - Parameter member: what the catalog knows of it, whatever its `key` is; `nil` if it does not contain it.
    init?(_ member: FieldCatalog?, _ key: String, _ value: JSON.LentValue, _ language: Language) {
        let values = ProfileValue.all(of: value, as: member?.kind ?? FieldCatalog.Kind(ofUnknown: key), language)
        if values.isEmpty { return nil }
        let label = member?.label.map { language.text($0) } ?? Self.label(key)
        self.init(label: label, role: member?.role, values: values, key: key)
    }

    /// `last_access_date` → `Last access date`; `twitterHandle` stays as it is but for its first letter.
    private static func label(_ key: String) -> String {
        let words = key.split { "_-".contains($0) }.joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension String {
    /// The text without the white space around it; `nil` if nothing is left.
    var trimmedOrNil: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }

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
        return String(writing: { HTMLEntities.append(decoding: text, to: $0) }).replacing(/\n{3,}/, with: "\n\n")
    }
}
