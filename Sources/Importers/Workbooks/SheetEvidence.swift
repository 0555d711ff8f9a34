import Base
import People
import Publishing

/// The first rows of a sheet, as evidence for what it is.
struct SheetEvidence {
    private(set) var rows: [TableRow] = []
    private(set) var hiddenRows = 0
    private(set) var columns: SheetColumns
    /// Whether only columns with a heading count.
    private let isWide: Bool
    private let headerRow: Int?
    private let readsHiddenRows: Bool
    private var lastRow = 0
    /// The known headings and the cells of the row by which ``columns`` were chosen.
    private var widest = (explained: 0, cells: 0)

    init(_ sheet: SheetOutline, headerRow: Int?, readsHiddenRows: Bool) {
        (self.headerRow, self.readsHiddenRows) = (headerRow, readsHiddenRows)
        isWide = sheet.width > RecordLimits.columns
        columns = SheetColumns(numbers: Array(0..<min(sheet.width, RecordLimits.columns)))
    }

    /// Adds a row. Returns whether more of them are of interest.
    mutating func take(_ row: SheetRow) throws -> Bool {
        // The publisher may name a header that the sheet does not show.
        if row.isHidden, !readsHiddenRows, row.number != headerRow {
            hiddenRows += 1
            return true
        }
        // A sheet may have a note far to the right.
        if isWide, isHeader(row) { columns = SheetColumns(numbers: row.cells.map(\.column)) }
        guard columns.numbers.count <= RecordLimits.columns else {
            throw RollcallError("expected a header of at most 1,024 columns, found more in row \(row.number)")
        }
        let texts = columns.texts(of: row)
        if !texts.allSatisfy(\.isEmpty) {
            let isAfterBlank = lastRow > 0 && row.number > lastRow + 1
            rows.append(TableRow(number: row.number, cells: texts, isAfterBlank: isAfterBlank, span: row.span))
        }
        lastRow = row.number
        return rows.count < TableReading.maxRows || row.number < headerRow ?? 0
    }

    /// Whether a row among the first ones has more known headings, or else more cells, than those before.
    private mutating func isHeader(_ row: SheetRow) -> Bool {
        if let headerRow { return row.number == headerRow }
        guard rows.count < CSVHeader.maxLines else { return false }
        let texts = row.cells.prefix(RecordLimits.columns).map {
            String(decoding: row.bytes.bytes[$0.text], as: UTF8.self)
        }
        let found = (explained: HeaderWords.explained(texts.filter { !$0.isEmpty }), cells: row.cells.count)
        guard found > widest else { return false }
        widest = found
        return true
    }

    /// The row that is looked for may be one that is not shown.
    func hintingAtHiddenRows(_ error: RollcallError) -> RollcallError {
        if hiddenRows == 0 || headerRow != nil { return error }
        let rows = "\(hiddenRows.grouped) hidden \(hiddenRows == 1 ? "row was" : "rows were")"
        return RollcallError(
            "\(error); \(rows) left out (--hidden-rows reads \(hiddenRows == 1 ? "it" : "them"))")
    }
}
