import Bytes

/// Reads settings from JSON.
struct SettingsReader {
    /// The members that are not settings of their own.
    var title: String?
    var inferred: Settings?
    /// The members that are `null`, of the publisher's settings and of the inferred ones.
    var nulls = SettingsNulls()
    var inferredNulls = SettingsNulls()

    /// Reads the object `value`. Only the publisher's object has a title and inferred settings.
    mutating func settings(of value: SettingsValue, isInferred: Bool) throws(SettingsError) -> Settings {
        var settings = Settings()
        let outer: [SettingsMember] = [.rollcall, .title, .inferred]
        let names = SettingsMember.allCases.filter { !isInferred || !outer.contains($0) }.map(\.rawValue)
        let members = try value.members(names)
        for member in SettingsMember.allCases {
            guard let value = members[member.rawValue] else { continue }
            if !value.json.isNull {
                try read(member, value, into: &settings, isInferred: isInferred)
            } else if isInferred {
                inferredNulls.members.insert(member)
            } else {
                nulls.members.insert(member)
            }
        }
        if nulls.members.contains(.title) { title = "" }
        return settings
    }

    private mutating func read(
        _ member: SettingsMember, _ value: SettingsValue, into settings: inout Settings, isInferred: Bool
    ) throws(SettingsError) {
        switch member {
        case .rollcall: guard value.json.int64 == 1 else { throw value.unexpected("1, the version of settings") }
        case .title: title = try value.line(maxCharacters: SettingsLimits.titleCharacters)
        case .intro: settings.intro = try SettingsRules.intro(value)
        case .language: settings.language = try SettingsRules.check(value.text(), value, SettingsRules.isLanguage)
        case .logo: settings.logo = try value.line()
        case .accent: settings.accent = try SettingsRules.check(value.text(), value, SettingsRules.isColour)
        case .paper: settings.paper = try SettingsRules.check(value.text(), value, SettingsRules.isColour)
        case .radius: settings.radius = try SettingsRules.check(value.text(), value, SettingsRules.isRadius)
        case .font: settings.font = try SettingsRules.check(value.text(), value, SettingsRules.isFont)
        case .links: settings.links = try links(value)
        case .private: settings.isPrivate = try value.bool()
        case .pictures: settings.pictures = try value.option(PictureMode.self)
        case .key: settings.key = try lines(value, limit: SettingsLimits.fields)
        case .order: settings.order = try value.line()
        case .rows: settings.rows = try lines(value, limit: SettingsLimits.rows)
        case .cards: settings.cards = try lines(value, limit: SettingsLimits.cards)
        case .search: settings.search = try lines(value, limit: SettingsLimits.search)
        case .filters: settings.filters = try lines(value, limit: SettingsLimits.filters)
        case .sorts: settings.sorts = try lines(value, limit: SettingsLimits.sorts)
        case .fields: settings.fields = try fields(value, isInferred: isInferred)
        case .others: settings.others = try value.option(FieldVisibility.self)
        case .columns: settings.columns = try lines(value, limit: .max, isUnique: false)
        case .inferred: inferred = try self.settings(of: value.lenient, isInferred: true)
        }
    }

    /// Returns the texts in an array. Duplicates are errors.
    private func lines(
        _ value: SettingsValue, limit: Int, isUnique: Bool = true
    ) throws(SettingsError) -> [String] {
        var lines: [String] = []
        for element in try value.elements(limit: limit) {
            // A heading may be empty.
            let line = isUnique ? try element.text() : try element.anyText()
            if value.isStrict, isUnique, lines.contains(line) {
                throw SettingsError("\(value.path): expected \"\(line)\" once, found it twice")
            }
            lines.append(line)
        }
        return lines
    }

    private func links(_ value: SettingsValue) throws(SettingsError) -> [SettingsLink] {
        var links: [SettingsLink] = []
        for element in try value.elements(limit: SettingsLimits.links) {
            let members = try element.members(["label", "url"])
            guard let label = members["label"], let url = members["url"] else {
                throw element.unexpected("an object with \"label\" and \"url\"")
            }
            links.append(
                SettingsLink(
                    label: try label.line(maxCharacters: SettingsLimits.labelCharacters),
                    url: try SettingsRules.check(url.line(), url, SettingsRules.isLink)))
        }
        return links
    }

    private mutating func fields(
        _ value: SettingsValue, isInferred: Bool
    ) throws(SettingsError) -> [FieldSettings] {
        var fields: [FieldSettings] = []
        for element in try value.elements(limit: .max) {
            let (field, removed) = try field(element)
            if fields.contains(where: { $0.key == field.key }) {
                throw SettingsError("\(value.path): expected one field \"\(field.key)\", found two")
            }
            fields.append(field)
            guard !removed.isEmpty else { continue }
            if isInferred { inferredNulls.fields[field.key] = removed } else { nulls.fields[field.key] = removed }
        }
        let stored = fields.count { $0.show != .never }
        guard !value.isStrict || stored <= SettingsLimits.fields else {
            throw SettingsError("\(value.path): expected at most \(SettingsLimits.fields) fields, found \(stored)")
        }
        return fields
    }

    /// Returns a field, and those of its members that are `null`.
    private func field(
        _ value: SettingsValue
    ) throws(SettingsError) -> (FieldSettings, removed: Set<FieldMember>) {
        let members = try value.members(FieldMember.allCases.map(\.rawValue))
        guard let key = members[FieldMember.key.rawValue] else { throw value.unexpected("a field with a \"key\"") }
        var field = FieldSettings(key: try SettingsRules.check(key.text(), key, SettingsRules.isKey))
        var removed: Set<FieldMember> = []
        for member in FieldMember.allCases {
            guard let value = members[member.rawValue] else { continue }
            if value.json.isNull {
                removed.insert(member)
                continue
            }
            switch member {
            case .key: break
            case .from: field.from = try SettingsRules.check(value.text(), value, SettingsRules.isTemplate)
            case .type: field.type = try value.option(FieldType.self)
            case .format: field.format = try value.name(of: FieldFormat.names(of: field.type))
            case .split: field.split = try SettingsRules.check(value.text(), value, SettingsRules.isSeparator)
            case .label: field.label = try label(value)
            case .icon: field.icon = try value.name(of: FieldIcon.names)
            case .show: field.show = try value.option(FieldVisibility.self)
            }
        }
        return (field, removed)
    }

    private func label(_ value: SettingsValue) throws(SettingsError) -> FieldLabel {
        guard value.json.kind == .object else {
            return .text(try value.line(maxCharacters: SettingsLimits.labelCharacters))
        }
        var labels: [String: String] = [:]
        for (language, label) in try value.object() {
            guard !value.isStrict || SettingsRules.isLanguageTag.holds(language) else {
                throw value.unexpected("labels by language, such as {\"de\": \"Abteilung\"}")
            }
            labels[language] = try label.line(maxCharacters: SettingsLimits.labelCharacters)
        }
        if labels.isEmpty { throw value.unexpected("a label") }
        return .byLanguage(labels)
    }
}
