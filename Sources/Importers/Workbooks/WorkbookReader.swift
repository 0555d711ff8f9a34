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
    /// What the sheet is, by its first rows.
    private let reading: TableReading
    /// Tells people from other rows; `nil` in exports, where all rows are people, and if the publisher wants all.
    private var sorter: RowSorter?
    private let readsAllRows: Bool
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
    private var lastRow = 0

    init(
        _ sheet: SheetOutline, _ evidence: SheetEvidence, _ reading: TableReading, _ format: ImportFormat,
        _ names: ColumnNames, readsHiddenRows: Bool, readsAllRows: Bool, isSurvey: Bool
    ) {
        (self.sheet, self.names, self.isSurvey) = (sheet, names, isSurvey)
        (self.reading, self.readsHiddenRows, self.readsAllRows) = (reading, readsHiddenRows, readsAllRows)
        columns = evidence.columns
        layout = FileLayout(format: format)
        lostLinks = []
    }

    mutating func read(_ row: SheetRow, into sink: some RecordSink) throws {
        let isLeftOut = row.isHidden && !readsHiddenRows
        if isLeftOut, !(reading.header?.contains(row.number) ?? false) {
            hiddenRows += 1
            if isSurvey || header == nil { return }
        }
        if header == nil, try isAboveHeader(row, into: sink) { return }
        guard let header else { return }
        fill(row, under: header)
        if cells.allSatisfy(\.isEmpty) { return }
        if header.isGuarded, let count = cells.proof { return proofs.take(proof: count) }
        guard row.bytes.count <= RecordLimits.recordBytes else {
            if !isLeftOut { proofs.countRecord() }
            return try sink.reject(Rejection(place: "row \(row.number)", reason: "expected at most 1 MiB, found more"))
        }
        if isLeftOut || sorter == nil {
            if !isLeftOut { proofs.countRecord() }
            return try sink.take(.row(cells, header, isLeftOut: isLeftOut), at: "row \(row.number)")
        }
        if row.number > lastRow + 1 { sorter?.noteBlank() }
        lastRow = row.number
        let isMerged = row.span * 2 > reading.rules.typical
        var people = 0
        try sorter?.take(cells, number: row.number, span: isMerged ? row.span : 1) {
            try Self.take($0, $1, at: $2, under: header, into: sink, counting: &people)
        }
        if people > 0 { proofs.countRecord() }
    }

    /// Passes on a person, or reports a row that is none.
    private static func take(
        _ kind: RowKind?, _ cells: [UnsafeRawBufferPointer], at row: Int, under header: CSVHeader,
        into sink: some RecordSink, counting people: inout Int
    ) throws {
        if let kind { return try sink.leaveOut(.row(kind), at: "row \(row)") }
        people += 1
        try sink.take(.row(cells, header), at: "row \(row)")
    }

    mutating func finish(into sink: some RecordSink) throws {
        if let header {
            var people = 0
            try sorter?.finish { try Self.take($0, $1, at: $2, under: header, into: sink, counting: &people) }
            if people > 0 { proofs.countRecord() }
        }
        sink.describe(layout, header)
        guard let header, proofs.hasRecords || header.isGuarded else {
            throw ImportError("expected people below the header, found none")
        }
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

    /// Takes a row as the header, or as a title above it. Returns whether it is no row of people: in a sheet without a
    /// header, the first row is one.
    private mutating func isAboveHeader(_ row: SheetRow, into sink: some RecordSink) throws -> Bool {
        if let rows = reading.header, row.number < rows.upperBound {
            if row.number < rows.lowerBound { try sink.leaveOut(.row(.title), at: "row \(row.number)") }
            return true
        }
        fill(row, isExact: false)
        let isExport = CSVHeader.isExport(cells.map { String(decoding: $0, as: UTF8.self) })
        if isExport { fill(row, isExact: true) }
        let headings = isExport ? CSVHeader.exportedTitles(cells) : CSVHeader.titles(reading.headings)
        let header = try CSVHeader(headings, hasSections: reading.hasSections && !readsAllRows, names: names)
        self.header = header
        if !header.isGuarded, !readsAllRows {
            sorter = RowSorter(reading.rules, sectionsBehind: header.hasSections ? header.width : nil)
        }
        (layout.headerLine, layout.reading) = (reading.header?.lowerBound, reading)
        lastRow = reading.header == nil ? row.number - 1 : row.number
        takesTargets = targets(header)
        lostLinks = [Int](repeating: 0, count: header.columns.count)
        sink.describe(layout, header)
        return reading.header != nil
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
