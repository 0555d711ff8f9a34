/// A member of the JSON object with settings, in the order in which the object is written.
enum SettingsMember: String, CaseIterable {
    /// The version of the format: 1.
    case rollcall
    case title, intro, language, logo, accent, paper, radius, font, links
    case `private`, pictures
    case key, order, rows, cards, search, filters, sorts, fields, others, columns
    /// An object with the same members: what Rollcall inferred.
    case inferred
}

/// A member of a field in settings, in the order in which the object is written.
enum FieldMember: String, CaseIterable {
    case key, from, type, format, split, label, icon, show
}

/// The limits of settings.
public enum SettingsLimits {
    /// The size of a file with settings.
    public static let fileBytes = 1 << 20
    public static let introBytes = 16 << 10
    public static let titleCharacters = 200
    public static let fields = 64
    public static let keyBytes = 40
    public static let labelCharacters = 80
    public static let rows = 3
    public static let cards = 3
    public static let search = 16
    public static let filters = 12
    public static let sorts = 6
    public static let links = 12
    public static let logoBytes = 256 << 10
    /// The length of a template, of a heading, and of a URL.
    public static let textBytes = 2000
}

/// The icons that settings can name.
public enum FieldIcon {
    public static let names = [
        "star", "commit", "pin", "building", "mail", "phone", "calendar", "tag", "flag", "link", "people", "person",
        "briefcase", "globe", "book", "code", "heart", "clock", "chat", "trophy", "camera", "language", "info", "key",
    ]
}
