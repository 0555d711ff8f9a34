import Base

/// Cells over several rows: their text stands in the first column, in each of their rows.
///
/// The work for a row grows with the areas in it. There are at most as many as columns, because areas must not overlap.
struct MergedCells {
    private struct Area {
        var rows: ClosedRange<Int>
        var columns: ClosedRange<Int>
        /// The text and the link of the first cell, once its row has been read.
        var text: [UInt8]?
        var link: [UInt8] = []
    }

    /// By first row, descending, so that the next ones are last.
    private var coming: [Area] = []
    /// The areas in the row that is being read, by column.
    private var current: [Area] = []
    private var copies = 0
    /// The numbers of columns over which cells are merged within one row, by row.
    private var widths: [Int: Int] = [:]

    var isEmpty: Bool { coming.isEmpty && current.isEmpty }

    /// - Parameter areas: All areas of a sheet, if they are known before its rows. Those within one row are only noted:
    ///   all but their first cell are empty.
    init(_ areas: [(first: CellReference, last: CellReference)] = []) {
        for (first, last) in areas where first.row <= last.row && first.column <= last.column {
            let area = Area(rows: first.row...last.row, columns: first.column...last.column)
            if area.rows.count > 1 {
                coming.append(area)
            } else {
                widths[first.row] = max(widths[first.row] ?? 1, area.columns.count)
            }
        }
        coming.sort { $0.rows.lowerBound > $1.rows.lowerBound }
    }

    /// Adds an area whose first row is being read.
    mutating func begin(_ rows: ClosedRange<Int>, column: Int) {
        if rows.count > 1 { coming.append(Area(rows: rows, columns: column...column)) }
    }

    /// Adds the texts of the areas that began above `row`, and keeps those of the areas that begin there. Throws an
    /// error if areas overlap.
    mutating func apply(to row: SheetRow) throws {
        row.span = max(row.span, widths[row.number] ?? 1)
        try begin(row.number)
        if current.isEmpty { return }
        var rest = row.cells[...]
        row.cells = []
        for index in current.indices {
            let columns = current[index].columns
            while let cell = rest.first, cell.column < columns.lowerBound { row.cells.append(rest.removeFirst()) }
            if let text = current[index].text {
                guard !text.isEmpty else { continue }
                rest = rest.drop { $0.column <= columns.upperBound }
                copies += 1
                row.add(columns.lowerBound, link: current[index].link) { $0.append(text) }
            } else {
                let cell = rest.first.flatMap { cell in
                    row.number == current[index].rows.lowerBound && cell.column == columns.lowerBound ? cell : nil
                }
                current[index].text = cell.map { Array(row.bytes.bytes[$0.text]) } ?? []
                current[index].link = cell.map { Array(row.bytes.bytes[$0.link]) } ?? []
            }
        }
        row.cells += rest
        try WorkbookLimits.require(copies <= WorkbookLimits.copies, "its merged cells fill more than 16,777,216 cells")
    }

    /// Replaces the areas of earlier rows by those of the row `number`.
    private mutating func begin(_ number: Int) throws {
        current.removeAll { $0.rows.upperBound < number }
        let first = coming.indices.end { coming[$0].rows.lowerBound > number }
        if first == coming.count { return }
        current += coming[first...].filter { $0.rows.upperBound >= number }
        coming.removeSubrange(first...)
        current.sort { $0.columns.lowerBound < $1.columns.lowerBound }
        for (left, right) in zip(current, current.dropFirst()) {
            let isApart = left.columns.upperBound < right.columns.lowerBound
            try WorkbookLimits.require(isApart, "merged cells overlap in row \(number)")
        }
    }
}
