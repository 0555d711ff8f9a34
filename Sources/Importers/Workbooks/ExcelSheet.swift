import Base
import Glibc

/// Reads the rows of a sheet of Excel.
final class ExcelSheet: XMLHandler {
    /// The parts of a sheet that stand behind its rows and belong to them.
    struct Extras {
        var merged: [(first: CellReference, last: CellReference)] = []
        /// The areas with links: the relationship, or the place in this workbook.
        var links: [(cells: (first: CellReference, last: CellReference), relationship: String)] = []
        /// The targets of the relationships.
        var targets: [String: String] = [:]

        /// The targets of links by the cells' row and column.
        var linkTargets: [Int: String] {
            var found: [Int: String] = [:]
            for link in links {
                guard let target = targets[link.relationship] else { continue }
                for row in link.cells.first.row...max(link.cells.first.row, link.cells.last.row) {
                    guard found.count < WorkbookLimits.links else { return found }
                    found[ExcelSheet.key(row, link.cells.first.column)] = target
                }
            }
            return found
        }
    }

    var outline = SheetOutline(name: "")
    var extras = Extras()
    /// Whether only the outline is wanted.
    var isOutlining = false
    var body: ((SheetRow) throws -> Void)?
    var links: [Int: String] = [:]
    var merged = MergedCells()
    private(set) var unread = UnreadCells()

    private let part: String
    private let strings: SharedStrings
    private let styles: ExcelStyles
    private let isFrom1904: Bool
    private let row = SheetRow()
    /// Whether the row has a number of its own, and not that of its first cell.
    private var isNumbered = false
    private var areCellsSorted = true
    /// The greatest number of a row so far.
    private var lastNumber = 0
    /// The rows of a sheet that is not sorted, until ``finish()``.
    private var unsorted: UnsortedRows?
    private var cell = Cell()
    private let value = ByteBuffer(capacity: 256)
    private var inline = ExcelText()
    private var isInValue = false
    private var isInInline = false
    private var hasSheetData = false

    private struct Cell {
        var column = -1
        var kind = Kind.number
        var style = 0
        var hasFormula = false
        var hasPicture = false
    }

    private enum Kind {
        case number, shared, text, inline, boolean, error, date
    }

    init(
        part: String, _ strings: SharedStrings, _ styles: ExcelStyles, isFrom1904: Bool, isSorted: Bool = true
    ) {
        (self.part, self.strings, self.styles, self.isFrom1904) = (part, strings, styles, isFrom1904)
        if !isSorted { unsorted = UnsortedRows() }
    }

    fileprivate static func key(_ row: Int, _ column: Int) -> Int { row << 14 | column }

    // MARK: - Elements

    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws {
        if isInInline { return inline.begin(element) }
        let name = element.local
        if name.count == 1 {
            switch name[0] {
            case UInt8(ascii: "c"): try beginCell(attributes)
            case UInt8(ascii: "v"):
                isInValue = true
                value.removeAll()
            case UInt8(ascii: "f"): cell.hasFormula = true
            default: break
            }
        } else if element.is("row") {
            try beginRow(attributes)
        } else if element.is("is") {
            isInInline = true
            inline.begin()
        } else if element.is("sheetData") {
            hasSheetData = true
        } else if isOutlining {
            try beginExtra(element, attributes)
        }
    }

    func text(_ text: UnsafeRawBufferPointer) throws {
        if isInInline { return try inline.append(text) }
        guard isInValue else { return }
        try WorkbookLimits.require(
            value.count + text.count <= WorkbookLimits.cellBytes, "\(reference) has more than 64 KiB of text")
        value.append(text)
    }

    func end(_ element: XMLName) throws {
        let name = element.local
        if isInInline {
            guard element.is("is") else { return inline.end(element) }
            isInInline = false
            value.removeAll()
            value.append(inline.text)
            return
        }
        if name.count == 1 {
            switch name[0] {
            case UInt8(ascii: "v"): isInValue = false
            case UInt8(ascii: "c"): try endCell()
            default: break
            }
        } else if element.is("row") {
            try endRow()
        }
    }

    /// Throws unless the part was a sheet. Passes on the rows that were not sorted.
    func finish() throws {
        if !hasSheetData { throw damage("it has no cells") }
        try unsorted?.forEachRow(in: row, passOn)
    }

    // MARK: - Rows and cells

    private func beginRow(_ attributes: XMLAttributes) throws {
        let number = attributes.number("r")
        isNumbered = number != nil
        row.begin(number ?? row.number + 1)
        guard row.number <= WorkbookLimits.rows else { throw damage("it has more than 1,048,576 rows") }
        row.isHidden = attributes.isTrue("hidden")
        areCellsSorted = true
        cell.column = -1
    }

    private func endRow() throws {
        if row.number <= lastNumber { outline.isSorted = false }
        lastNumber = max(lastNumber, row.number)
        if !areCellsSorted { row.sortCells() }
        if isOutlining { return outline.note(row) }
        if unsorted != nil {
            try unsorted?.add(row)
        } else if outline.isSorted {
            try passOn()
        } else {
            throw damage("row \(row.number) follows row \(lastNumber)")
        }
    }

    private func passOn() throws {
        try merged.apply(to: row)
        row.span = merged.span(ofRow: row.number)
        if !row.cells.isEmpty { try body?(row) }
    }

    private func beginCell(_ attributes: XMLAttributes) throws {
        var next = Cell(column: cell.column + 1)
        var name: UnsafePointer<CChar>?
        attributes.forEach { attribute, value in
            switch (attribute[0], attribute[1]) {
            case (CChar(UInt8(ascii: "r")), 0): name = value
            case (CChar(UInt8(ascii: "s")), 0): next.style = XMLAttributes.number(value) ?? 0
            case (CChar(UInt8(ascii: "t")), 0): next.kind = kind(value)
            case (CChar(UInt8(ascii: "v")), CChar(UInt8(ascii: "m"))): next.hasPicture = true
            default: break
            }
        }
        if let name {
            guard let place = CellReference(UnsafeRawBufferPointer(start: name, count: strlen(name))),
                place.row == row.number || !isNumbered && row.cells.isEmpty
            else { throw damage("\(String(cString: name)) is no cell of row \(row.number)") }
            row.number = place.row
            if place.column < next.column { areCellsSorted = false }
            next.column = place.column
        }
        guard next.column < WorkbookLimits.columns else { throw damage("row \(row.number) has more than 16,384 cells") }
        cell = next
        value.removeAll()
    }

    private func kind(_ type: UnsafePointer<CChar>) -> Kind {
        switch (type[0], type[1]) {
        case (CChar(UInt8(ascii: "s")), 0): return .shared
        case (CChar(UInt8(ascii: "s")), _): return .text
        case (CChar(UInt8(ascii: "i")), _): return .inline
        case (CChar(UInt8(ascii: "b")), _): return .boolean
        case (CChar(UInt8(ascii: "e")), _): return .error
        case (CChar(UInt8(ascii: "d")), _): return .date
        default: return .number
        }
    }

    private var reference: String { CellReference(column: max(cell.column, 0), row: row.number).text }

    private func endCell() throws {
        if cell.hasPicture, cell.kind == .error { return unread.pictures.add(reference) }
        if value.isEmpty {
            if cell.hasFormula, cell.kind != .text { unread.formulas.add(reference) }
            return
        }
        if cell.kind == .error {
            return unread.add(error: String(value), in: reference)
        }
        let link = links.isEmpty ? nil : links[Self.key(row.number, cell.column)]
        try row.add(cell.column, link: link.map { Array($0.utf8) } ?? []) { try appendValue(to: $0) }
    }

    private func appendValue(to buffer: ByteBuffer) throws {
        switch cell.kind {
        case .shared:
            guard let index = Int(decimalDigits: value.bytes.withoutBlanks), let text = strings[index] else {
                throw damage("\(reference) has the text \(String(value).prefix(20)), which does not exist")
            }
            append(text, to: buffer)
        case .text:
            ExcelText.decode(value)
            append(value.bytes, to: buffer)
        case .inline: append(value.bytes, to: buffer)
        case .boolean: buffer.append(value.bytes.first == UInt8(ascii: "1") ? "TRUE" : "FALSE")
        case .error: break
        case .number:
            // Some programs leave out that a text is one.
            guard let number = DecimalNumber.read(value) else { return append(value.bytes, to: buffer) }
            styles[cell.style].append(number, isFrom1904: isFrom1904, to: buffer)
        case .date: appendDate(to: buffer)
        }
    }

    private func append(_ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        if let pattern = styles.text(cell.style) { pattern.append(text, to: buffer) } else { buffer.append(text) }
    }

    /// Strict workbooks may have dates as ISO 8601 writes them.
    private func appendDate(to buffer: ByteBuffer) {
        let text = String(value)
        guard let date = CellDate(iso: text) else { return buffer.append(utf8: text) }
        date.append(styles[cell.style].dateParts ?? CellDate.parts(ofISO: text), to: buffer)
    }

    // MARK: - Around the rows

    private func beginExtra(_ element: XMLName, _ attributes: XMLAttributes) throws {
        if element.is("col") {
            guard let first = attributes.number("min"), let last = attributes.number("max"), first >= 1, last >= first,
                outline.hiddenColumns.count < WorkbookLimits.columns
            else { return }
            let hasNoWidth = attributes["width"].map { strtod($0, nil) == 0 } ?? false
            if attributes.isTrue("hidden") || hasNoWidth { outline.hiddenColumns.append(first - 1...last - 1) }
        } else if element.is("mergeCell") {
            guard let area = attributes["ref"].flatMap(Self.area), extras.merged.count < WorkbookLimits.rows else {
                return
            }
            extras.merged.append(area)
        } else if element.is("hyperlink") {
            guard let area = attributes["ref"].flatMap(Self.area), let id = attributes.text("id") else { return }
            try WorkbookLimits.require(extras.links.count < WorkbookLimits.links, "\(part) has more than 65,530 links")
            extras.links.append((area, id))
        }
    }

    /// Reads `B2:B9` or `B2`.
    private static func area(_ text: UnsafePointer<CChar>) -> (first: CellReference, last: CellReference)? {
        let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        guard let first = CellReference(UnsafeRawBufferPointer(rebasing: bytes[..<colon])) else { return nil }
        if colon == bytes.endIndex { return (first, first) }
        return CellReference(UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...])).map { (first, $0) }
    }

    private func damage(_ reason: String) -> WorkbookError { .damaged(part: part, reason) }
}
