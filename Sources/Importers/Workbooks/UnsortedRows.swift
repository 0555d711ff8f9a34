import Base

/// The rows of a sheet that a program wrote in any order, or in several pieces, until all are read.
struct UnsortedRows {
    private var rows: [Int: SheetRow] = [:]
    private var size = 0

    /// Adds a row, or a piece of one.
    mutating func add(_ piece: SheetRow) throws {
        if piece.cells.isEmpty { return }
        let row = rows[piece.number] ?? SheetRow(piece.number, capacity: piece.bytes.count)
        rows[piece.number] = row
        row.isHiddenInSheet = row.isHiddenInSheet || piece.isHiddenInSheet
        let bytes = piece.bytes.bytes
        for cell in piece.cells { row.add(cell.column, link: Array(bytes[cell.link])) { $0.append(bytes[cell.text]) } }
        size += bytes.count + piece.cells.count * MemoryLayout<SheetRow.Cell>.size
        try WorkbookLimits.require(
            size <= WorkbookLimits.unsortedBytes,
            "its rows are in no order, and more than fit into 256 MiB: open it in a spreadsheet and save it")
    }

    /// Calls `body` with each whole row, by their numbers.
    func forEachRow(_ body: (SheetRow) throws -> Void) rethrows {
        for (_, row) in rows.sorted(by: { $0.key < $1.key }) {
            row.sortCells()
            try body(row)
        }
    }
}
