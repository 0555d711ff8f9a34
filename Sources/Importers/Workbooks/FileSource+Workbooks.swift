import Base
import People

extension FileSource {
    /// Opens `source` as a workbook; `nil` if it is another kind of file. A stream is copied first, because it can be
    /// read only once.
    func workbook(in source: ByteSource, _ sink: ImportSink) throws -> (any Workbook)? {
        guard [nil, .xlsx, .ods].contains(options.format) else { return nil }
        let start = try source.beginning()
        guard start.starts(with: WorkbookFile.mark) else {
            guard let format = options.format else { return nil }
            throw RollcallError("cannot import \(source.name): expected \(format.rawValue), found another format")
        }
        let file = source.size == nil ? try Self.copy(of: source) : source.file
        return try Self.naming(file.name) { try WorkbookFile.open(file.descriptor) { try sink.tick() } }
    }

    private static func copy(of stream: ByteSource) throws -> InputFile {
        let copy = try OpenFile.temporary()
        while let bytes = try stream.next() {
            if stream.bytesRead > WorkbookLimits.fileBytes {
                throw RollcallError(
                    "cannot import \(stream.name): it is larger than \(WorkbookLimits.fileBytes >> 20) MiB")
            }
            try copy.write(bytes)
        }
        return InputFile(copy, name: stream.name)
    }

    /// Reads the sheet of `book` that has the people.
    func read(_ book: any Workbook, called path: String, into sink: ImportSink) throws {
        let name = path.fileName
        try Self.naming(name) {
            let (sheet, doubt) = try sheet(of: book)
            var layout = FileLayout(name, format: book.format)
            (layout.sheet, layout.sheetDoubt) = (sheet.outline.name, doubt)
            if let others = Self.note(of: book, reading: sheet.index) { sink.note(others) }
            let table = TableRecords(
                sheet.reading, layout: layout, noun: "row", readsAllRows: options.readsAllRows)
            var reader = WorkbookReader(sheet.outline, table)
            let survey = try survey(layout, sink) { survey in
                _ = try forEachRow(of: book, sheet.index) { row, isLeftOut in
                    try reader.read(row, isLeftOut: isLeftOut, into: survey)
                }
                try reader.finish(into: survey)
            }
            survey.mark(\.isHiddenInSheet, where: Set(reader.hiddenHeadings).contains)
            let names = try begin(sink, survey, of: name)
            reader = WorkbookReader(sheet.outline, table) { LinkUse.bySettings($0, names) }
            try readRecords(of: book, sheet.index, reader, into: sink)
        }
    }

    private func readRecords(
        of book: any Workbook, _ index: Int, _ reader: WorkbookReader, into sink: ImportSink
    ) throws {
        var reader = reader
        let rows = max(1, book.sheets[index].rows)
        var count = 0
        let unread = try forEachRow(of: book, index) { row, isLeftOut in
            count += 1
            if count % 1024 == 0 { try sink.tick(bytesRead: Int64(count), of: Int64(rows)) }
            try reader.read(row, isLeftOut: isLeftOut, into: sink)
        }
        try reader.finish(into: sink)
        for line in unread.lines + reader.lostLines { sink.note(line) }
        sink.note(reader.hiddenRows, Self.hiddenRow.one, Self.hiddenRow.several)
        try sink.tick(bytesRead: Int64(rows), of: Int64(rows))
    }

    /// Calls `body` with each row of a sheet, and with whether it is left out: the sheet does not show it, and the
    /// publisher neither asks for such rows nor names it as the header.
    private func forEachRow(
        of book: any Workbook, _ index: Int, _ body: (SheetRow, _ isLeftOut: Bool) throws -> Void
    ) throws -> UnreadCells {
        try book.forEachRow(ofSheet: index) { row in
            try body(row, row.isHidden && !options.readsHiddenRows && row.number != options.headerLine)
        }
    }

    // MARK: - Sheets

    /// A sheet that may have the people.
    private struct FoundSheet {
        var outline: SheetOutline
        var index: Int
        var reading: TableReading

        /// How much the sheet is a list of people: first whether it has names and two more columns, and names that look
        /// like those of people, then the number of its people, most of whose rows have not been judged.
        var rank: (Int, people: Int) {
            if reading.people == 0 { return (0, 0) }
            let isTable = reading.headings.count { !$0.isEmpty } >= 3 && reading.explained >= 2
            let people = outline.rows <= TableReading.maxRows ? reading.people : outline.rows
            return ((isTable ? 2 : 1) + (reading.namesArePeople ? 1 : 0), people)
        }
    }

    /// Returns the sheet to read: the one that the publisher names, or the visible one whose header says most of the
    /// most people; and a doubt, if another one has nearly as many.
    private func sheet(of book: any Workbook) throws -> (FoundSheet, doubt: String?) {
        if let wanted = options.sheet { return (try found(try Self.index(of: wanted, in: book.sheets), in: book), nil) }
        var failure: RollcallError?
        var sheets: [FoundSheet] = []
        // A sheet without rows is read, too: it may be damaged.
        for index in book.sheets.indices where !book.sheets[index].isHidden {
            do { sheets.append(try found(index, in: book)) } catch let error as RollcallError {
                if book.sheets[index].rows > 0 { failure = failure ?? error }
            }
        }
        if let best = sheets.max(by: { $0.rank < $1.rank }) {
            let other = sheets.first { other in
                other.index != best.index && other.rank.0 >= best.rank.0 && other.rank.people * 2 > best.rank.people
            }
            return (best, other.map(Self.doubt))
        }
        let hidden = book.sheets.filter { $0.isHidden && $0.rows > 0 }.map { "\"\($0.name)\"" }
        let isHint = !hidden.isEmpty && options.headerLine == nil
        let cure = isHint ? "; hidden: \(Self.list(hidden)) (--sheet reads one)" : ""
        let empty = RollcallError("expected a sheet with a header and people, found only empty or hidden sheets")
        throw RollcallError("\(failure ?? empty)\(cure)")
    }

    private static func index(of wanted: String, in sheets: [SheetOutline]) throws -> Int {
        let index =
            sheets.firstIndex { $0.name == wanted } ?? sheets.firstIndex { $0.name.folded == wanted.folded }
        guard let index else {
            throw RollcallError("there is no sheet \"\(wanted)\"; expected one of \(list(sheets.map(\.name)))")
        }
        return index
    }

    private static func doubt(about sheet: FoundSheet) -> String {
        let (name, people) = (sheet.outline.name, counted(sheet.rank.people, "person", "people"))
        return "sheet \"\(name)\" has \(people), too (\(name.shellValue(of: "--sheet")))"
    }

    private func found(_ index: Int, in book: any Workbook) throws -> FoundSheet {
        var reader = WorkbookReader(book.sheets[index], TableRecords(collectingUpTo: options.headerLine))
        let sink = RecordSurvey()
        do {
            _ = try forEachRow(of: book, index) { row, isLeftOut in
                try reader.read(row, isLeftOut: isLeftOut, into: sink)
            }
        } catch is RecordSurvey.End {}
        let hints = TableReading.Hints(
            names: request.namesBeforeReading, line: options.headerLine, noun: "row",
            mayLackHeader: reader.hiddenRows == 0)
        do {
            let reading = try TableReading(reader.evidence, hints)
            return FoundSheet(outline: book.sheets[index], index: index, reading: reading)
        } catch {
            if reader.hiddenRows == 0 || options.headerLine != nil { throw error }
            // The row that is looked for may be one that is not shown.
            let rows = counted(reader.hiddenRows, Self.hiddenRow.one, Self.hiddenRow.several)
            throw RollcallError("\(error); \(rows)")
        }
    }

    /// The words by which a message counts rows that are left out.
    private static let hiddenRow = (
        one: "hidden row left out (--hidden-rows reads it)", several: "hidden rows left out (--hidden-rows reads them)"
    )

    private static func note(of book: any Workbook, reading index: Int) -> String? {
        let others = book.sheets.enumerated().filter { $0.offset != index }.map { _, sheet in
            if sheet.isHidden { return "\(sheet.name) (hidden)" }
            return "\(sheet.name) (\(counted(sheet.rows, "row")))"
        }
        return others.isEmpty ? nil : "sheets that are not read: \(list(others, atMost: 20))"
    }

    private static func list(_ names: [String], atMost limit: Int = 50) -> String {
        names.prefix(limit).joined(separator: ", ") + (names.count > limit ? ", …" : "")
    }

    /// Turns what is wrong with a workbook into an error that names the file.
    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as WorkbookError { throw error.error(path.fileName) }
    }
}
