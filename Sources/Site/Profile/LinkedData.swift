import Bytes
import JSON

/// What programs read of a person's page: JSON-LD 1.1 with the words of schema.org.
extension ByteBuffer {
    /// Appends a `<script>` that is data: browsers run nothing of it, and a content security policy has no say in it (HTML,
    /// "prepare the script element"). JSON strings escape `<`, so that nobody's name ends the element.
    ///
    /// - Parameter url: the absolute URL of the page; empty where that is not known.
    func append(linkedDataOf person: UserView, _ sheet: ProfileFields, url: UnsafeRawBufferPointer) {
        let kind = person.kind
        append("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"")
        append(kind.schemaType)
        append("\"")
        append(member: "name", person.displayName)
        if person.hasName { append(member: "alternateName", person.login) }
        append(",\"identifier\":\"")
        append(decimal: person.id)
        append("\"")
        append(member: "url", url)
        append(member: "image", person.avatarURL)
        appendPages(of: person, sheet)
        if let biography = sheet.biography { append(member: "description", biography) }
        // Programs neither live somewhere nor work for anybody.
        if kind != .software, let place = sheet["Location"]?.text {
            append(kind == .organization ? ",\"location\":" : ",\"homeLocation\":")
            appendObject("Place", name: place)
        }
        if kind == .person, let company = sheet["Company"]?.text {
            append(",\"worksFor\":")
            appendObject("Organization", name: company)
        }
        append("}</script>")
    }

    /// The same person elsewhere.
    private func appendPages(of person: UserView, _ sheet: ProfileFields) {
        let others = [sheet["Website"]?.href, sheet["Twitter"]?.href].compactMap { $0 }
        if person.htmlURL.isEmpty && others.isEmpty { return }
        append(",\"sameAs\":[")
        if !person.htmlURL.isEmpty { append(jsonString: person.htmlURL) }
        for (index, other) in others.enumerated() {
            if index > 0 || !person.htmlURL.isEmpty { append(",") }
            append(jsonString: other)
        }
        append("]")
    }

    private func appendObject(_ type: StaticString, name: String) {
        append("{\"@type\":\"")
        append(type)
        append("\"")
        append(member: "name", name)
        append("}")
    }

    private func append(member name: StaticString, _ value: UnsafeRawBufferPointer) {
        if value.isEmpty { return }
        append(",\"")
        append(name)
        append("\":")
        append(jsonString: value)
    }

    private func append(member name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { append(member: name, UnsafeRawBufferPointer($0)) }
    }
}

/// Whose account it is. GitHub has all three; others call them what they like.
enum AccountKind {
    case person, organization, software

    /// As schema.org calls it.
    fileprivate var schemaType: StaticString {
        switch self {
        case .person: "Person"
        case .organization: "Organization"
        case .software: "SoftwareApplication"
        }
    }
}

extension UserView {
    var kind: AccountKind {
        if type.equals(ignoringCase: "organization") { return .organization }
        return type.equals(ignoringCase: "bot") ? .software : .person
    }
}

extension ProfileFields {
    /// The value of a fact that has just one.
    fileprivate subscript(label: String) -> ProfileValue? {
        facts.first { $0.label == label && $0.values.count == 1 }?.values[0]
    }
}
