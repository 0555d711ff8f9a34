import Base
import People

/// Reads the rows of a sheet as records, as ``CSVReader`` reads those of a file with the same cells.
struct WorkbookReader {
    private let names: ColumnNames
    private let sheet: SheetOutline
    /// Whether hidden rows are read like others.
    private let readsHiddenRows: Bool
    /// Whether the records are for a survey, for which hidden rows do not count.
    private let isSurvey: Bool
    private var search: HeaderSearch
    private(set) var header: CSVHeader?
    /// The sheet's columns, from 0, in the order of the header.
    private var columns: [Int] = []
    /// Whether a link's target counts as the text of its cell, by column of the header.
    private var takesTargets: [Bool] = []
    private var layout: FileLayout
    private var proofs = ProofCheck()
    private(set) var hiddenRows = 0
    /// The numbers of links that are left out, by column of the header.
    private var lostLinks: [Int]
    /// The values in columns without a heading, of a sheet with more columns than a table may have.
    private var lostValues = UnreadCells.Count()
    private var cells: [UnsafeRawBufferPointer] = []

    init(
        _ sheet: SheetOutline, _ format: ImportFormat, _ names: ColumnNames, headerRow: Int?, readsHiddenRows: Bool,
        isSurvey: Bool
    ) {
        (self.sheet, self.names, self.isSurvey) = (sheet, names, isSurvey)
        self.readsHiddenRows = readsHiddenRows
        search = HeaderSearch(names: names, line: headerRow, noun: "row")
        layout = FileLayout(format: format)
        lostLinks = []
    }

    mutating func read(_ row: SheetRow, into sink: some RecordSink) throws {
        let isLeftOut = row.isHidden && !readsHiddenRows
        if isLeftOut {
            // The publisher may name a header that the sheet does not show.
            let isHeader = header == nil && search.line == row.number
            if !isHeader {
                hiddenRows += 1
                if isSurvey || header == nil { return }
            }
        }
        guard let header else { return try readAboveHeader(row, into: sink) }
        fill(row, under: header)
        if cells.allSatisfy(\.isEmpty) { return }
        if header.isGuarded, let count = cells.proof { return proofs.take(proof: count) }
        if !isLeftOut { proofs.countRecord() }
        guard row.bytes.count <= RecordLimits.recordBytes else {
            return try sink.reject(Rejection(place: "row \(row.number)", reason: "expected at most 1 MiB, found more"))
        }
        try sink.take(.row(cells, header, isLeftOut: isLeftOut), at: "row \(row.number)")
    }

    mutating func finish(into sink: some RecordSink) throws {
        sink.describe(layout, header)
        guard let header else {
            throw hintingAtHiddenRows(
                search.failure ?? ImportError("expected a header that names the columns, found nothing"))
        }
        if !proofs.hasRecords, !header.isGuarded { throw ImportError("expected people below the header, found none") }
        try proofs.finish()
    }

    /// A line for each column with links that are left out, and one for values without a heading.
    var lostLines: [String] {
        guard let header else { return [] }
        let values = counted(lostValues.count, "value")
        let beyond = lostValues.count == 0 ? [] : ["\(values) without a heading left out, first in \(lostValues.first)"]
        return beyond
            + zip(header.titles, lostLinks).filter { $1 > 0 }.map { title, count in
                "\(counted(count, "link")) left out in \(title)"
            }
    }

    // MARK: - The header

    /// The row that is looked for may be one that is not shown.
    private func hintingAtHiddenRows(_ error: ImportError) -> ImportError {
        if hiddenRows == 0 { return error }
        let rows = "\(hiddenRows.grouped) hidden \(hiddenRows == 1 ? "row was" : "rows were")"
        return ImportError(
            "\(error.message); \(rows) left out (--hidden-rows reads \(hiddenRows == 1 ? "it" : "them"))")
    }

    private mutating func readAboveHeader(_ row: SheetRow, into sink: some RecordSink) throws {
        columns = Array(0..<sheet.width)
        takesTargets = []
        // A sheet may have a note far to the right: only columns with a heading count then.
        if sheet.width > RecordLimits.columns { columns = row.cells.map(\.column) }
        guard columns.count <= RecordLimits.columns else {
            throw ImportError("expected a header of at most 1,024 columns, found more in row \(row.number)")
        }
        fill(row, under: nil)
        do { guard try search.isHeader(cells, at: row.number) else { return } } catch let error as ImportError {
            throw hintingAtHiddenRows(error)
        }
        if CSVHeader.isExport(cells) { fill(row, isExact: true) }
        let header = try CSVHeader(cells: cells, names: names)
        self.header = header
        layout.headerLine = row.number
        takesTargets = targets(header)
        lostLinks = [Int](repeating: 0, count: columns.count)
        sink.describe(layout, header)
    }

    /// The headings of columns that are not shown.
    var hiddenHeadings: [String] {
        guard let header else { return [] }
        return zip(columns, header.titles).filter { sheet.isHidden(column: $0.0) }.map(\.1)
    }

    /// Before anything is known of a column, its targets count unless the heading says what its texts are.
    private func targets(_ header: CSVHeader) -> [Bool] {
        if isSurvey {
            return FieldRole.of(headings: header.titles).map { $0.map(Self.linkRoles.contains) ?? true }
        }
        return header.titles.map { title in
            let name = title.lowercased()
            guard let field = names.settings.fields.first(where: { $0.source.onlyColumn?.lowercased() == name }) else {
                return false
            }
            return field.type == .link || field.role.map(Self.linkRoles.contains) == true
        }
    }

    private static let linkRoles: Set<FieldRole> = [.website, .photo, .email, .phone]

    // MARK: - Cells

    private mutating func fill(_ row: SheetRow, under header: CSVHeader?) {
        fill(row, isExact: header?.isGuarded == true)
        guard let header else { return }
        for cell in row.cells where !cell.link.isEmpty {
            guard let index = index(of: cell.column) else { continue }
            let target = Self.withoutScheme(row.bytes.bytes[cell.link])
            if takesTargets[index] {
                cells[index] = target
            } else if !isSurvey, !target.equals(cells[index]), !header.columns[index].meaning.isLeftOut {
                lostLinks[index] += 1
            }
        }
    }

    /// Sets ``cells`` to the texts of a row, without surrounding white space unless each byte is somebody's data.
    private mutating func fill(_ row: SheetRow, isExact: Bool) {
        cells.removeAll(keepingCapacity: true)
        for _ in columns { cells.append(UnsafeRawBufferPointer(start: nil, count: 0)) }
        for cell in row.cells {
            guard let index = index(of: cell.column) else {
                if header != nil {
                    lostValues.add(CellReference(column: cell.column, row: row.number).text)
                }
                continue
            }
            var text = row.bytes.bytes[cell.text]
            if !isExact { text = text.withoutBlanks }
            cells[index] = text
        }
    }

    private func index(of column: Int) -> Int? {
        if sheet.width <= RecordLimits.columns { return column < columns.count ? column : nil }
        return columns.firstIndex(of: column)
    }

    /// Returns the target of a link without `mailto:` or `tel:`, and without the subject of a message.
    private static func withoutScheme(_ target: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        for scheme in ["mailto:", "tel:"] {
            let beginning = String(decoding: target.prefix(scheme.utf8.count), as: UTF8.self).lowercased()
            guard beginning == scheme else { continue }
            return UnsafeRawBufferPointer(
                rebasing: target.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "?") })
        }
        return target
    }
}
