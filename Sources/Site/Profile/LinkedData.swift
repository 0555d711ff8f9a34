import Bytes
import JSON

/// A user for programs that read pages: JSON-LD 1.1 with the terms of schema.org.
extension ByteBuffer {
    /// Appends a `<script>` with data. Browsers do not run it, and a content security policy does not concern it (HTML,
    /// "prepare the script element"). JSON strings escape `<`, so no name can end the element.
    ///
    /// - Parameter url: the absolute URL of the page; empty if it is not known.
    func append(linkedDataOf user: UserView, _ profile: ProfileFields, url: UnsafeRawBufferPointer) {
        let kind = user.kind
        append("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"")
        append(kind.schemaType)
        append("\"")
        append(member: "name", user.displayName)
        if user.hasName { append(member: "alternateName", user.login) }
        append(",\"identifier\":\"")
        append(decimal: user.id)
        append("\"")
        append(member: "url", url)
        append(member: "image", user.avatarURL)
        appendPages(of: user, profile)
        if let biography = profile.biography { append(member: "description", biography) }
        // Programs have no home and no employer.
        if kind != .software, let place = profile["Location"]?.text {
            append(kind == .organization ? ",\"location\":" : ",\"homeLocation\":")
            appendObject("Place", name: place)
        }
        if kind == .person, let company = profile["Company"]?.text {
            append(",\"worksFor\":")
            appendObject("Organization", name: company)
        }
        append("}</script>")
    }

    /// The user's pages elsewhere.
    private func appendPages(of user: UserView, _ profile: ProfileFields) {
        let others = [profile["Website"]?.href, profile["Twitter"]?.href].compactMap { $0 }
        if user.htmlURL.isEmpty && others.isEmpty { return }
        append(",\"sameAs\":[")
        if !user.htmlURL.isEmpty { append(jsonString: user.htmlURL) }
        for (index, other) in others.enumerated() {
            if index > 0 || !user.htmlURL.isEmpty { append(",") }
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

/// The owner of an account. GitHub has all three kinds.
enum AccountKind {
    case person, organization, software

    /// The type of schema.org.
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
    /// The value of a field that has exactly one.
    fileprivate subscript(label: String) -> ProfileValue? {
        facts.first { $0.label == label && $0.values.count == 1 }?.values[0]
    }
}
