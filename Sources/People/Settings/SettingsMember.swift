import Base

/// A member of a JSON object with settings: its name, and how its value is read, written and merged. A new setting is a
/// property and a line in one of the tables ``Settings/members`` and ``FieldSettings/members``.
struct SettingsMember<Object: Sendable>: Sendable {
    let name: String
    /// Reads the value into the object. Throws an error for another value than expected.
    let read: @Sendable (SettingsValue, inout Object) throws(SettingsError) -> Void
    /// Returns a function that writes the value, or `nil` if it is not set.
    let writer: @Sendable (Object, SettingsText) -> (() -> Void)?
    /// Sets the value in the second object to that of the first, if the first has one.
    let merge: @Sendable (Object, inout Object) -> Void
    let remove: @Sendable (inout Object) -> Void

    init<Value>(_ name: String, _ path: WritableKeyPath<Object, Value?> & Sendable, _ form: SettingsForm<Value>) {
        self.init(name, path, write: form.write) { value, _ throws(SettingsError) in try form.read(value) }
    }

    /// A member whose values depend on those that are read before it.
    init<Value>(
        _ name: String, _ path: WritableKeyPath<Object, Value?> & Sendable,
        write: @escaping @Sendable (SettingsText, Value) -> Void,
        read: @escaping @Sendable (SettingsValue, Object) throws(SettingsError) -> Value
    ) {
        self.name = name
        self.read = { value, object throws(SettingsError) in object[keyPath: path] = try read(value, object) }
        writer = { object, text in object[keyPath: path].map { value in { write(text, value) } } }
        merge = { newer, object in
            if let value = newer[keyPath: path] { object[keyPath: path] = value }
        }
        remove = { $0[keyPath: path] = nil }
    }
}

extension Settings {
    /// In the order in which they are written. The object of a publisher has `rollcall` (the version of the format, 1)
    /// and `title` before them, and `inferred` after them.
    static let members: [SettingsMember<Settings>] = [
        SettingsMember("intro", \.intro, .checked(by: SettingsRules.isIntro)),
        SettingsMember("language", \.language, .checked(by: SettingsRules.isLanguage)),
        SettingsMember("logo", \.logo, .line),
        SettingsMember("accent", \.accent, .checked(by: SettingsRules.isColour)),
        SettingsMember("paper", \.paper, .checked(by: SettingsRules.isColour)),
        SettingsMember("radius", \.radius, .checked(by: SettingsRules.isRadius)),
        SettingsMember("font", \.font, .checked(by: SettingsRules.isFont)),
        SettingsMember("links", \.links, .links),
        SettingsMember("private", \.isPrivate, .boolean),
        SettingsMember("pictures", \.pictures, .option),
        SettingsMember("key", \.key, .lines(SettingsLimits.fields)),
        SettingsMember("order", \.order, .line),
        SettingsMember("rows", \.rows, .lines(SettingsLimits.rows)),
        SettingsMember("cards", \.cards, .lines(SettingsLimits.cards)),
        SettingsMember("search", \.search, .lines(SettingsLimits.search)),
        SettingsMember("filters", \.filters, .lines(SettingsLimits.filters)),
        SettingsMember("sorts", \.sorts, .lines(SettingsLimits.sorts)),
        SettingsMember("fields", \.fields, .fields),
        SettingsMember("others", \.others, .option),
        SettingsMember("columns", \.columns, .headings),
        SettingsMember("separator", \.separator, .name(of: [";"])),
    ]

    /// Reads the members that are there and are not `null`.
    init(_ values: [String: SettingsValue]) throws(SettingsError) {
        self.init()
        for member in Self.members {
            if let value = values[member.name], !value.json.isNull { try member.read(value, &self) }
        }
    }
}

extension FieldSettings {
    /// In the order in which they are written, after `key`.
    static let members: [SettingsMember<FieldSettings>] = [
        SettingsMember("from", \.from, .checked(by: SettingsRules.isTemplate)),
        SettingsMember("type", \.type, .option),
        SettingsMember("format", \.format, write: SettingsForm.line.write) { value, field throws(SettingsError) in
            try value.name(of: FieldFormat.names(of: field.type))
        },
        SettingsMember("split", \.split, .checked(by: SettingsRules.isSeparator)),
        SettingsMember("label", \.label, .label),
        SettingsMember("icon", \.icon, .name(of: FieldIcon.names)),
        SettingsMember("show", \.show, .option),
    ]

    init(_ value: SettingsValue) throws(SettingsError) {
        let values = try value.members(["key"] + Self.members.map(\.name))
        guard let key = values["key"] else { throw value.unexpected("a field with a \"key\"") }
        // A heading or a label, too: ``DirectorySettings/check()`` knows the fields.
        self.init(key: try key.line())
        for member in Self.members {
            if let value = values[member.name], !value.json.isNull { try member.read(value, &self) }
        }
    }
}
