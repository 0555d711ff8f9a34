import Assets
import Base
import JSON
import People

/// A user for programs that read pages: JSON-LD 1.1 with the terms of schema.org.
extension ByteBuffer {
    /// Appends a `<script>` with data. Browsers do not run it, and a content security policy does not concern it (HTML,
    /// "prepare the script element"). JSON strings escape `<`, so no name can end the element.
    ///
    /// - Parameters:
    ///   - url: the absolute URL of the page; empty if it is not known.
    ///   - image: that of the picture; empty without one.
    func append(
        linkedDataOf user: UserView, _ profile: ProfileFields, _ settings: ShownSettings,
        url: ByteBuffer,
        image: ByteBuffer
    ) {
        let values = RoleValues(settings)
        values.reader.reading(user) { append(linkedDataOf: user, profile, values, url: url, image: image) }
    }

    private func append(
        linkedDataOf user: UserView, _ profile: ProfileFields, _ values: RoleValues, url: ByteBuffer, image: ByteBuffer
    ) {
        let kind = user.kind
        append("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"")
        append(kind.schemaType)
        append("\"")
        append(member: "name", user.displayName)
        if user.showsLogin { append(member: "alternateName", user.login) }
        if user.showsID {
            append(",\"identifier\":\"")
            append(decimal: user.id)
            append("\"")
        }
        url.withBytes { append(member: "url", $0) }
        image.withBytes { append(member: "image", $0) }
        appendPages(of: user, profile, values)
        if let biography = profile.biography { append(member: "description", biography) }
        append(values, kind)
        // Programs have no home and no employer.
        if kind != .software, let place = profile[.roleLocation]?.text {
            append(kind == .organization ? ",\"location\":" : ",\"homeLocation\":")
            appendObject("Place", name: place)
        }
        if kind == .person, !values.hasEmployer, let company = profile[.fieldCompany]?.text {
            append(",\"worksFor\":")
            appendObject("Organization", name: company)
        }
        append("}</script>")
    }

    /// The user's pages elsewhere.
    private func appendPages(of user: UserView, _ profile: ProfileFields, _ values: RoleValues) {
        let own = user.htmlURL.isEmpty ? [] : [String(user.htmlURL)]
        let known = [profile[.roleWebsite]?.href, profile[.fieldTwitter]?.href].compactMap { $0 }
        var pages: [String] = []
        for page in own + known + values.pages where !pages.contains(page) { pages.append(page) }
        append(member: "sameAs", pages)
    }

    /// Appends the properties of the fields whose meaning is known.
    private func append(_ values: RoleValues, _ kind: AccountKind) {
        if kind == .person {
            let texts: [(StaticString, FieldRole)] = [
                ("givenName", .firstName), ("familyName", .lastName), ("jobTitle", .title),
            ]
            for (name, role) in texts { if let text = values.text(role) { append(member: name, text) } }
            appendEmployer(values)
            append(member: "knowsAbout", values.list(.skills))
            append(member: "knowsLanguage", values.list(.languages))
            appendWorkplace(values)
        }
        if let email = values.url(.email, scheme: "mailto:") { append(member: "email", email) }
        if let phone = values.url(.phone, scheme: "tel:") { append(member: "telephone", phone) }
    }

    private func appendEmployer(_ values: RoleValues) {
        guard values.hasEmployer else { return }
        append(",\"worksFor\":{\"@type\":\"Organization\"")
        if let organization = values.text(.organization) { append(member: "name", organization) }
        if let department = values.text(.department) {
            append(",\"department\":")
            appendObject("Organization", name: department)
        }
        append("}")
    }

    private func appendWorkplace(_ values: RoleValues) {
        let (place, country) = (values.text(.location), values.text(.country))
        guard place != nil || country != nil else { return }
        append(",\"workLocation\":{\"@type\":\"Place\"")
        if let place { append(member: "name", place) }
        if let country {
            append(",\"address\":{\"@type\":\"PostalAddress\"")
            append(member: "addressCountry", country)
            append("}")
        }
        append("}")
    }

    private func append(member name: StaticString, _ elements: [String]) {
        if elements.isEmpty { return }
        append(",\"")
        append(name)
        append("\":[")
        for (index, element) in elements.enumerated() {
            if index > 0 { append(",") }
            append(jsonString: element)
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

    private func append(member name: StaticString, _ value: Bytes) {
        if value.isEmpty { return }
        append(",\"")
        append(name)
        append("\":")
        append(jsonString: value)
    }

    private func append(member name: StaticString, _ value: String) {
        value.withUTF8Bytes { append(member: name, $0) }
    }
}

/// The values of a user's public fields, by meaning.
private struct RoleValues {
    /// It is reading the user.
    let reader: FieldReader

    init(_ settings: ShownSettings) { reader = FieldReader(settings) }

    func text(_ role: FieldRole) -> String? { reader.value(of: role)?.plainText }

    func list(_ role: FieldRole) -> [String] {
        switch reader.value(of: role) {
        case .list(let elements): elements
        case .text(let text): [text]
        default: []
        }
    }

    /// The rest of a URL after its scheme.
    func url(_ role: FieldRole, scheme: String) -> String? {
        guard case .link(let url, _) = reader.value(of: role), url.hasPrefix(scheme) else { return nil }
        return String(url.dropFirst(scheme.count))
    }

    var hasEmployer: Bool { text(.organization) != nil || text(.department) != nil }

    /// Web pages, in the order of the fields.
    var pages: [String] {
        reader.settings.facts.compactMap { index in
            guard case .link(let url, _) = reader.value(of: index), url.isWebURL else { return nil }
            return url
        }
    }
}

extension AccountKind {
    /// The type of schema.org.
    fileprivate var schemaType: StaticString {
        switch self {
        case .person: "Person"
        case .organization: "Organization"
        case .software: "SoftwareApplication"
        }
    }
}

extension ProfileFields {
    /// The value of a field that has exactly one.
    fileprivate subscript(message: MessageKey) -> ProfileValue? {
        facts.first { $0.message == message && $0.values.count == 1 }?.values[0]
    }
}
