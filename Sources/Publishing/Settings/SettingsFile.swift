import Base
import People

/// The JSON text of settings: what `rollcall directories settings` prints and reads. Besides the settings it has the
/// directory's title, which is stored elsewhere.
public struct SettingsFile: Equatable, Sendable {
    public var settings: DirectorySettings
    /// Empty if the text removes it with `null`: the slug is the title then.
    public var title: String?
    /// The members that are `null`, of the publisher's settings and of the inferred ones. `nil` if the text has no
    /// member `inferred`: then a directory keeps what was inferred before.
    private(set) var nulls = SettingsNulls()
    var inferredNulls: SettingsNulls?

    public init(settings: DirectorySettings, title: String? = nil) {
        (self.settings, self.title) = (settings, title)
        inferredNulls = SettingsNulls()
    }

    /// The path of the logo, relative to the file, if the publisher names one.
    public var logo: String? { settings.own.logo }

    /// Reads settings. Throws an error for members that do not exist and for values beyond the limits. Whether the keys
    /// and columns exist is checked by ``DirectorySettings/check()`` and ``DirectorySettings/check(columns:)``, because
    /// that may depend on a file that is read later.
    public init(json: UnsafeRawBufferPointer) throws(RollcallError) {
        try expect(
            json.count <= SettingsLimits.fileBytes, "expected settings of at most 1 MiB, found \(json.count) bytes")
        try self.init(SettingsValue(json, isStrict: true))
    }

    fileprivate init(_ value: SettingsValue) throws(RollcallError) {
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
        if let value = values["inferred"], !value.json.isNull {
            let values = try value.lenient.members(names)
            settings.inferred = try Settings(values)
            inferredNulls = try SettingsNulls(values)
        }
    }

    /// The JSON text: indented, with a line feed at the end.
    public var json: String {
        var members: [(name: String, value: SettingsNode)] = [("rollcall", .json("1"))]
        if let title { members.append(("title", .text(title))) }
        members += SettingsMember.nodes(Settings.members, of: settings.own)
        let inferred = SettingsMember.nodes(Settings.members, of: settings.inferred)
        if !inferred.isEmpty { members.append(("inferred", .object(inferred))) }
        let buffer = ByteBuffer(capacity: 1024)
        SettingsNode.object(members).append(to: buffer, "")
        buffer.append("\n")
        return String(buffer)
    }
}

extension DirectorySettings {
    /// Reads the text that ``json`` returns. No limits apply, because other versions of Rollcall may have other limits.
    public init(json: UnsafeRawBufferPointer) throws(RollcallError) {
        self = try SettingsFile(SettingsValue(json, isStrict: false)).settings
    }

    /// The settings as JSON text, with the inferred members under `inferred`.
    public var json: String { SettingsFile(settings: self).json }
}

/// The members that the text of a file sets to `null`: they return to what is inferred.
struct SettingsNulls: Equatable, Sendable {
    var members: Set<String> = []
    /// By the keys of fields.
    var fields: [String: Set<String>] = [:]

    init() {}

    /// Finds them in an object that has been read without an error.
    init(_ values: [String: SettingsValue]) throws(RollcallError) {
        let nulls = { (values: [String: SettingsValue]) in Set(values.filter(\.value.json.isNull).keys) }
        members = nulls(values)
        guard let list = values["fields"], !list.json.isNull else { return }
        for field in try list.elements(limit: .max) {
            let values = try field.members(["key"] + FieldSettings.members.map(\.name))
            let removed = nulls(values)
            if !removed.isEmpty, let key = values["key"]?.json.string?.text { fields[key] = removed }
        }
    }
}

extension SettingsFile {
    /// Reads members whose values are JSON: the changes that options ask for.
    public init(members: [String: String]) throws(RollcallError) {
        let text = members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        try self.init(json: Array("{\(text)}".utf8))
    }

    public init(json: [UInt8]) throws(RollcallError) {
        let file = json.withUnsafeBytes { json in
            Result { () throws(RollcallError) in try SettingsFile(json: json) }
        }
        self = try file.get()
    }
}

extension SettingsFile {
    public var removesLogo: Bool { nulls.members.contains("logo") }

    /// Returns `settings` with the changes of the file: in the place of all present ones, or of those that it names.
    public func applied(
        to settings: DirectorySettings, replacingAll: Bool
    ) throws(RollcallError) -> DirectorySettings {
        try replacingAll ? replacing(settings) : merged(into: settings)
    }

    /// Returns `settings` with the members that the file names, and all others as they are. Fields are merged by their
    /// keys in the same way. A member that is `null` is removed, so that what is inferred counts. Lists that the file
    /// does not name lose the fields that it hides.
    func merged(into settings: DirectorySettings) throws(RollcallError) -> DirectorySettings {
        var merged = settings
        let (own, nulls) = try keyed(by: settings)
        var earlier = settings.own
        // A label for a column that is hidden with all others does not show it, unless the file shows all others.
        if let others = earlier.others.map({ max($0, own.others ?? $0) }) {
            for field in own.fields where field.from == nil && earlier.field(field.key) == nil {
                let show = min(settings.inferred.field(field.key)?.show ?? .public, others)
                earlier.fields.change(field.key) { $0.show = show == .public ? nil : show }
            }
        }
        merged.own = try own.merged(into: earlier, nulls)
        if let inferredNulls {
            merged.inferred = try self.settings.inferred.merged(into: settings.inferred, inferredNulls)
        }
        merged = try merged.listingKeys()
        merged.forgetHiddenFields(exceptIn: own)
        return merged
    }

    /// Returns the settings of the file in place of `settings`. "private", "pictures", "key" and what was inferred stay
    /// unless the file names them.
    func replacing(_ settings: DirectorySettings) throws(RollcallError) -> DirectorySettings {
        try DirectorySettings(
            own: keyed(by: settings).own.replacing(settings.own),
            inferred: inferredNulls == nil ? settings.inferred : self.settings.inferred
        ).listingKeys()
    }

    /// Returns the publisher's settings, and their members that are `null`, with the keys of the fields of `settings`
    /// in the place of headings and labels.
    private func keyed(by settings: DirectorySettings) throws(RollcallError) -> (own: Settings, nulls: SettingsNulls) {
        let names = FieldNames(settings.resolvedFields)
        var nulls = nulls
        nulls.fields = [:]
        for (name, members) in self.nulls.fields {
            let key = try names.key(ofField: FieldSettings(key: name))
            nulls.fields[key, default: []].formUnion(members)
        }
        return (try DirectorySettings(own: self.settings.own).keyingFields(by: settings).own, nulls)
    }
}

extension Settings {
    /// Returns `earlier` with the members that are set here, and without those that are `nulls`.
    func merged(into earlier: Settings, _ nulls: SettingsNulls) throws(RollcallError) -> Settings {
        var merged = earlier
        for member in Self.members { member.merge(self, nulls.members, &merged) }
        merged.fields = nulls.members.contains("fields") ? [] : earlier.fields
        for field in fields {
            try merged.fields.change(field.key) { known throws(RollcallError) in
                known = try field.merged(into: known, nulls.fields[field.key] ?? [])
            }
        }
        // Fields that say nothing any more.
        merged.fields.removeAll { nulls.fields[$0.key] != nil && $0 == FieldSettings(key: $0.key) }
        return merged
    }
}

extension FieldSettings {
    fileprivate func merged(
        into earlier: FieldSettings, _ nulls: Set<String>
    ) throws(RollcallError) -> FieldSettings {
        var merged = earlier
        for member in Self.members { member.merge(self, nulls, &merged) }
        if let found = merged.format, !FieldFormat.names(of: merged.type).contains(found) {
            let type = merged.type?.rawValue ?? ""
            try expect(
                format == nil, "field \"\(key)\": expected no format \(found), because the type is \(type)")
            // The format of the earlier type goes with it.
            merged.format = nil
        }
        return merged
    }
}
