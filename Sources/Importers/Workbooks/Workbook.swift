/// A file of sheets.
protocol Workbook: AnyObject {
    var format: ImportFormat { get }
    /// The sheets, in order.
    var sheets: [SheetOutline] { get }
    /// Calls `body` with each row of a sheet that has a cell with text. Returns what it could not read.
    @discardableResult func forEachRow(of sheet: SheetOutline, _ body: (SheetRow) throws -> Void) throws -> UnreadCells
}

/// The facts about a sheet besides the texts of its cells.
struct SheetOutline {
    /// Its place among the sheets of the workbook, from 0.
    var index = 0
    var name: String
    var isHiddenInBook: Bool
    /// The number of rows with a cell that is not empty.
    private(set) var rows = 0
    /// The number of columns up to the last cell that is not empty, and no more than a table may have.
    private(set) var width = 0
    /// The columns that the sheet hides, from 0.
    var columnsHiddenInSheet: [ClosedRange<Int>] = []
    /// Whether each row of the file has a greater number than those before it.
    private(set) var isSorted = true
    /// The greatest number of a row so far. Some programs count rows from 0.
    private(set) var lastRow = -1

    /// Counts a row, which has no cells if `width` is 0. A row without a number follows the last one.
    mutating func note(_ number: Int?, width: Int) {
        let number = number ?? max(lastRow, 0) + 1
        isSorted = isSorted && number > lastRow
        lastRow = max(lastRow, number)
        rows += min(width, 1)
        self.width = min(max(self.width, width), RecordLimits.columns)
    }
}
