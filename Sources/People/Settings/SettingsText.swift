import Base
import JSON

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
        buffer.append("{")
        for (index, member) in members.enumerated() {
            buffer.append(index == 0 ? "\n" : ",\n")
            buffer.append(utf8: indentation)
            write(member.name)
            buffer.append(": ")
            member.write()
        }
        buffer.append("\n")
        buffer.append(utf8: indentation.dropLast(2))
        buffer.append("}")
    }

    /// Writes an array with one element per line.
    func write<Element>(_ elements: [Element], _ write: (Element) -> Void) {
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

    /// Writes an array on one line.
    func write(_ texts: [String]) {
        buffer.append("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { buffer.append(", ") }
            write(text)
        }
        buffer.append("]")
    }

    /// Writes an object on one line.
    func write(_ members: [(name: String, write: () -> Void)]) {
        buffer.append("{")
        for (index, member) in members.enumerated() {
            if index > 0 { buffer.append(", ") }
            write(member.name)
            buffer.append(": ")
            member.write()
        }
        buffer.append("}")
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
