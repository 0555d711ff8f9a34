import Base

/// Reads a sheet of Excel: passes on its rows in the order of the file, and keeps what stands around them.
final class ExcelSheet: XMLHandler {
    /// The columns that the sheet hides, from 0.
    private(set) var columnsHiddenInSheet: [ClosedRange<Int>] = []
    private(set) var merged: [CellArea] = []
    /// The areas with links, and their relationships.
    private var linkedAreas: [(cells: CellArea, relationship: String)] = []
    private(set) var unread = UnreadCells()

    private let part: String
    private let strings: SharedStrings
    private let styles: ExcelStyles
    /// The targets of links.
    private let links: [CellReference: String]
    private let body: (SheetRow) throws -> Void
    private let row = SheetRow()
    /// Whether the row has a number of its own, or that of its first cell.
    private var isNumbered = false
    private var cell = Cell(column: 0)
    /// The column of the next cell, unless it names another one.
    private var nextColumn = 0
    private let value = ExcelText()

    private struct Cell {
        var column: Int
        var kind = Kind.number
        var style = 0
        var hasFormula = false
        var hasPicture = false
    }

    private enum Kind {
        case number, shared, text, boolean, error, date
    }

    init(
        part: String, _ strings: SharedStrings, _ styles: ExcelStyles, links: [CellReference: String] = [:],
        _ body: @escaping (SheetRow) throws -> Void
    ) {
        (self.part, self.strings, self.styles, self.links, self.body) = (part, strings, styles, links, body)
    }

    // MARK: - Elements

    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws -> (any XMLHandler)? {
        switch element {
        case "c": try beginCell(attributes)
        case "v": return value.begun().plain
        case "f": cell.hasFormula = true
        case "is": return value.begun()
        case "row": try beginRow(attributes)
        case "col": addColumns(attributes)
        case "mergeCell": addMerged(attributes)
        case "hyperlink": try addLink(attributes)
        default: break
        }
        return nil
    }

    func end(_ element: XMLName) throws {
        switch element {
        case "c": try endCell()
        case "row":
            row.sortCells()
            try body(row)
        default: break
        }
    }

    // MARK: - Rows and cells

    private func beginRow(_ attributes: XMLAttributes) throws {
        let number = attributes["r"]?.number
        isNumbered = number != nil
        row.begin(number ?? row.number + 1, isHiddenInSheet: attributes.isTrue("hidden"))
        try WorkbookError.require(row.number <= WorkbookLimits.rows, of: part, "it has more than 1,048,576 rows")
        nextColumn = 0
    }

    private func beginCell(_ attributes: XMLAttributes) throws {
        var next = Cell(column: nextColumn)
        var name: UnsafePointer<CChar>?
        attributes.forEach { attribute, value in
            switch attribute {
            case "r": name = value
            case "s": next.style = value.number ?? 0
            case "t": next.kind = kind(value)
            case "vm": next.hasPicture = true
            default: break
            }
        }
        if let name {
            guard let place = CellReference(name.bytes), place.row == row.number || !isNumbered else {
                throw damage("\(name.text) is no cell of row \(row.number)")
            }
            (row.number, isNumbered, next.column) = (place.row, true, place.column)
        }
        try WorkbookError.require(
            next.column < WorkbookLimits.columns, of: part, "row \(row.number) has more than 16,384 cells")
        (cell, nextColumn) = (next, next.column + 1)
        value.plain.buffer.removeAll()
    }

    private func kind(_ type: UnsafePointer<CChar>) -> Kind {
        switch type {
        case "s": .shared
        case "str", "inlineStr": .text
        case "b": .boolean
        case "e": .error
        case "d": .date
        default: .number
        }
    }

    private var reference: String { row.name(cell.column) }

    private func endCell() throws {
        let text = value.plain.buffer
        if text.isEmpty {
            if cell.hasFormula, cell.kind != .text { unread.formulas.add(reference) }
            return
        }
        try WorkbookLimits.require(text.count <= WorkbookLimits.cellBytes, "\(reference) has more than 64 KiB of text")
        let link = links[CellReference(column: cell.column, row: row.number)]
        try row.add(cell.column, link: link.map { Array($0.utf8) } ?? []) { try append(text, to: $0) }
    }

    private func append(_ text: ByteBuffer, to buffer: ByteBuffer) throws {
        let format = styles[cell.style]
        switch cell.kind {
        case .shared:
            guard let index = Int(decimalDigits: text.bytes.withoutBlanks), let shared = strings[index] else {
                throw damage("\(reference) has the text \(String(text).prefix(20)), which does not exist")
            }
            format.text.append(shared, to: buffer)
        case .text: format.text.append(value.decoded, to: buffer)
        case .boolean: buffer.append(text.bytes.first == UInt8(ascii: "1") ? "TRUE" : "FALSE")
        case .error where cell.hasPicture: unread.pictures.add(reference)
        case .error: unread.add(error: String(text), in: reference)
        case .number:
            // Some programs leave out that a text is one.
            guard let number = DecimalNumber.read(text) else { return format.text.append(text.bytes, to: buffer) }
            format.append(number, firstDay: styles.firstDay, to: buffer)
        // Strict workbooks may have dates as ISO 8601 writes them.
        case .date:
            let text = String(text)
            guard let date = CellDate(iso: text) else { return buffer.append(utf8: text) }
            date.append(format.dateParts ?? date.parts, to: buffer)
        }
    }

    // MARK: - Around the rows

    private func addColumns(_ attributes: XMLAttributes) {
        guard let first = attributes["min"]?.number, let last = attributes["max"]?.number, first >= 1, last >= first,
            attributes.isTrue("hidden") || attributes["width"]?.decimal == 0,
            columnsHiddenInSheet.count < WorkbookLimits.columns
        else { return }
        columnsHiddenInSheet.append(first - 1...last - 1)
    }

    private func addMerged(_ attributes: XMLAttributes) {
        if merged.count < WorkbookLimits.rows, let area = attributes["ref"]?.area { merged.append(area) }
    }

    private func addLink(_ attributes: XMLAttributes) throws {
        guard let area = attributes["ref"]?.area, let id = attributes["id"]?.text else { return }
        try WorkbookLimits.require(linkedAreas.count < WorkbookLimits.links, "\(part) has more than 65,530 links")
        linkedAreas.append((area, id))
    }

    /// Returns the targets of links, `targets` being those of the relationships.
    func links(to targets: [String: String]) -> [CellReference: String] {
        var found: [CellReference: String] = [:]
        for area in linkedAreas {
            guard let target = targets[area.relationship] else { continue }
            for row in area.cells.rows.prefix(WorkbookLimits.links - found.count) {
                found[CellReference(column: area.cells.columns.lowerBound, row: row)] = target
            }
        }
        return found
    }

    private func damage(_ reason: String) -> WorkbookError { .damaged(part: part, reason) }
}
