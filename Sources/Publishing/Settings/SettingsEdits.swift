import Base
import People

/// Changes to the settings of a directory, as the options of `import` and of `directories settings` make them.
///
/// ```swift
/// var edits = SettingsEdits()
/// edits.keep = ["Salary"]                              // --keep Salary
/// edits.map = [.init(key: "name", text: "{Vorname} {Nachname}")]
/// ```
public struct SettingsEdits: Equatable, Sendable {
    /// The only columns that are stored and public. `nil` changes nothing.
    public var only: [String]?
    /// Columns that are not stored.
    public var drop: [String] = []
    /// Columns that are stored and private.
    public var keep: [String] = []
    /// Columns that are public.
    public var publish: [String] = []
    /// The sources of fields: a role or a new key, and a template or a column.
    public var map: [Assignment] = []
    /// The members to set, without fields: values that a file may have.
    public var set = Settings()
    public var labels: [Assignment] = []
    public var icons: [Assignment] = []
    /// The columns that identify a person.
    public var key: [String]?

    /// A text for a field, such as its template.
    public struct Assignment: Equatable, Sendable {
        public var key: String
        public var text: String

        public init(key: String, text: String) {
            (self.key, self.text) = (key, text)
        }
    }

    public init() {}

    public var isEmpty: Bool { self == SettingsEdits() }

    /// The names of columns, which may be keys of fields, in the options that say who sees what.
    public var names: [String] { ((only ?? []) + drop + keep + publish).flatMap(Self.keys) }
}

extension SettingsEdits {
    /// Reads a list of keys: `department,location`. An empty text is an empty list.
    public static func keys(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    /// Returns `settings` with these changes applied to the publisher's own settings. `columns` are the headings of the
    /// file to import, or else of the last imported file; errors list them.
    ///
    /// Lists of columns are split at commas; a text that is itself a column is not. Call this after inference, so that
    /// a column is found in the inferred fields that read it.
    public func applying(
        to settings: DirectorySettings, columns: [String]
    ) throws(RollcallError) -> DirectorySettings {
        var editor = SettingsEditor(settings: settings, columns: columns)
        for mapping in map { try editor.map(mapping) }
        if let only { try editor.only(columns.split(only)) }
        let published = columns.split(publish)
        for name in columns.split(drop) { try editor.show(name, .never, for: "drop") }
        for name in columns.split(keep) { try editor.show(name, .private, for: "keep") }
        for name in published { try editor.show(name, .public, for: "publish") }
        for label in labels { try editor.label(label) }
        for icon in icons { try editor.icon(icon) }
        if let key { try editor.key(columns.split(key)) }
        editor.settings.own = try set.merged(into: editor.settings.own, SettingsNulls())
        editor.settings = try editor.settings.listingKeys()
        try editor.checkTemplates(of: self, published: published)
        editor.settings.forgetHiddenFields(exceptIn: set)
        try editor.settings.check()
        return editor.settings
    }
}

extension [String] {
    /// Returns the columns in `lists`, which may have several in a text, separated by commas.
    fileprivate func split(_ lists: [String]) -> [String] {
        let names = Set(map { $0.folded })
        return lists.flatMap { text in names.contains(text.folded) ? [text] : SettingsEdits.keys(text) }
    }
}
