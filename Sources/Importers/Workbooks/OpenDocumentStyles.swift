import Base
import Glibc

/// The styles of an OpenDocument spreadsheet that decide how numbers are shown, and what is hidden.
final class OpenDocumentStyles: XMLHandler {
    static let leavesOutOthers = false

    /// The number formats by the names of their styles.
    private var formats: [String: NumberStyle] = [:]
    /// The names of number formats by the names of cell styles, and the cell styles that these are made from.
    private var cells: [String: (format: String?, parent: String?)] = [:]
    /// The names of the styles of sheets that are hidden in the book.
    private(set) var hiddenInBook: Set<String> = []
    /// The names of the styles of columns that have no width.
    private(set) var withoutWidth: Set<String> = []

    /// The number format that is being read.
    private var style: NumberStyle?
    /// The style of a table or a column that is being read.
    private var tableStyle = ""
    /// A text in a format, and the number of digits behind it if it stands between digits.
    private let text = XMLText()
    private var embeddedPosition = 0
    private var resolved: [String: CellFormat] = [:]

    private struct NumberStyle {
        let name: String
        var format: FormatTokens
        /// The names of the formats for some numbers.
        var maps: [(condition: FormatSection.Condition, name: String)] = []
    }

    /// The elements of dates and times.
    private static let parts: [String: DateParts] = [
        "year": .year, "era": .year, "month": .month, "day": .day, "hours": .hour, "minutes": .minute,
        "seconds": .second, "day-of-week": .weekday,
    ]

    // MARK: - What cells ask

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
        let sections =
            style.maps.compactMap { map in
                formats[map.name].map { FormatSection(condition: map.condition, content: $0.format.content) }
            } + [FormatSection(content: style.format.content)]
        return CellFormat(sections)
    }

    // MARK: - Elements

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        if element.isIn("datastyle") { return beginNumber(element, attributes) }
        if element.isIn("style") { beginStyle(element, attributes) }
        return nil
    }

    private func beginStyle(_ element: XMLName, _ attributes: XMLAttributes) {
        switch element {
        case "style":
            guard let name = attributes["style", "name"]?.text, cells.count < 1 << 16 else { return }
            tableStyle = name
            if attributes["style", "family"]?.text == "table-cell" {
                let format = attributes["style", "data-style-name"]?.text
                cells[name] = (format, attributes["style", "parent-style-name"]?.text)
            }
        case "table-properties":
            if attributes["table", "display"]?.text == "false" { hiddenInBook.insert(tableStyle) }
        case "table-column-properties":
            if attributes["style", "column-width"]?.decimal == 0 { withoutWidth.insert(tableStyle) }
        case "map":
            guard let text = attributes["style", "condition"]?.text,
                let condition = FormatSection.Condition(
                    text.filter { $0 != " " }.replacing("value()", with: "").replacing("!=", with: "<>")),
                let name = attributes["style", "apply-style-name"]?.text
            else { return }
            style?.maps.append((condition, name))
        default: break
        }
    }

    private func beginNumber(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        let name = String(decoding: element.local, as: UTF8.self)
        switch name {
        case "number-style", "percentage-style", "currency-style": begin([], attributes)
        case "date-style", "time-style":
            let isSum = attributes["datastyle", "truncate-on-overflow"]?.text == "false"
            // A date without a part that is known is shown as it is.
            begin([.unreadable, .parts(isSum ? .elapsed : [])], attributes)
        case "number": style?.format.addDigits(attributes)
        case "scientific-number", "fraction": style?.format.tokens.append(.general)
        case "text", "currency-symbol", "embedded-text":
            text.buffer.removeAll()
            embeddedPosition = min(attributes["datastyle", "position"]?.number ?? 0, 20)
            return text
        default: style?.format.tokens.append(.parts(Self.parts[name] ?? []))
        }
        return nil
    }

    private func begin(_ tokens: [FormatToken], _ attributes: XMLAttributes) {
        guard let name = attributes["style", "name"]?.text, formats.count < 1 << 16 else { return }
        style = NumberStyle(name: name, format: FormatTokens(tokens: tokens))
    }

    func end(_ element: XMLName) {
        guard element.isIn("datastyle") else { return }
        switch element {
        case "text", "currency-symbol":
            style?.format.tokens += String(text.buffer).map { $0 == "%" ? .percent : .literal(String($0)) }
        case "embedded-text": style?.format.embed(String(text.buffer), at: embeddedPosition)
        case "number-style", "percentage-style", "currency-style", "date-style", "time-style":
            if let style { formats[style.name] = style }
            style = nil
        default: break
        }
    }
}

extension FormatTokens {
    /// Adds a text between digits, `position` digits before the point.
    fileprivate mutating func embed(_ text: String, at position: Int) {
        let end = tokens.firstIndex(of: .point) ?? tokens.endIndex
        let start = tokens.firstIndex(where: \.isDigit) ?? end
        var (index, digits) = (end, 0)
        while index > start, digits < position {
            index -= 1
            if tokens[index].isDigit { digits += 1 }
        }
        let missing = repeatElement(FormatToken.digit(isZeroShown: false), count: position - digits)
        tokens.insert(contentsOf: [.literal(text)] + missing, at: index)
        // The places that were missing take the other digits of a large number.
        if digits < position { tokens.insert(.digit(isZeroShown: false), at: index) }
    }

    /// Adds the places of a number.
    fileprivate mutating func addDigits(_ attributes: XMLAttributes) {
        guard let places = attributes["datastyle", "decimal-places"]?.number else { return tokens.append(.general) }
        let all = min(places, 20)
        let shown = min(attributes["min-decimal-places"]?.number ?? all, all)
        let integers = min(attributes["datastyle", "min-integer-digits"]?.number ?? 1, 20)
        let digits = { (count: Int, isZeroShown: Bool) in
            repeatElement(FormatToken.digit(isZeroShown: isZeroShown), count: count)
        }
        tokens += integers == 0 ? digits(1, false) : digits(integers, true)
        tokens += [.point] + digits(shown, true) + digits(all - shown, false)
        let factor = attributes["datastyle", "display-factor"]?.decimal ?? 1
        if factor >= 1, factor.isFinite { tokens += repeatElement(.comma, count: Int((log10(factor) / 3).rounded())) }
    }
}
