import Base
import People

/// Reads the rows of a sheet as records, as ``CSVReader`` reads those of a file with the same cells.
struct WorkbookReader {
    private let sheet: SheetOutline
    private let options: FileSource.Options
    /// Returns what becomes of the targets of links in each column of a header.
    private let linkUses: ([String]) -> [LinkUse]
    private var table: TableRecords
    /// What becomes of links, and the number of those that are left out, by column of the header.
    private var links: [(use: LinkUse, lost: Int)] = []
    private var leftOutRows = 0
    /// The values of a sheet with more columns than a table may have, in those that are too many.
    private var lostValues = UnreadCells.Count()
    private var cells: [UnsafeRawBufferPointer] = []
    private var lastRow = 0

    init(
        _ sheet: SheetOutline, _ table: TableRecords, _ options: FileSource.Options,
        _ linkUses: @escaping ([String]) -> [LinkUse] = LinkUse.byHeadings
    ) {
        (self.sheet, self.table, self.options, self.linkUses) = (sheet, table, options, linkUses)
    }

    /// The rows that were collected, if `table` collects them.
    var evidence: [TableRow] { table.evidence }

    mutating func read(_ row: SheetRow, into sink: some RecordSink) throws {
        // The publisher may ask for such rows, or name one as the header.
        let isLeftOut = row.isHiddenInSheet && !options.readsHiddenRows && row.number != options.headerLine
        if isLeftOut {
            leftOutRows += 1
            if table.header == nil { return }
        }
        let isAfterBlank = lastRow > 0 && row.number > lastRow + 1
        guard let header = try table.header ?? takeHeader(row, isAfterBlank, into: sink) else { return }
        fill(row, under: header)
        if cells.allSatisfy(\.isEmpty) || table.takeProof(cells) { return }
        // Of such a row, not all cells are known: nobody could tell who stays, if it is left out.
        if row.bytes.count > RecordLimits.recordBytes {
            return try table.reject(.tooLarge("row \(row.number)"), into: sink)
        }
        if isLeftOut { return try sink.passOver(header.record(cells)) }
        lastRow = row.number
        try table.take(
            cells, number: row.number, isAfterBlank: isAfterBlank, span: row.span, under: header, into: sink)
    }

    mutating func finish(into sink: some RecordSink) throws { try table.finish(into: sink) }

    /// A line about values far to the right, one for each column with links that are left out, and one about rows.
    var lines: [String] {
        let place = "beyond 1,024 columns left out"
        let values = lostValues.line("value \(place)", "values \(place)")
        let lost = zip(table.header?.titles ?? [], links.map(\.lost)).filter { $1 > 0 }
        return ([values] + lost.map { "\(counted($1, "link")) left out in \($0)" } + [leftOutLine]).compactMap(\.self)
    }

    /// A line about the rows that the sheet does not show; `nil` if there are none.
    var leftOutLine: String? {
        if leftOutRows == 0 { return nil }
        return counted(
            leftOutRows, "hidden row left out (--hidden-rows reads it)",
            "hidden rows left out (--hidden-rows reads them)")
    }

    // MARK: - The header

    /// Takes a row above people. Returns the header if the row is a person.
    private mutating func takeHeader(
        _ row: SheetRow, _ isAfterBlank: Bool, into sink: some RecordSink
    ) throws -> CSVHeader? {
        let isTooWide = table.reading?.header?.contains(row.number) == true && row.width > RecordLimits.columns
        try expect(!isTooWide, "expected a header of at most 1,024 columns, found more in row \(row.number)")
        row.fill(&cells, columns: sheet.width, isExact: true)
        let exactCells = cells
        row.fill(&cells, columns: sheet.width)
        lastRow = row.number
        if cells.allSatisfy(\.isEmpty) { return nil }
        let ofPerson = try table.takeHeader(
            cells, exactCells, number: row.number, isAfterBlank: isAfterBlank, span: row.span, into: sink)
        if let header = table.header { links = linkUses(header.titles).map { ($0, 0) } }
        return ofPerson
    }

    /// The headings of columns that are not shown.
    var headingsHiddenInSheet: [String] {
        zip(0..<sheet.width, table.header?.titles ?? []).filter { column, _ in
            sheet.columnsHiddenInSheet.contains { $0.contains(column) }
        }.map(\.1)
    }

    // MARK: - Cells

    /// Sets ``cells`` to the texts of a row, or to the targets of its links.
    private mutating func fill(_ row: SheetRow, under header: CSVHeader) {
        row.fill(&cells, columns: sheet.width, isExact: header.isGuarded)
        for cell in row.cells {
            guard cell.column < sheet.width else {
                lostValues.add(row.name(cell.column))
                continue
            }
            if cell.link.isEmpty { continue }
            let target = Self.withoutScheme(row.bytes.bytes[cell.link])
            switch links[cell.column].use {
            case .text: cells[cell.column] = target
            case .lost: if !target.equals(cells[cell.column]) { links[cell.column].lost += 1 }
            case .none: break
            }
        }
    }

    /// Returns the target of a link without `mailto:` or `tel:`, and without the subject of a message.
    private static func withoutScheme(_ target: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let schemes: [StaticString] = ["mailto:", "tel:"]
        guard let scheme = schemes.first(where: target.starts(ignoringCase:)) else { return target }
        let address = target.dropFirst(scheme.utf8CodeUnitCount).prefix { $0 != UInt8(ascii: "?") }
        return UnsafeRawBufferPointer(rebasing: address)
    }
}

/// The use of the targets of the links in a column.
enum LinkUse {
    /// They count as the texts of their cells.
    case text
    /// They are left out, which an import reports.
    case lost
    /// Nothing of the column is read.
    case none

    private static let roles: Set<FieldRole> = [.website, .photo, .email, .phone]

    /// Before anything is known of a column, its targets count unless the heading says what its texts are.
    static func byHeadings(_ titles: [String]) -> [LinkUse] {
        FieldRole.of(headings: titles).map { $0.map(roles.contains) ?? true ? .text : .none }
    }

    static func bySettings(_ titles: [String], _ names: ColumnNames) -> [LinkUse] {
        titles.map { title in
            let field = names.settings.field(ofColumn: title)
            if field?.type == .link || field?.role.map(roles.contains) == true { return .text }
            return names.meaning(of: title).isLeftOut ? .none : .lost
        }
    }
}
