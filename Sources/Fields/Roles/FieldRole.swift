/// A field that Rollcall knows by meaning, whatever its heading. The raw value is the field's key.
public enum FieldRole: String, CaseIterable, Sendable {
    case id, login, name
    case firstName = "first_name"
    case lastName = "last_name"
    case reading, title, department, location, country, organization, skills, languages, joined, photo, website, about
    case type, reputation
    case email, phone
    case hidden, noindex
}
