import Base
import Glibc

/// The styles of an OpenDocument spreadsheet that decide how numbers are shown, and what is hidden.
final class OpenDocumentStyles: XMLHandler {
    /// The number formats by the names of their styles.
    private var formats: [String: NumberStyle] = [:]
    /// The names of number formats by the names of cell styles, and the cell styles that these are made from.
    private var cells: [String: (format: String?, parent: String?)] = [:]
    private var hiddenTables: Set<String> = []
    private var emptyColumns: Set<String> = []

    private var style: (name: String, format: NumberStyle)?
    /// The style of a table or a column that is being read.
    private var tableStyle = ""
    private var isInText = false
    private var resolved: [String: CellFormat] = [:]

    private struct NumberStyle {
        var kind: Kind
        var pattern = NumberPattern()
        var parts: DateParts = []
        /// The names of the formats for other signs.
        var maps: [(condition: String, name: String)] = []

        enum Kind { case number, date }
    }

    private static let kinds: Set<String> = [
        "number-style", "percentage-style", "currency-style", "date-style", "time-style",
    ]

    // MARK: - What cells ask

    func isHidden(table: String) -> Bool { hiddenTables.contains(table) }
    func isEmpty(column: String) -> Bool { emptyColumns.contains(column) }

    /// Returns the format of cells with a style.
    func format(ofCell name: String) -> CellFormat {
        if let known = resolved[name] { return known }
        var style = cells[name]
        // A style of a style of a style: files need two steps.
        for _ in 0..<16 where style?.format == nil { style = style?.parent.flatMap { cells[$0] } }
        let format = style?.format.flatMap(format(named:)) ?? .general
        resolved[name] = format
        return format
    }

    private func format(named name: String) -> CellFormat? {
        guard let style = formats[name] else { return nil }
        if style.kind == .date { return style.parts.isEmpty ? .general : .date(style.parts) }
        func pattern(_ conditions: [String]) -> NumberPattern? {
            style.maps.first { conditions.contains($0.condition) }.flatMap { formats[$0.name]?.pattern }
        }
        var sections = NumberSections(positive: style.pattern)
        if let positive = pattern(["value()>=0", "value()>0"]) {
            sections = NumberSections(positive: positive, negative: pattern(["value()<0"]) ?? style.pattern)
            if style.maps.count > 1 { sections.zero = style.pattern }
        } else if let negative = pattern(["value()<0"]) {
            sections.negative = negative
        }
        return sections == NumberSections(positive: .general) ? .general : .number(sections)
    }

    // MARK: - Elements

    func begin(_ element: XMLName, _ attributes: XMLAttributes) {
        if element.isIn("datastyle") {
            beginNumber(element, attributes)
        } else if element.is("style", "style") {
            guard let name = attributes.text("style", "name"), cells.count < 1 << 16 else { return }
            tableStyle = name
            if attributes.text("style", "family") == "table-cell" {
                let format = attributes.text("style", "data-style-name")
                cells[name] = (format, attributes.text("style", "parent-style-name"))
            }
        } else if element.is("style", "table-properties") {
            if attributes.text("table", "display") == "false" { hiddenTables.insert(tableStyle) }
        } else if element.is("style", "table-column-properties") {
            if let width = attributes["style", "column-width"], strtod(width, nil) == 0 {
                emptyColumns.insert(tableStyle)
            }
        } else if element.is("style", "map") {
            guard let condition = attributes.text("style", "condition"),
                let name = attributes.text("style", "apply-style-name")
            else { return }
            style?.format.maps.append((condition.filter { $0 != " " }, name))
        }
    }

    private func beginNumber(_ element: XMLName, _ attributes: XMLAttributes) {
        let name = String(decoding: element.local, as: UTF8.self)
        switch name {
        case "number-style", "percentage-style", "currency-style": begin(.number, attributes)
        case "date-style", "time-style":
            begin(.date, attributes)
            if attributes.text("datastyle", "truncate-on-overflow") == "false" { style?.format.parts = .elapsed }
        case "number", "scientific-number", "fraction": addDigits(name, attributes)
        case "text", "currency-symbol": isInText = true
        case "year", "era": style?.format.parts.formUnion(.year)
        case "month": style?.format.parts.formUnion(.month)
        case "day": style?.format.parts.formUnion(.day)
        case "hours": style?.format.parts.formUnion(.hour)
        case "minutes": style?.format.parts.formUnion(.minute)
        case "seconds": style?.format.parts.formUnion(.second)
        default: break
        }
    }

    private func begin(_ kind: NumberStyle.Kind, _ attributes: XMLAttributes) {
        guard let name = attributes.text("style", "name"), formats.count < 1 << 16 else { return }
        style = (name, NumberStyle(kind: kind))
    }

    private func addDigits(_ name: String, _ attributes: XMLAttributes) {
        guard var pattern = style?.format.pattern else { return }
        pattern.hasDigits = true
        if name == "number", let decimals = attributes.number("datastyle", "decimal-places") {
            pattern.maxDecimals = min(decimals, 20)
            pattern.decimals = min(attributes.number("min-decimal-places") ?? decimals, pattern.maxDecimals)
            pattern.integers = min(attributes.number("datastyle", "min-integer-digits") ?? 0, 20)
            if let factor = attributes["datastyle", "display-factor"].map({ strtod($0, nil) }), factor >= 1 {
                pattern.power -= Int(log10(factor).rounded())
            }
        } else {
            pattern.isGeneral = true
        }
        style?.format.pattern = pattern
    }

    func text(_ text: UnsafeRawBufferPointer) {
        guard isInText, let pattern = style?.format.pattern, text.count < 256 else { return }
        let text = String(decoding: text, as: UTF8.self)
        if text.contains("%") { style?.format.pattern.power += 2 }
        if pattern.hasDigits {
            style?.format.pattern.suffix += text
        } else {
            style?.format.pattern.prefix += text
        }
    }

    func end(_ element: XMLName) {
        guard element.isIn("datastyle") else { return }
        if element.is("text") || element.is("currency-symbol") {
            isInText = false
        } else if let style, Self.kinds.contains(String(decoding: element.local, as: UTF8.self)) {
            formats[style.name] = style.format
            self.style = nil
        }
    }
}

extension NumberPattern {
    /// As many digits as the number has.
    fileprivate static let general: NumberPattern = {
        var pattern = NumberPattern()
        (pattern.hasDigits, pattern.isGeneral) = (true, true)
        return pattern
    }()
}
