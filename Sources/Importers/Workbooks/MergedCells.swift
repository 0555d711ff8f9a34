import Base

/// Cells over several rows: their text stands in the first column, in each of their rows.
struct MergedCells {
    private struct Area {
        var rows: ClosedRange<Int>
        var columns: ClosedRange<Int>
        /// The text and the link of the first cell, once its row has been read.
        var text: [UInt8]?
        var link: [UInt8] = []
    }

    /// By first row, descending, so that the next one is last.
    private var coming: [Area] = []
    private var current: [Area] = []

    var isEmpty: Bool { coming.isEmpty && current.isEmpty }

    /// Adds areas whose rows have not begun. Those within one row need no work: all but their first cell are empty.
    mutating func add(_ areas: [(first: CellReference, last: CellReference)]) {
        coming += areas.filter { $0.first.row < $0.last.row && $0.first.column <= $0.last.column }.map { area in
            Area(rows: area.first.row...area.last.row, columns: area.first.column...area.last.column)
        }
        coming.sort { $0.rows.lowerBound > $1.rows.lowerBound }
    }

    /// Adds an area whose first row is being read.
    mutating func begin(_ rows: ClosedRange<Int>, column: Int) {
        if rows.count > 1 { current.append(Area(rows: rows, columns: column...column)) }
    }

    /// Adds the texts of the areas that began above `row`, and keeps those of the areas that begin there.
    mutating func apply(to row: SheetRow) {
        while let next = coming.last, next.rows.lowerBound <= row.number { current.append(coming.removeLast()) }
        if current.isEmpty { return }
        current.removeAll { $0.rows.upperBound < row.number }
        for index in current.indices {
            let area = current[index]
            if let text = area.text {
                guard !text.isEmpty else { continue }
                row.cells.removeAll { area.columns.contains($0.column) }
                let place = row.cells.firstIndex { $0.column > area.columns.lowerBound } ?? row.cells.endIndex
                let start = row.bytes.count
                row.bytes.append(text)
                row.bytes.append(area.link)
                let cell = SheetRow.Cell(
                    column: area.columns.lowerBound, text: ByteSlice(offset: start, count: text.count),
                    link: area.link.isEmpty
                        ? .empty : ByteSlice(offset: start + text.count, count: area.link.count))
                row.cells.insert(cell, at: place)
            } else {
                let cell = row.cells.first { $0.column == area.columns.lowerBound }
                let isFirst = row.number == area.rows.lowerBound
                current[index].text = isFirst ? cell.map { Array(row.bytes.bytes[$0.text]) } ?? [] : []
                current[index].link = isFirst ? cell.map { Array(row.bytes.bytes[$0.link]) } ?? [] : []
            }
        }
    }
}
