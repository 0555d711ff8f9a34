import Base

/// A row of a sheet, with the texts that people see. Reused for each row.
final class SheetRow {
    struct Cell {
        /// From 0.
        var column: Int
        var text: ByteSlice
        /// The target of the cell's link; empty without one.
        var link: ByteSlice = .empty
    }

    /// As the spreadsheet numbers rows, from 1.
    var number = 0
    var isHidden = false
    /// The largest number of columns over which a cell is merged.
    var span = 1
    let bytes = ByteBuffer(capacity: 4096)
    /// The cells that are not empty, from left to right.
    var cells: [Cell] = []

    func begin(_ number: Int) {
        self.number = number
        (isHidden, span) = (false, 1)
        bytes.removeAll()
        cells.removeAll(keepingCapacity: true)
    }

    /// Sorts the cells from left to right. Of several in one column, the last one counts.
    func sortCells() {
        let order = cells.indices.sorted { (cells[$0].column, $0) < (cells[$1].column, $1) }
        let sorted = order.map { cells[$0] }
        cells = sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0 + 1].column > sorted[$0].column }
            .map { sorted[$0] }
    }

    /// Adds a cell whose text `write` appends to ``bytes``. An empty one does not count, nor do further cells of a row
    /// that has more text than a record may have, and so is rejected.
    func add(_ column: Int, link: [UInt8] = [], _ write: (ByteBuffer) throws -> Void) rethrows {
        let start = bytes.count
        guard start <= RecordLimits.recordBytes else { return }
        try write(bytes)
        let end = bytes.count
        guard end > start else { return }
        bytes.append(link)
        cells.append(
            Cell(
                column: column, text: ByteSlice(offset: start, count: end - start),
                link: ByteSlice(offset: end, count: link.count)))
    }
}

/// The facts about a sheet besides the texts of its cells.
struct SheetOutline {
    var name: String
    var isHidden = false
    /// The number of rows with a cell that is not empty.
    var rows = 0
    /// The number of columns up to the last cell that is not empty.
    var width = 0
    /// The columns that are not shown, from 0.
    var hiddenColumns: [ClosedRange<Int>] = []
    /// Whether each row of the file has a greater number than those before it.
    var isSorted = true

    func isHidden(column: Int) -> Bool { hiddenColumns.contains { $0.contains(column) } }

    mutating func note(_ row: SheetRow) {
        guard let last = row.cells.last else { return }
        rows += 1
        width = max(width, last.column + 1)
    }
}

/// The counts of what an import does not read in the cells of a sheet.
struct UnreadCells {
    struct Count {
        var count = 0
        /// The first cell, such as `C7`, and what it has.
        var first = ""

        mutating func add(_ first: @autoclosure () -> String) {
            count += 1
            if count == 1 { self.first = first() }
        }
    }

    private(set) var errors = Count()
    var formulas = Count()
    var pictures = Count()

    /// The errors of Excel and LibreOffice.
    private static let errorNames: Set<String> = [
        "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#GETTING_DATA",
    ]

    /// Whether the text of a cell is an error and nothing else.
    static func isError(_ text: String) -> Bool {
        errorNames.contains(text) || text.wholeMatch(of: /Err:[0-9]{3}/) != nil
    }

    /// Counts a cell with an error, whose text may be anything in a file of another program.
    mutating func add(error text: String, in cell: @autoclosure () -> String) {
        errors.add(Self.isError(text) ? "\(cell()): \(text)" : cell())
    }

    /// A line for each kind that occurred.
    var lines: [String] {
        var lines: [String] = []
        if errors.count > 0 {
            let (cells, verb) = errors.count == 1 ? ("cell", "is") : ("cells", "are")
            lines.append(
                "\(errors.count.grouped) \(cells) with errors \(verb) empty, first in \(errors.first)")
        }
        if formulas.count > 0 {
            let words = formulas.count == 1 ? "formula has" : "formulas have"
            lines.append(
                "\(formulas.count.grouped) \(words) no value, first in \(formulas.first): "
                    + "open the file in a spreadsheet and save it")
        }
        if pictures.count > 0 {
            let words = pictures.count == 1 ? "picture inside a cell is" : "pictures inside cells are"
            lines.append("\(pictures.count.grouped) \(words) not read, first in \(pictures.first)")
        }
        return lines
    }
}

/// A file of sheets.
protocol Workbook: AnyObject {
    var format: ImportFormat { get }
    /// The sheets, in order.
    var sheets: [SheetOutline] { get }
    /// Calls `body` with each row of a sheet that has a cell with text. Returns what it could not read.
    func forEachRow(ofSheet index: Int, _ body: (SheetRow) throws -> Void) throws -> UnreadCells
}

/// The name of a cell, such as `C7`.
struct CellReference {
    /// From 0.
    var column: Int
    /// From 1.
    var row: Int

    init(column: Int, row: Int) { (self.column, self.row) = (column, row) }

    /// Reads `C7` or `$C$7`; `nil` if the text does not name a cell.
    init?(_ text: UnsafeRawBufferPointer) {
        var (column, row) = (0, 0)
        for byte in text {
            switch byte {
            case 0x24: continue
            case 65...90 where row == 0 && column < WorkbookLimits.columns: column = column * 26 + Int(byte) - 64
            case 97...122 where row == 0 && column < WorkbookLimits.columns: column = column * 26 + Int(byte) - 96
            case 48...57 where column > 0 && row < WorkbookLimits.rows: row = row * 10 + Int(byte) - 48
            default: return nil
            }
        }
        guard (1...WorkbookLimits.columns).contains(column), (1...WorkbookLimits.rows).contains(row) else { return nil }
        (self.column, self.row) = (column - 1, row)
    }

    var text: String { Self.letters(column) + String(row) }

    static func letters(_ column: Int) -> String {
        var text = ""
        var number = column + 1
        while number > 0 {
            text = String(Unicode.Scalar(UInt8(65 + (number - 1) % 26))) + text
            number = (number - 1) / 26
        }
        return text
    }
}
