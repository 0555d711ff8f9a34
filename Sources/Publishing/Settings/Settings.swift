import Base
import People

/// The settings of a directory, written by a publisher or inferred from a file. Every member is optional, but for the
/// fields: `nil` means not set.
///
/// ```swift
/// var settings = Settings()
/// settings.filters = ["department", "location"]
/// settings.fields = [FieldSettings(key: "department", from: "Abteilung")]
/// ```
public struct Settings: Equatable, Sendable {
    /// A text about the directory: blank lines make paragraphs, URLs become links.
    public var intro: String?
    /// A language tag (`de`), or `und`.
    public var language: String?
    /// `#rgb` or `#rrggbb`.
    public var accent: String?
    /// The background of light pages, `#rgb` or `#rrggbb`. Dark pages get one of the same hue.
    public var paper: String?
    /// The radius of corners, such as `.75rem` or `4px`.
    public var radius: String?
    /// Names of fonts, as in CSS: `Georgia, "Noto Serif", serif`.
    public var font: String?
    /// The file name of the logo, whose bytes the store keeps.
    public var logo: String?
    public var links: [SettingsLink]?
    /// Where the pictures of people come from; `nil` for what the server says.
    public var pictures: PictureMode?
    /// Whether only `serve --private` serves the directory.
    public var isPrivate: Bool?
    /// The columns that identify a person.
    public var key: [String]?
    /// The columns that tell people of one name apart, if the name is the key and was inferred.
    public var apart: [String]?
    /// The rules for people who are not listed, as ``LeaveOutRule`` reads them. An empty list lists everybody.
    public var leaveOut: [String]?
    /// The default order: the key of an order, with `:desc` for descending.
    public var order: String?
    /// Keys of fields: shown in rows of lists, on cards of grids, searched, offered as filters and as orders.
    public var rows: [String]?
    public var cards: [String]?
    public var search: [String]?
    public var filters: [String]?
    public var sorts: [String]?
    /// Whether orders by whole names follow the surnames in them, where no field has last names or readings.
    public var surnames: Bool?
    /// Empty if none is set.
    public var fields: [FieldSettings] = []
    /// The visibility of columns that no field reads.
    public var others: FieldVisibility?
    /// The headings of the file that filled the directory, in order: exports have the same columns.
    public var columns: [String]?
    /// `;` if that file had semicolons between its columns.
    public var separator: String?

    public init() {}

    /// The lists of keys of fields, by name, and what they are for.
    static let lists: [(name: String, keys: WritableKeyPath<Settings, [String]?> & Sendable, use: FieldUse)] = [
        ("rows", \.rows, .show), ("cards", \.cards, .show), ("search", \.search, .search),
        ("filters", \.filters, .filter), ("sorts", \.sorts, .sort),
    ]

    /// Returns the settings of the field `key`.
    public func field(_ key: String) -> FieldSettings? { fields.first { $0.key == key } }

    /// Returns the settings that take the place of `earlier`: these, with the earlier values of `private`, `pictures`
    /// and `key` if these settings name none. Otherwise a forgotten member would publish a directory or its pictures,
    /// or lose track of its people.
    public func replacing(_ earlier: Settings) -> Settings {
        var settings = self
        settings.isPrivate = isPrivate ?? earlier.isPrivate
        settings.pictures = pictures ?? earlier.pictures
        settings.key = key ?? earlier.key
        settings.leaveOut = leaveOut ?? earlier.leaveOut
        return settings
    }
}

/// The settings of one field: see ``Field``. Members that are `nil` are inferred, or have a default.
public struct FieldSettings: Equatable, Sendable {
    public var key: String
    public var from: String?
    public var type: FieldType?
    public var format: String?
    public var split: String?
    public var label: FieldLabel?
    public var icon: String?
    public var show: FieldVisibility?

    public init(key: String, from: String? = nil) {
        self.key = key
        self.from = from
    }

    var source: FieldTemplate { FieldTemplate(from ?? key) }
    package var onlyColumn: String? { source.onlyColumn }
}

/// The settings of a directory: those that the publisher made, and those that were inferred. The former win.
public struct DirectorySettings: Equatable, Sendable {
    public var own = Settings()
    public var inferred = Settings()

    public init(own: Settings = Settings(), inferred: Settings = Settings()) {
        self.own = own
        self.inferred = inferred
    }

    public var isEmpty: Bool { self == DirectorySettings() }
}

extension Settings {
    /// In the order in which they are written. The object of a publisher has `rollcall` (the version of the format, 1)
    /// and `title` before them, and `inferred` after them.
    static let members: [SettingsMember<Settings>] = [
        SettingsMember("intro", \.intro, .checked(by: .isIntro)),
        SettingsMember("language", \.language, .checked(by: .isLanguage)),
        SettingsMember("logo", \.logo, .line),
        SettingsMember("accent", \.accent, .checked(by: .isColour)),
        SettingsMember("paper", \.paper, .checked(by: .isColour)),
        SettingsMember("radius", \.radius, .checked(by: .isRadius)),
        SettingsMember("font", \.font, .checked(by: .isFont)),
        SettingsMember("links", \.links, .links),
        SettingsMember("private", \.isPrivate, .boolean),
        SettingsMember("pictures", \.pictures, .option),
        SettingsMember("key", \.key, .lines(SettingsLimits.fields)),
        SettingsMember("apart", \.apart, .lines(SettingsLimits.fields)),
        SettingsMember("leave_out", \.leaveOut, .lines(SettingsLimits.fields)),
        SettingsMember("order", \.order, .line),
        SettingsMember("rows", \.rows, .lines(SettingsLimits.rows)),
        SettingsMember("cards", \.cards, .lines(SettingsLimits.cards)),
        SettingsMember("search", \.search, .lines(SettingsLimits.search)),
        SettingsMember("filters", \.filters, .lines(SettingsLimits.filters)),
        SettingsMember("sorts", \.sorts, .lines(SettingsLimits.sorts)),
        SettingsMember("surnames", \.surnames, .boolean),
        SettingsMember("fields", \.givenFields, .fields),
        SettingsMember("others", \.others, .option),
        SettingsMember("columns", \.columns, .headings),
        SettingsMember("separator", \.separator, .name(of: [";"])),
    ]

    /// The fields as a member of JSON, which lacks them if there are none.
    private var givenFields: [FieldSettings]? {
        get { fields.isEmpty ? nil : fields }
        set { fields = newValue ?? [] }
    }

    /// Reads the members that are there and are not `null`.
    init(_ values: [String: SettingsValue]) throws(RollcallError) {
        self.init()
        try SettingsMember.read(Self.members, of: values, into: &self)
    }
}

extension FieldSettings {
    /// In the order in which they are written, after `key`.
    static let members: [SettingsMember<FieldSettings>] = [
        SettingsMember("from", \.from, .checked(by: .isTemplate)),
        SettingsMember("type", \.type, .option),
        SettingsMember("format", \.format, write: SettingsNode.text) { value, field throws(RollcallError) in
            try value.name(of: FieldFormat.names(of: field.type))
        },
        SettingsMember("split", \.split, .checked(by: .isSeparator)),
        SettingsMember("label", \.label, .label),
        SettingsMember("icon", \.icon, .name(of: SettingsLimits.icons)),
        SettingsMember("show", \.show, .option),
    ]

    init(_ value: SettingsValue) throws(RollcallError) {
        let values = try value.members(["key"] + Self.members.map(\.name))
        let key = try value.expected("a field with a \"key\"", values["key"])
        // A heading or a label, too: ``DirectorySettings/check()`` knows the fields.
        self.init(key: try key.line())
        try SettingsMember.read(Self.members, of: values, into: &self)
    }
}
