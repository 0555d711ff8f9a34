import Bytes
import JSON

/// Writes settings as JSON, with one member or field per line.
struct SettingsWriter {
    private let buffer = ByteBuffer(capacity: 1024)

    static func json(_ file: SettingsFile) -> String {
        let writer = SettingsWriter()
        writer.write(file.settings.own, indentation: "  ", file: file)
        writer.buffer.append("\n")
        return String(writer.buffer)
    }

    /// Writes the object with members indented by `indentation`. Only the outer object has a version, a title and
    /// inferred settings.
    private func write(_ settings: Settings, indentation: String, file: SettingsFile?) {
        buffer.append("{")
        var isFirst = true
        for member in SettingsMember.allCases {
            guard let writeValue = value(of: member, settings, indentation: indentation, file: file) else { continue }
            buffer.append(isFirst ? "\n" : ",\n")
            isFirst = false
            buffer.append(utf8: indentation)
            write(member.rawValue)
            buffer.append(": ")
            writeValue()
        }
        buffer.append("\n")
        buffer.append(utf8: indentation.dropLast(2))
        buffer.append("}")
    }

    /// Returns a function that writes the value of `member`, or `nil` if it is not set.
    private func value(
        of member: SettingsMember, _ settings: Settings, indentation: String, file: SettingsFile?
    ) -> (() -> Void)? {
        switch member {
        case .rollcall: file.map { _ in { buffer.append("1") } }
        case .title: file?.title.map { title in { write(title) } }
        case .intro: settings.intro.map { text in { write(text) } }
        case .language: settings.language.map { text in { write(text) } }
        case .logo: settings.logo.map { text in { write(text) } }
        case .accent: settings.accent.map { text in { write(text) } }
        case .paper: settings.paper.map { text in { write(text) } }
        case .radius: settings.radius.map { text in { write(text) } }
        case .font: settings.font.map { text in { write(text) } }
        case .links: settings.links.map { links in { write(links, indentation, write) } }
        case .private: settings.isPrivate.map { isPrivate in { buffer.append(isPrivate ? "true" : "false") } }
        case .pictures: settings.pictures.map { mode in { write(mode.rawValue) } }
        case .key: settings.key.map { columns in { write(columns) } }
        case .order: settings.order.map { text in { write(text) } }
        case .rows: settings.rows.map { keys in { write(keys) } }
        case .cards: settings.cards.map { keys in { write(keys) } }
        case .search: settings.search.map { keys in { write(keys) } }
        case .filters: settings.filters.map { keys in { write(keys) } }
        case .sorts: settings.sorts.map { keys in { write(keys) } }
        case .fields: settings.fields.map { fields in { write(fields, indentation, write) } }
        case .others: settings.others.map { others in { write(others.rawValue) } }
        case .columns: settings.columns.map { columns in { write(columns) } }
        case .inferred:
            file.flatMap { file in
                guard file.settings.inferred != Settings() else { return nil }
                return { write(file.settings.inferred, indentation: indentation + "  ", file: nil) }
            }
        }
    }

    /// Writes an array with one element per line.
    private func write<Element>(_ elements: [Element], _ indentation: String, _ write: (Element) -> Void) {
        buffer.append("[")
        for (index, element) in elements.enumerated() {
            buffer.append(index == 0 ? "\n  " : ",\n  ")
            buffer.append(utf8: indentation)
            write(element)
        }
        if !elements.isEmpty {
            buffer.append("\n")
            buffer.append(utf8: indentation)
        }
        buffer.append("]")
    }

    private func write(_ texts: [String]) {
        buffer.append("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { buffer.append(", ") }
            write(text)
        }
        buffer.append("]")
    }

    private func write(_ link: SettingsLink) {
        write([("label", { write(link.label) }), ("url", { write(link.url) })])
    }

    private func write(_ field: FieldSettings) {
        let members: [(FieldMember, (() -> Void)?)] = [
            (.key, { write(field.key) }),
            (.from, field.from.map { text in { write(text) } }),
            (.type, field.type.map { type in { write(type.rawValue) } }),
            (.format, field.format.map { text in { write(text) } }),
            (.split, field.split.map { text in { write(text) } }),
            (.label, field.label.map { label in { write(label) } }),
            (.icon, field.icon.map { text in { write(text) } }),
            (.show, field.show.map { show in { write(show.rawValue) } }),
        ]
        write(members.compactMap { member, write in write.map { (member.rawValue, $0) } })
    }

    private func write(_ label: FieldLabel) {
        switch label {
        case .text(let text), .builtIn(let text): write(text)
        case .byLanguage(let labels):
            write(labels.sorted { $0.key < $1.key }.map { language, text in (language, { write(text) }) })
        }
    }

    /// Writes an object on one line.
    private func write(_ members: [(name: String, write: () -> Void)]) {
        buffer.append("{")
        for (index, member) in members.enumerated() {
            if index > 0 { buffer.append(", ") }
            write(member.name)
            buffer.append(": ")
            member.write()
        }
        buffer.append("}")
    }

    /// Writes a string. Unlike in pages, `<` and `&` are not escaped.
    private func write(_ text: String) { buffer.append(plainJSONString: text) }
}

extension ByteBuffer {
    /// Appends `text` as a JSON string, with only the escapes that JSON requires (RFC 8259 §7).
    fileprivate func append(plainJSONString text: String) {
        append("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append("\\")
                append(byte)
            case UInt8(ascii: "\n"): append("\\n")
            case 0..<0x20:
                append("\\u")
                append(hexadecimal: UInt64(byte), digits: 4)
            default: append(byte)
            }
        }
        append("\"")
    }
}
