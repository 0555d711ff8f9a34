import Base

/// The first rows of a sheet, as evidence for what it is.
struct SheetEvidence {
    private(set) var rows: [TableRow] = []
    private(set) var hiddenRows = 0
    private let width: Int
    private let headerRow: Int?
    private var lastRow = 0

    init(_ sheet: SheetOutline, headerRow: Int?) { (width, self.headerRow) = (sheet.width, headerRow) }

    /// Adds a row. Returns whether more of them are of interest.
    mutating func take(_ row: SheetRow, isLeftOut: Bool) -> Bool {
        if isLeftOut {
            hiddenRows += 1
            return true
        }
        let texts = row.texts(columns: width)
        if !texts.allSatisfy(\.isEmpty) {
            let isAfterBlank = lastRow > 0 && row.number > lastRow + 1
            rows.append(TableRow(number: row.number, cells: texts, isAfterBlank: isAfterBlank, span: row.span))
        }
        lastRow = row.number
        return rows.count < TableReading.maxRows || row.number < headerRow ?? 0
    }

    /// The words by which a message counts rows that are left out.
    static let hiddenRow = (
        one: "hidden row left out (--hidden-rows reads it)", several: "hidden rows left out (--hidden-rows reads them)"
    )

    /// The row that is looked for may be one that is not shown.
    func hintingAtHiddenRows(_ error: RollcallError) -> RollcallError {
        if hiddenRows == 0 || headerRow != nil { return error }
        return RollcallError("\(error); \(counted(hiddenRows, Self.hiddenRow.one, Self.hiddenRow.several))")
    }
}
