/// The members that the text of a file sets to `null`: they return to what is inferred.
struct SettingsNulls: Equatable, Sendable {
    var members: Set<SettingsMember> = []
    /// By the keys of fields.
    var fields: [String: Set<FieldMember>] = [:]
}

extension SettingsFile {
    /// Whether the file removes the logo.
    public var removesLogo: Bool { nulls.members.contains(.logo) }

    /// Returns `settings` with the members that the file names, and all others as they are. Fields are merged by their
    /// keys in the same way. A member that is `null` is removed, so that what is inferred counts. Lists that the file
    /// does not name lose the fields that it hides.
    public func merged(into settings: DirectorySettings) throws(SettingsError) -> DirectorySettings {
        var merged = settings
        merged.own = try self.settings.own.merged(into: settings.own, nulls)
        if hasInferred { merged.inferred = try self.settings.inferred.merged(into: settings.inferred, inferredNulls) }
        var named = SettingsEdits()
        let own = self.settings.own
        (named.rows, named.cards, named.search) = (own.rows, own.cards, own.search)
        (named.filters, named.sorts, named.order) = (own.filters, own.sorts, own.order)
        var editor = SettingsEditor(settings: merged, columns: [])
        editor.forgetHiddenFields(exceptIn: named)
        return editor.settings
    }

    /// Returns the settings of the file in place of `settings`. "private", "pictures", "key" and what was inferred stay
    /// unless the file names them.
    public func replacing(_ settings: DirectorySettings) -> DirectorySettings {
        DirectorySettings(
            own: self.settings.own.replacing(settings.own),
            inferred: hasInferred ? self.settings.inferred : settings.inferred)
    }
}

extension Settings {
    fileprivate func merged(into earlier: Settings, _ nulls: SettingsNulls) throws(SettingsError) -> Settings {
        var merged = earlier
        func set<Value>(_ path: WritableKeyPath<Settings, Value?>, _ member: SettingsMember) {
            if nulls.members.contains(member) { merged[keyPath: path] = nil }
            if let value = self[keyPath: path] { merged[keyPath: path] = value }
        }
        for member in SettingsMember.allCases {
            switch member {
            case .rollcall, .title, .inferred: break
            case .intro: set(\.intro, member)
            case .language: set(\.language, member)
            case .logo: set(\.logo, member)
            case .accent: set(\.accent, member)
            case .paper: set(\.paper, member)
            case .radius: set(\.radius, member)
            case .font: set(\.font, member)
            case .links: set(\.links, member)
            case .private: set(\.isPrivate, member)
            case .pictures: set(\.pictures, member)
            case .key: set(\.key, member)
            case .order: set(\.order, member)
            case .rows: set(\.rows, member)
            case .cards: set(\.cards, member)
            case .search: set(\.search, member)
            case .filters: set(\.filters, member)
            case .sorts: set(\.sorts, member)
            case .fields:
                let earlierFields = nulls.members.contains(member) ? nil : earlier.fields
                merged.fields = try Self.merged(fields ?? [], into: earlierFields, nulls.fields)
            case .others: set(\.others, member)
            case .columns: set(\.columns, member)
            }
        }
        return merged
    }

    private static func merged(
        _ fields: [FieldSettings], into earlier: [FieldSettings]?, _ nulls: [String: Set<FieldMember>]
    ) throws(SettingsError) -> [FieldSettings]? {
        if fields.isEmpty { return earlier }
        var merged = earlier ?? []
        for field in fields {
            let nulls = nulls[field.key] ?? []
            guard let index = merged.firstIndex(where: { $0.key == field.key }) else {
                if nulls.isEmpty || field != FieldSettings(key: field.key) { merged.append(field) }
                continue
            }
            merged[index] = try field.merged(into: merged[index], nulls)
            // A field that says nothing any more.
            if !nulls.isEmpty, merged[index] == FieldSettings(key: field.key) { merged.remove(at: index) }
        }
        let stored = merged.count { $0.show != .never }
        guard stored <= SettingsLimits.fields else {
            throw SettingsError("fields: expected at most \(SettingsLimits.fields) fields, found \(stored)")
        }
        return merged.isEmpty ? nil : merged
    }
}

extension FieldSettings {
    fileprivate func merged(
        into earlier: FieldSettings, _ nulls: Set<FieldMember>
    ) throws(SettingsError) -> FieldSettings {
        var merged = earlier
        func set<Value>(_ path: WritableKeyPath<FieldSettings, Value?>, _ member: FieldMember) {
            if nulls.contains(member) { merged[keyPath: path] = nil }
            if let value = self[keyPath: path] { merged[keyPath: path] = value }
        }
        for member in FieldMember.allCases {
            switch member {
            case .key: break
            case .from: set(\.from, member)
            case .type: set(\.type, member)
            case .format: set(\.format, member)
            case .split: set(\.split, member)
            case .label: set(\.label, member)
            case .icon: set(\.icon, member)
            case .show: set(\.show, member)
            }
        }
        if let found = merged.format, !FieldFormat.names(of: merged.type).contains(found) {
            // The format of the earlier type goes with it.
            if format == nil {
                merged.format = nil
            } else {
                let type = merged.type?.rawValue ?? ""
                throw SettingsError("field \"\(key)\": expected no format \(found), because the type is \(type)")
            }
        }
        return merged
    }
}
