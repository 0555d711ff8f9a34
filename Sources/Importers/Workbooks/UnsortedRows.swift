import Base

/// The rows of a sheet that a program wrote in any order, or in several pieces, until all are read.
struct UnsortedRows {
    private struct Piece {
        var number: Int
        var isHidden: Bool
        var cells: [SheetRow.Cell]
        var bytes: [UInt8]
    }

    private var pieces: [Piece] = []
    private var size = 0

    /// Adds a row, or a piece of one.
    mutating func add(_ row: SheetRow) throws {
        if row.cells.isEmpty { return }
        pieces.append(
            Piece(number: row.number, isHidden: row.isHidden, cells: row.cells, bytes: Array(row.bytes.bytes)))
        size += row.bytes.count + row.cells.count * MemoryLayout<SheetRow.Cell>.size
        try WorkbookLimits.require(
            size <= WorkbookLimits.unsortedBytes,
            "its rows are in no order, and more than fit into 256 MiB: open it in a spreadsheet and save it")
    }

    /// Calls `body` with each whole row, by their numbers.
    func forEachRow(_ body: (SheetRow) throws -> Void) throws {
        let row = SheetRow()
        var order = pieces.indices.sorted { (pieces[$0].number, $0) < (pieces[$1].number, $1) }[...]
        while let first = order.first {
            row.begin(pieces[first].number)
            while let index = order.first, pieces[index].number == row.number {
                order.removeFirst()
                append(pieces[index], to: row)
            }
            row.sortCells()
            try body(row)
        }
    }

    private func append(_ piece: Piece, to row: SheetRow) {
        row.isHidden = row.isHidden || piece.isHidden
        piece.bytes.withUnsafeBytes { bytes in
            for cell in piece.cells {
                row.add(cell.column, link: Array(bytes[cell.link])) { $0.append(bytes[cell.text]) }
            }
        }
    }
}
