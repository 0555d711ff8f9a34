/// A file of sheets.
protocol Workbook: AnyObject {
    var format: ImportFormat { get }
    /// The sheets, in order.
    var sheets: [SheetOutline] { get }
    /// Calls `body` with each row of a sheet that has a cell with text. Returns what it could not read.
    func forEachRow(ofSheet index: Int, _ body: (SheetRow) throws -> Void) throws -> UnreadCells
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
