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
    var number: Int
    var isHiddenInSheet = false
    /// The largest number of columns over which a cell is merged.
    var span = 1
    let bytes: ByteBuffer
    /// The cells that are not empty, from left to right.
    var cells: [Cell] = []
    /// Whether cells were added from left to right.
    private var isSorted = true

    init(_ number: Int = 0, capacity: Int = 4096) {
        (self.number, bytes) = (number, ByteBuffer(capacity: capacity))
    }

    /// The number of columns up to the last cell.
    var width: Int { cells.last.map { $0.column + 1 } ?? 0 }

    /// The name of a cell in the row, such as `C7`.
    func name(_ column: Int) -> String {
        CellReference(column: min(column, WorkbookLimits.columns - 1), row: number).text
    }

    func begin(_ number: Int, isHiddenInSheet: Bool) {
        (self.number, self.isHiddenInSheet) = (number, isHiddenInSheet)
        (span, isSorted) = (1, true)
        bytes.removeAll()
        cells.removeAll(keepingCapacity: true)
    }

    /// Sorts the cells from left to right. If several are in one column, the last one counts.
    func sortCells() {
        if isSorted { return }
        let order = cells.indices.sorted { (cells[$0].column, $0) < (cells[$1].column, $1) }
        let sorted = order.map { cells[$0] }
        cells = sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0 + 1].column > sorted[$0].column }
            .map { sorted[$0] }
    }

    /// Adds a cell. `write` appends its text to ``bytes``. An empty one does not count, nor do further cells of a row
    /// that has more text than a record may have, and so is rejected. Returns the cell, if it counts.
    @discardableResult
    func add(_ column: Int, link: [UInt8], _ write: (ByteBuffer) throws -> Void) rethrows -> Cell? {
        let start = bytes.count
        if start <= RecordLimits.recordBytes { try write(bytes) }
        let end = bytes.count
        guard end > start else { return nil }
        isSorted = isSorted && column >= width
        bytes.append(link)
        let text = ByteSlice(offset: start, count: end - start)
        cells.append(Cell(column: column, text: text, link: ByteSlice(offset: end, count: link.count)))
        return cells.last
    }

    /// Sets `texts` to those of the first `count` columns, without surrounding white space unless each byte is
    /// somebody's data.
    func fill(_ texts: inout [UnsafeRawBufferPointer], columns count: Int, isExact: Bool = false) {
        texts.removeAll(keepingCapacity: true)
        for _ in 0..<count { texts.append(UnsafeRawBufferPointer(start: nil, count: 0)) }
        for cell in cells where cell.column < count {
            let text = bytes.bytes[cell.text]
            texts[cell.column] = isExact ? text : text.withoutBlanks
        }
    }
}
