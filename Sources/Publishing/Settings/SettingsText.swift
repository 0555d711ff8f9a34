import Base
import People

/// Writes settings as JSON, with one member, field or link per line.
struct SettingsText {
    private let buffer: ByteBuffer
    private let indentation: String

    static func json(_ file: SettingsFile) -> String {
        let text = SettingsText(buffer: ByteBuffer(capacity: 1024), indentation: "  ")
        let inner = SettingsText(buffer: text.buffer, indentation: "    ")
        var members: [(String, () -> Void)] = [("rollcall", { text.write(json: "1") })]
        if let title = file.title { members.append(("title", { text.write(title) })) }
        members += text.members(of: file.settings.own)
        if file.settings.inferred != Settings() {
            members.append(("inferred", { inner.write(lines: inner.members(of: file.settings.inferred)) }))
        }
        text.write(lines: members)
        text.buffer.append("\n")
        return String(text.buffer)
    }

    private func members(of settings: Settings) -> [(String, () -> Void)] {
        Settings.members.compactMap { member in member.writer(settings, self).map { (member.name, $0) } }
    }

    /// Writes an object with one member per line.
    private func write(lines members: [(name: String, write: () -> Void)]) {
        write(members, "{", "\n\(indentation)", "\n\(indentation.dropLast(2))", "}", member)
    }

    /// Writes an array with one element per line.
    func write<Element>(_ elements: [Element], _ write: (Element) -> Void) {
        self.write(elements, "[", "\n  \(indentation)", "\n\(indentation)", "]", write)
    }

    /// Writes an array on one line.
    func write(_ texts: [String]) { write(texts, "[", "", "", "]", write) }

    /// Writes an object on one line.
    func write(_ members: [(name: String, write: () -> Void)]) { write(members, "{", "", "", "}", member) }

    private func member(_ member: (name: String, write: () -> Void)) {
        write(member.name)
        buffer.append(": ")
        member.write()
    }

    /// Writes elements between brackets. `before` stands before each of them, and `after` behind the last one.
    private func write<Element>(
        _ elements: [Element], _ open: StaticString, _ before: String, _ after: String, _ close: StaticString,
        _ write: (Element) -> Void
    ) {
        buffer.append(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(before.isEmpty ? ", " : ",") }
            buffer.append(utf8: before)
            write(element)
        }
        if !elements.isEmpty { buffer.append(utf8: after) }
        buffer.append(close)
    }

    /// Writes what is JSON already.
    func write(json: StaticString) { buffer.append(json) }

    /// Writes a string with only the escapes that JSON requires (RFC 8259 §7). Unlike in pages, `<` and `&` are not
    /// escaped.
    func write(_ text: String) {
        buffer.append("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                buffer.append("\\")
                buffer.append(byte)
            case UInt8(ascii: "\n"): buffer.append("\\n")
            case 0..<0x20:
                buffer.append("\\u")
                buffer.append(hexadecimal: UInt64(byte), digits: 4)
            default: buffer.append(byte)
            }
        }
        buffer.append("\"")
    }
}

/// How the values of some settings are read from JSON, and written.
struct SettingsForm<Value>: Sendable {
    let read: @Sendable (SettingsValue) throws(RollcallError) -> Value
    let write: @Sendable (SettingsText, Value) -> Void
}

extension SettingsForm<String> {
    /// A text of one line.
    static let line = SettingsForm(
        read: { value throws(RollcallError) in try value.line() }, write: { text, line in text.write(line) })

    static func checked(by rule: SettingsRule) -> SettingsForm {
        SettingsForm(
            read: { value throws(RollcallError) in try rule.checked(value.text(), of: value) },
            write: line.write)
    }

    static func name(of names: [String]) -> SettingsForm {
        SettingsForm(read: { value throws(RollcallError) in try value.name(of: names) }, write: line.write)
    }
}

extension SettingsForm<Bool> {
    static let boolean = SettingsForm(
        read: { value throws(RollcallError) in try value.bool() },
        write: { text, value in text.write(json: value ? "true" : "false") })
}

extension SettingsForm where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the names of `Value`.
    static var option: SettingsForm {
        SettingsForm(
            read: { value throws(RollcallError) in try value.option(Value.self) },
            write: { text, option in text.write(option.rawValue) })
    }
}

extension SettingsForm<[String]> {
    /// At most `limit` different texts.
    static func lines(_ limit: Int) -> SettingsForm {
        SettingsForm(
            read: { value throws(RollcallError) in
                let lines = try value.elements(limit: limit).map { line throws(RollcallError) in try line.text() }
                return value.isStrict ? try lines.distinct(in: value.path) : lines
            }, write: { text, lines in text.write(lines) })
    }

    /// The headings of a file. Several may be the same or empty.
    static let headings = SettingsForm(
        read: { value throws(RollcallError) in
            try value.elements(limit: .max).map { heading throws(RollcallError) in try heading.anyText() }
        }, write: { text, headings in text.write(headings) })
}

extension SettingsForm<[SettingsLink]> {
    static let links = SettingsForm(
        read: { value throws(RollcallError) in
            var links: [SettingsLink] = []
            for element in try value.elements(limit: SettingsLimits.links) {
                let members = try element.members(["label", "url"])
                let expected = "an object with \"label\" and \"url\""
                let label = try element.expected(expected, members["label"])
                let url = try element.expected(expected, members["url"])
                links.append(
                    SettingsLink(
                        label: try label.line(maxCharacters: SettingsLimits.labelCharacters),
                        url: try SettingsRule.isLink.checked(url.line(), of: url)))
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
        read: { value throws(RollcallError) in
            var fields: [FieldSettings] = []
            for element in try value.elements(limit: .max) {
                let field = try FieldSettings(element)
                if fields.contains(where: { $0.key == field.key }) {
                    throw RollcallError("\(value.path): expected one field \"\(field.key)\", found two")
                }
                fields.append(field)
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
        read: { value throws(RollcallError) in
            guard value.json.kind == .object else {
                return .text(try value.line(maxCharacters: SettingsLimits.labelCharacters))
            }
            var labels: [String: String] = [:]
            for (language, label) in try value.object() {
                guard !value.isStrict || SettingsRule.isLanguageTag.holds(language) else {
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
