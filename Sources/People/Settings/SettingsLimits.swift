public enum SettingsLimits {
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
    public static let icons = symbols.map(\.icon)

    /// What pages show for the icon of a field.
    package static let symbols: [(icon: String, text: String)] = [
        ("star", "★"), ("commit", "◉"), ("pin", "📍"), ("building", "🏢"), ("mail", "✉"), ("phone", "☎"),
        ("calendar", "📅"), ("tag", "🏷"), ("flag", "⚑"), ("link", "🔗"), ("people", "👥"), ("person", "👤"),
        ("briefcase", "💼"), ("globe", "🌐"), ("book", "📖"), ("code", "💻"), ("heart", "♥"), ("clock", "🕒"),
        ("chat", "💬"), ("trophy", "🏆"), ("camera", "📷"), ("language", "文"), ("info", "ℹ"), ("key", "🔑"),
    ]
}
