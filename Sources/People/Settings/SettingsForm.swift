/// How the values of some settings are read from JSON, and written.
struct SettingsForm<Value>: Sendable {
    let read: @Sendable (SettingsValue) throws(SettingsError) -> Value
    let write: @Sendable (SettingsText, Value) -> Void
}

extension SettingsForm<String> {
    /// A text of one line.
    static let line = SettingsForm(
        read: { value throws(SettingsError) in try value.line() }, write: { text, line in text.write(line) })

    static func checked(by rule: SettingsRule) -> SettingsForm {
        SettingsForm(
            read: { value throws(SettingsError) in try SettingsRules.check(value.text(), value, rule) },
            write: line.write)
    }

    static func name(of names: [String]) -> SettingsForm {
        SettingsForm(read: { value throws(SettingsError) in try value.name(of: names) }, write: line.write)
    }
}

extension SettingsForm<Bool> {
    static let boolean = SettingsForm(
        read: { value throws(SettingsError) in try value.bool() },
        write: { text, value in text.write(json: value ? "true" : "false") })
}

extension SettingsForm where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the names of `Value`.
    static var option: SettingsForm {
        SettingsForm(
            read: { value throws(SettingsError) in try value.option(Value.self) },
            write: { text, option in text.write(option.rawValue) })
    }
}

extension SettingsForm<[String]> {
    /// At most `limit` different texts.
    static func lines(_ limit: Int) -> SettingsForm {
        SettingsForm(
            read: { value throws(SettingsError) in
                var lines: [String] = []
                for element in try value.elements(limit: limit) {
                    let line = try element.text()
                    if value.isStrict, lines.contains(line) {
                        throw SettingsError("\(value.path): expected \"\(line)\" once, found it twice")
                    }
                    lines.append(line)
                }
                return lines
            }, write: { text, lines in text.write(lines) })
    }

    /// The headings of a file. Several may be the same or empty.
    static let headings = SettingsForm(
        read: { value throws(SettingsError) in
            var headings: [String] = []
            for element in try value.elements(limit: .max) { headings.append(try element.anyText()) }
            return headings
        }, write: { text, headings in text.write(headings) })
}

extension SettingsForm<[SettingsLink]> {
    static let links = SettingsForm(
        read: { value throws(SettingsError) in
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
        },
        write: { text, links in
            text.write(links) { link in
                text.write([("label", { text.write(link.label) }), ("url", { text.write(link.url) })])
            }
        })
}

extension SettingsForm<[FieldSettings]> {
    static let fields = SettingsForm(
        read: { value throws(SettingsError) in
            var fields: [FieldSettings] = []
            for element in try value.elements(limit: .max) {
                let field = try FieldSettings(element)
                if fields.contains(where: { $0.key == field.key }) {
                    throw SettingsError("\(value.path): expected one field \"\(field.key)\", found two")
                }
                fields.append(field)
            }
            let stored = fields.count { $0.show != .never }
            guard !value.isStrict || stored <= SettingsLimits.fields else {
                throw SettingsError("\(value.path): expected at most \(SettingsLimits.fields) fields, found \(stored)")
            }
            return fields
        },
        write: { text, fields in
            text.write(fields) { field in
                let members = FieldSettings.members.compactMap { member in
                    member.writer(field, text).map { (member.name, $0) }
                }
                text.write([("key", { text.write(field.key) })] + members)
            }
        })
}

extension SettingsForm<FieldLabel> {
    static let label = SettingsForm(
        read: { value throws(SettingsError) in
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
        },
        write: { text, label in
            switch label {
            case .text(let label), .builtIn(let label): text.write(label)
            case .byLanguage(let labels):
                text.write(
                    labels.sorted { $0.key < $1.key }.map { language, label in (language, { text.write(label) }) })
            }
        })
}
