/// Looks for the row of a table that names its columns.
struct HeaderSearch {
    let names: ColumnNames
    /// The number of the row, if the publisher names it.
    let line: Int?
    /// What rows are called in messages.
    let noun: String
    private var rows = 0
    /// Why the row with the most cells is not the header, and the number of these cells.
    private var bestRow: (error: ImportError, cells: Int)?

    init(names: ColumnNames, line: Int?, noun: String = "line") {
        (self.names, self.line, self.noun) = (names, line, noun)
    }

    /// Why no row is the header; `nil` if there were no rows.
    var failure: ImportError? { bestRow?.error }

    /// Whether the row at `line`, which has text, is the header, and not a title above it.
    mutating func isHeader(_ cells: [UnsafeRawBufferPointer], at line: Int) throws -> Bool {
        if let wanted = self.line {
            if line > wanted { throw ImportError("expected the header in \(noun) \(wanted), found no text") }
            return line == wanted
        }
        rows += 1
        if CSVHeader.isHeader(cells, names) { return true }
        let filled = cells.count { !$0.isEmpty }
        if filled > bestRow?.cells ?? 0 {
            do { _ = try CSVHeader(cells: cells, names: names) } catch { bestRow = (error, filled) }
        }
        if rows == CSVHeader.maxLines, let bestRow { throw bestRow.error }
        return false
    }
}
