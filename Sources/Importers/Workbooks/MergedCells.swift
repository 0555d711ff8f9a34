import Base

/// Cells over several rows: their text stands in the first column, in each of their rows.
///
/// The work for a row grows with the areas in it. There are at most as many as columns, because areas must not overlap.
struct MergedCells {
    /// By first row, descending, so that the next ones are last.
    private var coming: [CellArea]
    /// The areas in the row that is being read, by column, with the text and the link of the first cell once its row
    /// has been read.
    private var current: [(cells: CellArea, text: [UInt8], link: [UInt8])] = []
    private var copies = 0
    /// The numbers of columns over which cells are merged within one row, by row.
    private var widths: [Int: Int] = [:]

    var isEmpty: Bool { coming.isEmpty && current.isEmpty }

    /// - Parameter areas: All areas of a sheet, if they are known before its rows. Those within one row are only noted:
    ///   all but their first cell are empty.
    init(_ areas: [CellArea] = []) {
        coming = areas.filter { $0.rows.count > 1 }.sorted { $0.rows.lowerBound > $1.rows.lowerBound }
        for area in areas where area.rows.count == 1 {
            widths[area.rows.lowerBound] = max(widths[area.rows.lowerBound] ?? 1, area.columns.count)
        }
    }

    /// Adds an area whose first row is being read.
    mutating func begin(_ rows: ClosedRange<Int>, column: Int) {
        if rows.count > 1 { coming.append(CellArea(rows: rows, columns: column...column)) }
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
            let area = current[index]
            let columns = area.cells.columns
            while let cell = rest.first, cell.column < columns.lowerBound { row.cells.append(rest.removeFirst()) }
            if row.number > area.cells.rows.lowerBound {
                if area.text.isEmpty { continue }
                rest = rest.drop { $0.column <= columns.upperBound }
                copies += 1
                row.add(columns.lowerBound, link: area.link) { $0.append(area.text) }
            } else if let cell = rest.first, cell.column == columns.lowerBound {
                current[index].text = Array(row.bytes.bytes[cell.text])
                current[index].link = Array(row.bytes.bytes[cell.link])
            }
        }
        row.cells += rest
        try WorkbookLimits.require(copies <= WorkbookLimits.copies, "its merged cells fill more than 16,777,216 cells")
    }

    /// Replaces the areas of earlier rows by those of the row `number`.
    private mutating func begin(_ number: Int) throws {
        current.removeAll { $0.cells.rows.upperBound < number }
        let first = coming.indices.end { coming[$0].rows.lowerBound > number }
        if first == coming.count { return }
        current += coming[first...].filter { $0.rows.upperBound >= number }.map { ($0, [], []) }
        coming.removeSubrange(first...)
        current.sort { $0.cells.columns.lowerBound < $1.cells.columns.lowerBound }
        for (left, right) in zip(current, current.dropFirst()) {
            let isApart = left.cells.columns.upperBound < right.cells.columns.lowerBound
            try WorkbookLimits.require(isApart, "merged cells overlap in row \(number)")
        }
    }
}
