import Base

/// The name of a cell, such as `C7`.
struct CellReference: Hashable {
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
            case _ where byte.isLetter && row == 0 && column < WorkbookLimits.columns:
                column = column * 26 + Int(byte & 0x1F)
            case 48...57 where column > 0 && row < WorkbookLimits.rows: row = row * 10 + Int(byte) - 48
            default: return nil
            }
        }
        guard (1...WorkbookLimits.columns).contains(column), (1...WorkbookLimits.rows).contains(row) else { return nil }
        (self.column, self.row) = (column - 1, row)
    }

    var text: String {
        var text = String(row)
        var number = column + 1
        while number > 0 {
            text = String(Unicode.Scalar(UInt8(65 + (number - 1) % 26))) + text
            number = (number - 1) / 26
        }
        return text
    }
}

/// A rectangle of cells.
struct CellArea {
    let rows: ClosedRange<Int>
    let columns: ClosedRange<Int>
}

extension UnsafePointer<CChar> {
    /// The area that `B2:B9` or `B2` names; `nil` if the text names none.
    var area: CellArea? {
        let ends = bytes.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { CellReference(UnsafeRawBufferPointer(rebasing: $0)) }
        guard let first = ends[0], let last = ends[ends.count - 1], first.row <= last.row, first.column <= last.column
        else { return nil }
        return CellArea(rows: first.row...last.row, columns: first.column...last.column)
    }
}
