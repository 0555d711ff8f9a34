import Base
import People

/// Turns the rows of a table into records, whatever file they come from: what stands above the header is a title, and
/// the rows below it are people, or a ``RowKind``. In exports, all of them are people.
struct TableRecords {
    /// How the table is read; `nil` while its first rows are collected as evidence for that.
    let reading: TableReading?
    private let readsAllRows: Bool
    private(set) var header: CSVHeader?
    /// Decides which rows are people; `nil` where all rows are people.
    private var sorter: RowSorter?
    private var proofs = ProofCheck()
    var layout: FileLayout
    private(set) var evidence: [TableRow] = []
    /// The number of the row that the publisher names as the header, if that is known before the evidence.
    private var headerRow = 0

    /// Collects the first rows of a table as evidence, up to that of its header.
    init(collectingUpTo headerRow: Int?) {
        self.init(nil, layout: FileLayout(format: .csv), readsAllRows: true)
        self.headerRow = headerRow ?? 0
    }

    init(_ reading: TableReading?, layout: FileLayout, readsAllRows: Bool) {
        (self.reading, self.layout, self.readsAllRows) = (reading, layout, readsAllRows)
    }

    /// Takes a row above people as the header, as a title above it, or as evidence. Returns the header if the row is a
    /// person: in a table without a header, the first row is one. Throws ``RecordSurvey/End`` when there is enough
    /// evidence.
    ///
    /// - Parameters:
    ///   - cells: The texts without surrounding white space.
    ///   - exactCells: The texts as they are, for the header of an export.
    mutating func takeHeader(
        _ cells: [UnsafeRawBufferPointer], _ exactCells: [UnsafeRawBufferPointer], number: Int, isAfterBlank: Bool,
        span: Int = 1, into sink: some RecordSink
    ) throws -> CSVHeader? {
        let texts = cells.map { String(decoding: $0, as: UTF8.self) }
        guard let reading else {
            evidence.append(TableRow(number: number, cells: texts, isAfterBlank: isAfterBlank, span: span))
            if evidence.count >= TableReading.maxRows, number >= headerRow { throw RecordSurvey.End() }
            return nil
        }
        if let rows = reading.header, number < rows.upperBound {
            if number < rows.lowerBound { try sink.leaveOut(.title, at: "\(layout.row) \(number)") }
            return nil
        }
        let isExport = CSVHeader.isExport(texts)
        let headings = isExport ? CSVHeader.exportedTitles(exactCells) : CSVHeader.titles(reading.headings)
        let header = CSVHeader(headings, hasSections: reading.hasSections && !readsAllRows)
        self.header = header
        if !header.isGuarded, !readsAllRows {
            sorter = RowSorter(reading.rules, sectionsBehind: header.hasSections ? header.width : nil)
        }
        layout.reading = reading
        sink.describe(layout, header)
        return reading.header == nil ? header : nil
    }

    /// Notes a row that cannot be read.
    mutating func noteUnread() { proofs.countRecord() }

    /// Rejects a row, which counts.
    mutating func reject(_ rejection: Rejection, into sink: some RecordSink) throws {
        noteUnread()
        try sink.reject(rejection)
    }

    /// Whether a row is the line of proof of an export, which is then checked.
    mutating func takeProof(_ cells: [UnsafeRawBufferPointer]) -> Bool {
        guard header?.isGuarded == true, let count = cells.proof else { return false }
        proofs.take(proof: count)
        return true
    }

    /// Takes a row below the header, whose first cell is merged over `span` columns.
    mutating func take(
        _ cells: [UnsafeRawBufferPointer], number: Int, isAfterBlank: Bool, span: Int = 1, under header: CSVHeader,
        into sink: some RecordSink
    ) throws {
        let noun = layout.row
        guard sorter != nil else { return try Self.pass(nil, cells, "\(noun) \(number)", header, &proofs, sink) }
        // Empty cells behind the columns do not count.
        let own = cells.count > header.width ? Array(cells[..<header.width]) : cells
        try sorter?.take(own, number: number, isAfterBlank: isAfterBlank, span: span) { kind, cells, number in
            try Self.pass(kind, cells, "\(noun) \(number)", header, &proofs, sink)
        }
    }

    /// Passes on a person, or reports a row that is not a person.
    private static func pass(
        _ kind: RowKind?, _ cells: [UnsafeRawBufferPointer], _ place: @autoclosure () -> String, _ header: CSVHeader,
        _ proofs: inout ProofCheck, _ sink: some RecordSink
    ) throws {
        if let kind { return try sink.leaveOut(kind, at: place()) }
        proofs.countRecord()
        try sink.take(header.record(cells), at: place())
    }

    /// Passes on the rows that have waited, and checks that the table is whole.
    mutating func finish(into sink: some RecordSink) throws {
        let header = try required(header, "expected a header that names the columns, found nothing")
        try sorter?.finish { [noun = layout.row] kind, cells, number in
            try Self.pass(kind, cells, "\(noun) \(number)", header, &proofs, sink)
        }
        sink.describe(layout, header)
        // The export of an empty directory is its header.
        try expect(proofs.hasRecords || header.isGuarded, "expected people below the header, found none")
        try proofs.finish()
    }
}
