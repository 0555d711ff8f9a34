import Base
import Glibc

/// Reads the rows of one sheet of OpenDocument, or the outlines of all.
final class OpenDocumentSheets: XMLHandler {
    /// Ends the reading behind the sheet that is wanted.
    struct End: Error {}

    /// Those of the sheets so far.
    private(set) var outlines: [SheetOutline] = []
    var body: ((SheetRow) throws -> Void)?
    private(set) var unread = UnreadCells()

    private let styles: OpenDocumentStyles
    /// The number of the sheet that is read; `nil` for the outlines of all.
    private let only: Int?
    /// The number of the sheet that is being read.
    private var sheet: Int { outlines.count - 1 }
    /// Tables within tables.
    private var depth = 0
    private var isInStyles = false

    private let row = SheetRow()
    private var rowRepeats = 1
    private var rowStyle: String?
    private var columns: [(range: ClosedRange<Int>, style: String)] = []
    private var columnCount = 0
    /// The index in ``columns`` of the column that was asked for last.
    private var columnIndex = 0
    /// The cells that have the text of another cell, because it or its row is repeated.
    private var copies = 0
    private var merged = MergedCells()

    private var cell = OpenDocumentCell()
    /// The column of the next cell.
    private var column = 0
    private var isInCell = false
    /// The depth of elements in a cell whose text is not the cell's, such as a comment.
    private var skipped = 0

    init(_ styles: OpenDocumentStyles, only: Int?) { (self.styles, self.only) = (styles, only) }

    private var isWanted: Bool { only == nil || only == sheet }

    // MARK: - Elements

    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws {
        if isInCell { return beginInCell(element, attributes) }
        if isInStyles { return styles.begin(element, attributes) }
        if element.is("office", "automatic-styles") {
            isInStyles = only == nil
        } else if element.is("table", "table") {
            beginTable(attributes)
        } else if !isWanted || depth != 1 {
            return
        } else if element.is("table", "table-row") {
            try beginRow(attributes)
        } else if element.is("table", "table-cell") || element.is("table", "covered-table-cell") {
            beginCell(attributes, isCovered: element.is("covered-table-cell"))
        } else if element.is("table", "table-column") {
            addColumns(attributes)
        }
    }

    func text(_ text: UnsafeRawBufferPointer) throws {
        if isInStyles { return styles.text(text) }
        if isInCell, skipped == 0 { try cell.append(text) }
    }

    func end(_ element: XMLName) throws {
        if isInStyles {
            if element.is("office", "automatic-styles") { isInStyles = false } else { styles.end(element) }
            return
        }
        if isInCell { return try endInCell(element) }
        if element.is("table", "table") {
            depth -= 1
            if depth == 0, only == sheet { throw End() }
        } else if element.is("table", "table-row"), isWanted, depth == 1 {
            try endRow()
        }
    }

    private func beginTable(_ attributes: XMLAttributes) {
        depth += 1
        guard depth == 1 else { return }
        row.begin(0)
        (columns, columnCount, merged, copies) = ([], 0, MergedCells(), 0)
        let style = attributes.text("table", "style-name") ?? ""
        outlines.append(
            SheetOutline(name: attributes.text("table", "name") ?? "", isHidden: styles.isHidden(table: style)))
    }

    private func addColumns(_ attributes: XMLAttributes) {
        let count = min(attributes.number("table", "number-columns-repeated") ?? 1, WorkbookLimits.columns)
        guard count > 0, columnCount + count <= WorkbookLimits.columns else { return }
        let range = columnCount...(columnCount + count - 1)
        columnCount += count
        if let style = attributes.text("table", "default-cell-style-name") { columns.append((range, style)) }
        let isEmpty = attributes.text("table", "style-name").map(styles.isEmpty(column:)) ?? false
        if isEmpty || Self.isHidden(attributes) { outlines[outlines.count - 1].hiddenColumns.append(range) }
    }

    private static func isHidden(_ attributes: XMLAttributes) -> Bool {
        attributes.text("table", "visibility").map { $0 != "visible" } ?? false
    }

    // MARK: - Rows

    private func beginRow(_ attributes: XMLAttributes) throws {
        row.begin(row.number + 1)
        row.isHidden = Self.isHidden(attributes)
        rowRepeats = max(1, attributes.number("table", "number-rows-repeated") ?? 1)
        rowStyle = attributes.text("table", "default-cell-style-name")
        (column, columnIndex) = (0, 0)
    }

    private func endRow() throws {
        let (first, last) = (row.number, row.number + rowRepeats - 1)
        let isEmpty = row.cells.isEmpty
        try WorkbookLimits.require(
            isEmpty || rowRepeats <= WorkbookLimits.repeats, "line \(first) is repeated \(rowRepeats.grouped) times")
        try note(copies: row.cells.count * (rowRepeats - 1))
        try WorkbookLimits.require(isEmpty || last <= WorkbookLimits.rows, "it has more than 1,048,576 rows")
        // LibreOffice repeats an empty row up to the last one.
        if isEmpty, merged.isEmpty || rowRepeats > WorkbookLimits.repeats {
            row.number = last
            return
        }
        for number in first...last where number <= WorkbookLimits.rows {
            row.number = number
            outlines[outlines.count - 1].note(row)
            let (cells, bytes) = (row.cells, row.bytes.count)
            try merged.apply(to: row)
            if !row.cells.isEmpty { try body?(row) }
            row.cells = cells
            row.bytes.truncate(to: bytes)
        }
    }

    // MARK: - Cells

    private func beginCell(_ attributes: XMLAttributes, isCovered: Bool) {
        isInCell = true
        skipped = 0
        cell.begin(attributes, isCovered: isCovered)
        let rows = attributes.number("table", "number-rows-spanned") ?? 1
        if !isCovered { row.span = max(row.span, attributes.number("table", "number-columns-spanned") ?? 1) }
        if only != nil, rows > 1, !isCovered {
            merged.begin(row.number...(row.number + rows - 1), column: column)
        }
    }

    private func beginInCell(_ element: XMLName, _ attributes: XMLAttributes) {
        // The reading of a text is none of the cell's.
        if skipped > 0 || !element.isIn("text") || element.is("ruby-text") {
            skipped += 1
        } else {
            cell.begin(text: element, attributes)
        }
    }

    private func endInCell(_ element: XMLName) throws {
        if skipped > 0 {
            skipped -= 1
        } else if element.is("table", "table-cell") || element.is("table", "covered-table-cell") {
            isInCell = false
            try endCell()
        } else {
            cell.end(text: element)
        }
    }

    private func endCell() throws {
        let first = column
        column += cell.repeats
        if cell.isCovered { return }
        let reference = { [row] in CellReference(column: min(first, WorkbookLimits.columns - 1), row: row.number).text }
        if cell.isError {
            return unread.add(error: String(cell.text), in: reference())
        }
        let format = (cell.style ?? rowStyle ?? columnStyle(first)).map(styles.format(ofCell:)) ?? .general
        let count = row.cells.count
        row.add(first, link: Array(cell.link.utf8)) { cell.append(in: format, to: $0) }
        guard var copy = row.cells.last, row.cells.count > count else {
            if cell.hasFormula, !cell.hasType { unread.formulas.add(reference()) }
            return
        }
        try WorkbookLimits.require(
            copy.text.count <= WorkbookLimits.cellBytes, "\(reference()) has more than 64 KiB of text")
        try WorkbookLimits.require(
            cell.repeats <= WorkbookLimits.repeats, "\(reference()) is repeated \(cell.repeats.grouped) times")
        try WorkbookLimits.require(column <= WorkbookLimits.columns, "line \(row.number) has more than 16,384 cells")
        for column in (first + 1)..<max(first + 1, column) {
            copy.column = column
            row.cells.append(copy)
        }
        try note(copies: cell.repeats - 1)
    }

    /// Returns the style of a column, which is right of those that were asked for in the same row.
    private func columnStyle(_ column: Int) -> String? {
        while columnIndex < columns.count, columns[columnIndex].range.upperBound < column { columnIndex += 1 }
        guard columnIndex < columns.count, columns[columnIndex].range.contains(column) else { return nil }
        return columns[columnIndex].style
    }

    /// A few bytes may repeat a million cells.
    private func note(copies more: Int) throws {
        copies += more
        try WorkbookLimits.require(copies <= WorkbookLimits.copies, "its cells are repeated more than 16,777,216 times")
    }
}

/// A cell of an OpenDocument sheet while it is read.
struct OpenDocumentCell {
    private(set) var style: String?
    private(set) var repeats = 1
    private(set) var isCovered = false
    private(set) var hasFormula = false
    /// The target of the first link.
    private(set) var link = ""
    /// The paragraphs, separated by line feeds.
    let text = ByteBuffer(capacity: 256)
    private var kind = ""
    private var value = ""
    private let digits = ByteBuffer(capacity: 32)
    private var paragraphs = 0
    /// Paragraphs, links and spans within each other.
    private var depth = 0

    var hasType: Bool { !kind.isEmpty }

    mutating func begin(_ attributes: XMLAttributes, isCovered: Bool) {
        text.removeAll()
        (paragraphs, depth, link) = (0, 0, "")
        self.isCovered = isCovered
        style = attributes.text("table", "style-name")
        repeats = max(1, attributes.number("table", "number-columns-repeated") ?? 1)
        hasFormula = attributes["table", "formula"] != nil
        kind = attributes.text("office", "value-type") ?? ""
        let name: StaticString
        switch kind {
        case "date": name = "date-value"
        case "time": name = "time-value"
        case "boolean": name = "boolean-value"
        case "string": name = "string-value"
        default: name = "value"
        }
        value = kind.isEmpty ? "" : attributes.text("office", name) ?? ""
    }

    mutating func begin(text element: XMLName, _ attributes: XMLAttributes) {
        depth += 1
        if element.is("p"), depth == 1 {
            if paragraphs > 0 { text.append(UInt8(ascii: "\n")) }
            paragraphs += 1
        } else if element.is("s") {
            for _ in 0..<min(attributes.number("text", "c") ?? 1, 1024) { text.append(UInt8(ascii: " ")) }
        } else if element.is("tab") {
            text.append(UInt8(ascii: "\t"))
        } else if element.is("line-break") {
            text.append(UInt8(ascii: "\n"))
        } else if element.is("a"), link.isEmpty, let target = attributes.text("href"), !target.hasPrefix("#") {
            link = target
        }
    }

    mutating func end(text element: XMLName) { depth -= 1 }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        // White space between paragraphs only indents the file.
        if depth == 0 { return }
        try WorkbookLimits.require(
            text.count + bytes.count <= WorkbookLimits.cellBytes, "a cell has more than 64 KiB of text")
        text.append(bytes)
    }

    /// LibreOffice gives errors the type of a text or a number, and the name of the error as the text.
    var isError: Bool {
        guard hasFormula, let first = text.bytes.first, "#E".utf8.contains(first) else { return false }
        return UnreadCells.isError(String(text))
    }

    /// Appends what people see: the value in its format, so that no digits are grouped, or the text.
    func append(in format: CellFormat, to buffer: ByteBuffer) {
        // A text without a digit stands for the value.
        let isValueShown = paragraphs == 0 || text.bytes.contains { $0 &- 48 < 10 }
        switch kind {
        case "float", "percentage", "currency":
            digits.removeAll()
            digits.append(utf8: value)
            guard let number = DecimalNumber.read(digits), isValueShown else { break }
            return format.append(number, to: buffer)
        case "date":
            guard isValueShown, let date = CellDate(iso: value) else { break }
            return date.append(format.dateParts ?? CellDate.parts(ofISO: value), to: buffer)
        case "time":
            guard isValueShown, let date = CellDate(duration: value) else { break }
            return date.append(format.dateParts ?? [.hour, .minute], to: buffer)
        case "boolean": return buffer.append(value == "true" ? "TRUE" : "FALSE")
        default: break
        }
        if paragraphs == 0, kind == "string" { return buffer.append(utf8: value) }
        buffer.append(text.bytes)
    }
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
        self.init(year: 0, month: 0, day: 0, seconds: Int(seconds.rounded()))
    }
}
