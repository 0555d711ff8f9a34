/// A field whose meaning Rollcall knows, whatever its heading is. The raw value is the field's key.
public enum FieldRole: String, CaseIterable, Sendable {
    case id, login, name
    case firstName = "first_name"
    case lastName = "last_name"
    case reading, title, department, location, country, organization, skills, languages, joined, photo, website, about
    case type, reputation
    case email, phone
    case hidden, noindex
}

extension FieldRole {
    /// The roles that are columns of every user, and so have a value even if no column of the source does.
    public static let columnsOfUsers: [FieldRole] = [.id, .login, .name, .photo, .website, .type, .reputation]

    /// Whether profiles list the field among a person's details. The name, the photo and the like are shown elsewhere
    /// on the page.
    public var isFact: Bool {
        switch self {
        case .id, .login, .name, .firstName, .lastName, .photo, .hidden, .noindex: false
        default: true
        }
    }

    /// The English label, for a field without a heading.
    public var label: String { traits.label }
    /// The name of the built-in icon.
    public var icon: String? { traits.icon }
    /// The property of schema.org's `Person`.
    public var schemaName: String? { traits.schemaName }
    /// The property of a vCard (RFC 6350).
    public var vCardProperty: String? { traits.vCardProperty }
    /// The type of the values if the column does not decide it.
    public var type: FieldType { traits.type }

    private struct Traits {
        var label: String
        var icon: String?
        var schemaName: String?
        var vCardProperty: String?
        var type = FieldType.text

        init(
            _ label: String, _ icon: String? = nil, schema: String? = nil, vCard: String? = nil, type: FieldType = .text
        ) {
            self.label = label
            self.icon = icon
            schemaName = schema
            vCardProperty = vCard
            self.type = type
        }
    }

    private var traits: Traits {
        switch self {
        case .id: Traits("ID", schema: "identifier", type: .number)
        case .login: Traits("Login", "person", schema: "alternateName", vCard: "NICKNAME")
        case .name: Traits("Name", "person", schema: "name", vCard: "FN")
        case .firstName: Traits("First name", "person", schema: "givenName", vCard: "N")
        case .lastName: Traits("Last name", "person", schema: "familyName", vCard: "N")
        case .reading: Traits("Phonetic name", "person", schema: "alternateName", vCard: "SORT-AS")
        case .title: Traits("Title", "briefcase", schema: "jobTitle", vCard: "TITLE")
        case .department: Traits("Department", "people", schema: "affiliation", vCard: "ORG")
        case .location: Traits("Location", "pin", schema: "workLocation", vCard: "ADR")
        case .country: Traits("Country", "globe", vCard: "ADR")
        case .organization: Traits("Organization", "building", schema: "worksFor", vCard: "ORG")
        case .skills: Traits("Skills", "tag", schema: "knowsAbout", vCard: "CATEGORIES")
        case .languages: Traits("Languages", "language", schema: "knowsLanguage")
        case .joined: Traits("Joined", "calendar")
        case .photo: Traits("Photo", "camera", schema: "image", vCard: "PHOTO", type: .link)
        case .website: Traits("Website", "link", schema: "url", vCard: "URL", type: .link)
        case .about: Traits("About", "info", schema: "description", vCard: "NOTE")
        case .type: Traits("Type", "tag")
        case .reputation: Traits("Reputation", "star", type: .number)
        case .email: Traits("E-mail", "mail", schema: "email", vCard: "EMAIL", type: .link)
        case .phone: Traits("Phone", "phone", schema: "telephone", vCard: "TEL", type: .link)
        case .hidden: Traits("Hidden", type: .boolean)
        case .noindex: Traits("Not in search engines", type: .boolean)
        }
    }
}
