/// What a field is read from: one column, or columns with text between them (`{Vorname} {Nachname}`).
public struct FieldTemplate: Hashable, Sendable, CustomStringConvertible {
    public enum Part: Hashable, Sendable {
        case text(String)
        /// A heading, as in the file.
        case column(String)
    }

    public let parts: [Part]
    /// The template as written.
    public let description: String

    /// Reads a template. Text without braces is the name of one column.
    public init(_ text: String) {
        description = text
        guard text.contains("{") else {
            parts = [.column(text)]
            return
        }
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.column(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// The columns, in order.
    public var columns: [String] {
        parts.compactMap { if case .column(let name) = $0 { name } else { nil } }
    }

    /// The column, if the template is one column and nothing else.
    public var onlyColumn: String? {
        guard parts.count == 1, case .column(let name) = parts[0] else { return nil }
        return name
    }
}
