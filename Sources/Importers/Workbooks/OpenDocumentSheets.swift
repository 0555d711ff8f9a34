import Base

/// Finds the sheets of OpenDocument: reads the outlines of all, or the rows of one.
final class OpenDocumentSheets: XMLHandler {
    static let leavesOutOthers = false

    /// Ends the reading behind the sheet that is wanted.
    struct End: Error {}

    /// Those of the sheets so far.
    private(set) var outlines: [SheetOutline] = []
    var unread: UnreadCells { sheet?.unread ?? UnreadCells() }
    private let styles: OpenDocumentStyles
    /// The sheet whose rows are read; `nil` for the outlines of all.
    private let only: Int?
    private let body: (SheetRow) throws -> Void
    /// The number of sheets that have begun, and the one that is being read.
    private var count = 0
    private var sheet: OpenDocumentSheet?

    init(_ styles: OpenDocumentStyles, only: Int? = nil, _ body: @escaping (SheetRow) throws -> Void = { _ in }) {
        (self.styles, self.only, self.body) = (styles, only, body)
    }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        if element.is("office", "automatic-styles") { return styles }
        guard element.is("table", "table") else { return nil }
        defer { count += 1 }
        if let only, only != count { return IgnoredXML.shared }
        let (name, style) = (attributes["table", "name"]?.text ?? "", attributes["table", "style-name"]?.text ?? "")
        let outline = SheetOutline(index: count, name: name, isHiddenInBook: styles.hiddenInBook.contains(style))
        sheet = OpenDocumentSheet(outline, styles, body)
        return sheet
    }

    func end(_ element: XMLName) throws {
        guard element.is("table", "table"), let sheet else { return }
        outlines.append(sheet.outline)
        if only != nil { throw End() }
    }
}

/// Reads the rows of a sheet of OpenDocument.
private final class OpenDocumentSheet: XMLHandler {
    private(set) var outline: SheetOutline
    private(set) var unread = UnreadCells()
    private let styles: OpenDocumentStyles
    private let body: (SheetRow) throws -> Void

    private let row = SheetRow()
    /// `nil` between rows.
    private var rowRepeats: Int?
    private var rowStyle: String?
    /// The columns with a style, from left to right.
    private var columns: [(range: ClosedRange<Int>, style: String)] = []
    private var columnCount = 0
    /// The cells that have the text of another cell, because it or its row is repeated.
    private var copies = 0
    private var merged = MergedCells()

    private let cell = OpenDocumentCell()
    /// The column of the next cell.
    private var column = 0

    init(_ outline: SheetOutline, _ styles: OpenDocumentStyles, _ body: @escaping (SheetRow) throws -> Void) {
        (self.outline, self.styles, self.body) = (outline, styles, body)
    }

    // MARK: - Elements

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        guard element.isIn("table") else { return nil }
        switch element {
        case "table-row": beginRow(attributes)
        case "table-cell": return beginCell(attributes)
        case "covered-table-cell":
            column += attributes.count("number-columns-repeated")
            return IgnoredXML.shared
        case "table-column": addColumns(attributes)
        // Those of drawings.
        case "table": return IgnoredXML.shared
        default: break
        }
        return nil
    }

    func end(_ element: XMLName) throws {
        guard element.isIn("table") else { return }
        switch element {
        case "table-cell": try endCell()
        case "table-row": try endRow()
        default: break
        }
    }

    private func addColumns(_ attributes: XMLAttributes) {
        let end = min(columnCount + attributes.count("number-columns-repeated"), WorkbookLimits.columns)
        guard columnCount < end else { return }
        let range = columnCount...(end - 1)
        columnCount = end
        if let style = attributes["table", "default-cell-style-name"]?.text { columns.append((range, style)) }
        let isWithoutWidth = styles.withoutWidth.contains(attributes["table", "style-name"]?.text ?? "")
        if isWithoutWidth || attributes.isHiddenInSheet { outline.columnsHiddenInSheet.append(range) }
    }

    // MARK: - Rows

    private func beginRow(_ attributes: XMLAttributes) {
        row.begin(row.number + 1, isHiddenInSheet: attributes.isHiddenInSheet)
        rowRepeats = attributes.count("number-rows-repeated")
        rowStyle = attributes["table", "default-cell-style-name"]?.text
        column = 0
    }

    private func endRow() throws {
        // A row inside of another one ends both.
        guard let rowRepeats else { return }
        self.rowRepeats = nil
        let (first, last) = (row.number, row.number + rowRepeats - 1)
        // LibreOffice repeats an empty row up to the last one.
        if row.cells.isEmpty, merged.isEmpty || rowRepeats > WorkbookLimits.repeats { return row.number = last }
        try WorkbookLimits.require(
            rowRepeats <= WorkbookLimits.repeats, "line \(first) is repeated \(rowRepeats.grouped) times")
        try note(copies: row.cells.count * (rowRepeats - 1))
        try WorkbookLimits.require(last <= WorkbookLimits.rows, "it has more than 1,048,576 rows")
        for number in first...last {
            row.number = number
            outline.note(number, width: row.width)
            let (cells, bytes) = (row.cells, row.bytes.count)
            try merged.apply(to: row)
            if !row.cells.isEmpty { try body(row) }
            row.cells = cells
            row.bytes.truncate(to: bytes)
        }
    }

    // MARK: - Cells

    private func beginCell(_ attributes: XMLAttributes) -> any XMLHandler {
        row.span = max(row.span, attributes.count("number-columns-spanned"))
        let rows = attributes.count("number-rows-spanned")
        merged.begin(row.number...(row.number + rows - 1), column: column)
        return cell.begun(attributes)
    }

    private func endCell() throws {
        let first = column
        column += cell.repeats
        if cell.isError { return unread.add(error: String(cell.content.text), in: row.name(first)) }
        let format = (cell.style ?? rowStyle ?? style(ofColumn: first)).map(styles.format(ofCell:)) ?? .general
        let link = Array(cell.content.link.utf8)
        guard var copy = row.add(first, link: link, { cell.append(in: format, to: $0) }) else {
            if cell.hasFormula, cell.kind.isEmpty { unread.formulas.add(row.name(first)) }
            return
        }
        try WorkbookLimits.require(
            copy.text.count <= WorkbookLimits.cellBytes, "\(row.name(first)) has more than 64 KiB of text")
        try WorkbookLimits.require(
            cell.repeats <= WorkbookLimits.repeats, "\(row.name(first)) is repeated \(cell.repeats.grouped) times")
        try WorkbookLimits.require(column <= WorkbookLimits.columns, "line \(row.number) has more than 16,384 cells")
        for column in (first + 1)..<max(first + 1, column) {
            copy.column = column
            row.cells.append(copy)
        }
        try note(copies: cell.repeats - 1)
    }

    /// Returns the style of a column, if it has one.
    private func style(ofColumn column: Int) -> String? {
        let index = columns.indices.end { columns[$0].range.upperBound < column }
        return columns[index...].first.flatMap { $0.range.contains(column) ? $0.style : nil }
    }

    /// A few bytes may repeat a million cells.
    private func note(copies more: Int) throws {
        copies += more
        try WorkbookLimits.require(copies <= WorkbookLimits.copies, "its cells are repeated more than 16,777,216 times")
    }
}

/// A cell of an OpenDocument sheet while it is read: its paragraphs, and besides them comments and drawings.
private final class OpenDocumentCell: XMLHandler {
    private(set) var style: String?
    private(set) var repeats = 1
    private(set) var hasFormula = false
    let content = OpenDocumentText()
    /// The type of the value; empty without one.
    private(set) var kind = ""
    private var value = ""
    private let digits = ByteBuffer(capacity: 32)
    private var paragraphs = 0

    /// Forgets the last cell, and returns the handler of the next one.
    func begun(_ attributes: XMLAttributes) -> OpenDocumentCell {
        content.removeAll()
        paragraphs = 0
        style = attributes["table", "style-name"]?.text
        repeats = attributes.count("number-columns-repeated")
        hasFormula = attributes["table", "formula"] != nil
        kind = attributes["office", "value-type"]?.text ?? ""
        let name: StaticString
        switch kind {
        case "date": name = "date-value"
        case "time": name = "time-value"
        case "boolean": name = "boolean-value"
        case "string": name = "string-value"
        default: name = "value"
        }
        value = kind.isEmpty ? "" : attributes["office", name]?.text ?? ""
        return self
    }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        if element.is("text", "p") {
            if paragraphs > 0 { content.text.append("\n") }
            paragraphs += 1
        }
        // White space between paragraphs only indents the file.
        return content.begin(element, attributes) ?? content
    }

    /// LibreOffice gives errors the type of a text or a number, and the name of the error as the text.
    var isError: Bool {
        guard hasFormula, let first = content.text.bytes.first, "#E".utf8.contains(first) else { return false }
        return UnreadCells.isError(String(content.text))
    }

    /// Appends what people see: the value in its format, so that no digits are grouped, or the text.
    func append(in format: CellFormat, to buffer: ByteBuffer) {
        // A text without a digit stands for the value.
        let isValueShown = paragraphs == 0 || content.text.bytes.contains(where: \.isDigit)
        switch kind {
        case "float", "percentage", "currency":
            digits.removeAll()
            digits.append(utf8: value)
            guard let number = DecimalNumber.read(digits), isValueShown else { break }
            return format.append(number, to: buffer)
        case "date", "time":
            guard isValueShown, let date = CellDate(iso: value) ?? CellDate(duration: value) else { break }
            return date.append(format.dateParts ?? date.parts, to: buffer)
        case "boolean": return buffer.append(value == "true" ? "TRUE" : "FALSE")
        case "string" where paragraphs == 0: return buffer.append(utf8: value)
        default: break
        }
        buffer.append(content.text.bytes)
    }
}

/// The text and the link of paragraphs.
private final class OpenDocumentText: XMLHandler {
    /// The paragraphs, separated by line feeds.
    let text = ByteBuffer(capacity: 256)
    /// The target of the first link.
    private(set) var link = ""

    func removeAll() {
        text.removeAll()
        link = ""
    }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        // Phonetic guides (ruby) do not belong to the cell's text.
        guard element.isIn("text"), !element.is("ruby-text") else { return IgnoredXML.shared }
        switch element {
        case "s":
            let spaces = [UInt8](repeating: UInt8(ascii: " "), count: min(attributes["text", "c"]?.number ?? 1, 1024))
            spaces.withUnsafeBytes(self.text)
        case "tab": text.append("\t")
        case "line-break": text.append("\n")
        case "a" where link.isEmpty:
            let target = attributes["href"]?.text ?? ""
            if !target.hasPrefix("#") { link = target }
        default: break
        }
        return nil
    }

    func text(_ text: UnsafeRawBufferPointer) { self.text.append(ofCell: text) }
}

extension XMLAttributes {
    /// The number of rows or columns; 1 unless the attribute says another one.
    fileprivate func count(_ local: StaticString) -> Int { max(1, self["table", local]?.number ?? 1) }

    fileprivate var isHiddenInSheet: Bool { (self["table", "visibility"]?.text ?? "visible") != "visible" }
}

extension CellDate {
    /// Reads a duration such as `PT26H30M00S`.
    fileprivate init?(duration text: String) {
        guard text.hasPrefix("PT") else { return nil }
        var seconds = 0.0
        var number = ""
        for character in text.dropFirst(2) {
            switch character {
            case "H", "M", "S":
                guard let value = Double(number), value < 1e7 else { return nil }
                seconds += value * (character == "H" ? 3600 : character == "M" ? 60 : 1)
                number = ""
            default: number.append(character)
            }
        }
        self.init(seconds: Int(seconds.rounded()))
    }
}
