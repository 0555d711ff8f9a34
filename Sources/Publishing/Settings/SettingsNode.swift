import Base
import People

/// A value in the JSON text of settings, which has one member, field or link per line.
enum SettingsNode {
    /// What is JSON already.
    case json(String)
    case text(String)
    case list([SettingsNode])
    case object([(name: String, value: SettingsNode)])

    /// Appends the value.
    ///
    /// - Parameter indentation: that of the line in which the value begins; `nil` if all of it is on that line.
    func append(to buffer: ByteBuffer, _ indentation: String?) {
        switch self {
        case .json(let json): buffer.append(utf8: json)
        case .text(let text): Self.append(text, to: buffer)
        case .list(let elements):
            // Texts are on one line.
            let isOpen = elements.contains { if case .object = $0 { true } else { false } }
            Self.append(elements, "[", "]", to: buffer, isOpen ? indentation : nil) { $0.append(to: buffer, nil) }
        case .object(let members):
            Self.append(members, "{", "}", to: buffer, indentation) { member in
                Self.append(member.name, to: buffer)
                buffer.append(": ")
                member.value.append(to: buffer, indentation.map { $0 + "  " })
            }
        }
    }

    private static func append<Element>(
        _ elements: [Element], _ open: StaticString, _ close: StaticString, to buffer: ByteBuffer,
        _ indentation: String?, _ append: (Element) -> Void
    ) {
        buffer.append(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(indentation == nil ? ", " : ",") }
            if let indentation { buffer.append(utf8: "\n\(indentation)  ") }
            append(element)
        }
        if let indentation, !elements.isEmpty { buffer.append(utf8: "\n\(indentation)") }
        buffer.append(close)
    }

    /// Appends a string with only the escapes that JSON requires (RFC 8259 §7). Unlike in pages, `<` and `&` are not
    /// escaped.
    private static func append(_ text: String, to buffer: ByteBuffer) {
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
    let write: @Sendable (Value) -> SettingsNode
}

extension SettingsForm<String> {
    /// A text of one line.
    static let line = SettingsForm(
        read: { value throws(RollcallError) in try value.line() }, write: SettingsNode.text)

    static func checked(by rule: SettingsRule) -> SettingsForm {
        SettingsForm(
            read: { value throws(RollcallError) in try value.checked(value.text(), by: rule) },
            write: SettingsNode.text)
    }

    static func name(of names: [String]) -> SettingsForm {
        SettingsForm(read: { value throws(RollcallError) in try value.name(of: names) }, write: SettingsNode.text)
    }
}

extension SettingsForm<Bool> {
    static let boolean = SettingsForm(
        read: { value throws(RollcallError) in try value.expected("true or false", value.json.bool) },
        write: { .json("\($0)") })
}

extension SettingsForm where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the names of `Value`.
    static var option: SettingsForm {
        SettingsForm(
            read: { value throws(RollcallError) in
                let names = Value.allCases.map(\.rawValue)
                return try value.expected("a name", Value(rawValue: value.name(of: names)))
            },
            write: { .text($0.rawValue) })
    }
}

extension SettingsForm<[String]> {
    /// At most `limit` different texts.
    static func lines(_ limit: Int) -> SettingsForm {
        SettingsForm(
            read: { value throws(RollcallError) in
                let lines = try value.elements(limit: limit).map { line throws(RollcallError) in try line.text() }
                return value.isStrict ? try lines.distinct(in: value.path) : lines
            }, write: { .list($0.map(SettingsNode.text)) })
    }

    /// The headings of a file. Several may be the same or empty.
    static let headings = SettingsForm(
        read: { value throws(RollcallError) in
            try value.elements(limit: .max).map { heading throws(RollcallError) in
                try heading.expected("a text", heading.json.string?.text)
            }
        }, write: { .list($0.map(SettingsNode.text)) })
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
                        url: try url.checked(url.line(), by: .isLink)))
            }
            return links
        },
        write: { links in
            .list(links.map { .object([("label", .text($0.label)), ("url", .text($0.url))]) })
        })
}

extension SettingsForm<[FieldSettings]> {
    static let fields = SettingsForm(
        read: { value throws(RollcallError) in
            var fields: [FieldSettings] = []
            for element in try value.elements(limit: .max) {
                let field = try FieldSettings(element)
                let isNew = !fields.contains { $0.key == field.key }
                try expect(isNew, "\(value.path): expected one field \"\(field.key)\", found two")
                fields.append(field)
            }
            return fields
        },
        write: { fields in
            .list(
                fields.map { field in
                    .object([("key", .text(field.key))] + SettingsMember.nodes(FieldSettings.members, of: field))
                })
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
                let language = try value.checked(language, by: .isLanguageOfLabels)
                labels[language] = try label.line(maxCharacters: SettingsLimits.labelCharacters)
            }
            if labels.isEmpty { throw value.unexpected("a label") }
            return .byLanguage(labels)
        },
        write: { label in
            switch label {
            case .text(let label), .builtIn(let label): .text(label)
            case .byLanguage(let labels): .object(labels.sorted { $0.key < $1.key }.map { ($0, .text($1)) })
            }
        })
}
