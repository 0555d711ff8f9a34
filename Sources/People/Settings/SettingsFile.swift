import Base
import JSON

/// The JSON text of settings: what `rollcall directories settings` prints and reads. Besides the settings it has the
/// directory's title, which is stored elsewhere.
public struct SettingsFile: Equatable, Sendable {
    public var settings: DirectorySettings
    /// Empty if the text removes it with `null`: the slug is the title then.
    public var title: String?
    /// Whether the text has a member `inferred`. If not, a directory keeps what was inferred before.
    public var hasInferred: Bool
    /// The members that are `null`, of the publisher's settings and of the inferred ones.
    private(set) var nulls = SettingsNulls()
    private(set) var inferredNulls = SettingsNulls()

    public init(settings: DirectorySettings, title: String? = nil, hasInferred: Bool = true) {
        self.settings = settings
        self.title = title
        self.hasInferred = hasInferred
    }

    /// The path of the logo, relative to the file, if the publisher names one.
    public var logo: String? { settings.own.logo }

    /// Reads settings. Throws an error for members that do not exist and for values beyond the limits. Whether the keys
    /// and columns exist is checked by ``DirectorySettings/check()`` and ``DirectorySettings/check(columns:)``, because
    /// that may depend on a file that is read later.
    public init(json: UnsafeRawBufferPointer) throws(SettingsError) {
        guard json.count <= SettingsLimits.fileBytes else {
            throw SettingsError("expected settings of at most 1 MiB, found \(json.count) bytes")
        }
        try self.init(SettingsValue(json, isStrict: true))
    }

    fileprivate init(_ value: SettingsValue) throws(SettingsError) {
        let names = Settings.members.map(\.name)
        let values = try value.members(["rollcall", "title"] + names + ["inferred"])
        if let version = values["rollcall"], !version.json.isNull, version.json.int64 != 1 {
            throw version.unexpected("1, the version of settings")
        }
        if let value = values["title"] {
            title = value.json.isNull ? "" : try value.line(maxCharacters: SettingsLimits.titleCharacters)
        }
        settings = DirectorySettings(own: try Settings(values))
        nulls = try SettingsNulls(values)
        hasInferred = false
        if let value = values["inferred"], !value.json.isNull {
            let values = try value.lenient.members(names)
            settings.inferred = try Settings(values)
            inferredNulls = try SettingsNulls(values)
            hasInferred = true
        }
    }

    /// The JSON text: indented, with a line feed at the end.
    public var json: String { SettingsText.json(self) }
}

extension DirectorySettings {
    /// Reads the text that ``json`` returns. No limits apply, because other versions of Rollcall may have other limits.
    public init(json: UnsafeRawBufferPointer) throws(SettingsError) {
        self = try SettingsFile(SettingsValue(json, isStrict: false)).settings
    }

    /// The settings as JSON text, with the inferred members under `inferred`.
    public var json: String { SettingsFile(settings: self).json }
}
