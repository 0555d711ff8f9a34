/// The source of a field's value: one column, or columns with text between them (`{Vorname} {Nachname}`).
public struct FieldTemplate: Hashable, Sendable, CustomStringConvertible {
    public enum Part: Hashable, Sendable {
        case text(String)
        /// A heading, as in the file.
        case column(String)
    }

    public let parts: [Part]
    /// The template as written.
    public let description: String

    /// Reads a template. Text without an opening brace is the name of one column. A backslash before a brace, or before
    /// a backslash, makes that character part of the text or heading.
    public init(_ text: String) {
        description = text
        parts = Self.parts(of: text) ?? [.column(text)]
    }

    /// Whether `text` is a template whose braces match, with a heading in each pair.
    public static func isValid(_ text: String) -> Bool { parts(of: text) != nil }

    /// Returns `nil` if the braces do not match.
    private static func parts(of template: String) -> [Part]? {
        guard template.contains("{") else { return [.column(template)] }
        var parts: [Part] = []
        var text = ""
        var isInColumn = false
        func endText() {
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
        }
        var rest = template[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where rest.first.map { #"{}\"#.contains($0) } == true: text.append(rest.removeFirst())
            case "{":
                if isInColumn { return nil }
                endText()
                isInColumn = true
            case "}" where isInColumn:
                if text.allSatisfy(\.isWhitespace) { return nil }
                parts.append(.column(text))
                text = ""
                isInColumn = false
            default: text.append(character)
            }
        }
        if isInColumn { return nil }
        endText()
        return parts
    }

    public var columns: [String] {
        parts.compactMap { if case .column(let name) = $0 { name } else { nil } }
    }

    /// The column, if the template is one column and nothing else.
    public var onlyColumn: String? {
        guard parts.count == 1, case .column(let name) = parts[0] else { return nil }
        return name
    }

    package init(_ parts: [Part]) {
        if parts.count == 1, case .column(let name) = parts[0], !name.contains("{") {
            self.init(name)
        } else {
            self.init(
                parts.map { part in
                    switch part {
                    case .text(let text): Self.escaped(text)
                    case .column(let name): "{\(Self.escaped(name))}"
                    }
                }.joined())
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: #"\\"#).replacing("{", with: #"\{"#).replacing("}", with: #"\}"#)
    }

    package func renaming(_ name: (String) -> String) -> FieldTemplate {
        let renamed = parts.map { part in
            if case .column(let column) = part { Part.column(name(column)) } else { part }
        }
        return renamed == parts ? self : FieldTemplate(renamed)
    }

    package func reads(_ column: String) -> Bool {
        let folded = column.folded
        return columns.contains { $0.folded == folded }
    }

    /// Returns the template without the columns for which `isKept` is false, and without the text between them and the
    /// next column.
    package func keeping(_ isKept: (String) -> Bool) -> FieldTemplate {
        var kept: [Part] = []
        var pending: [Part] = []
        for part in parts {
            switch part {
            case .text: pending.append(part)
            case .column(let name):
                if isKept(name) { kept += (kept.isEmpty && part != parts[0] ? [] : pending) + [part] }
                pending = []
            }
        }
        return kept.isEmpty ? self : FieldTemplate(kept)
    }
}
