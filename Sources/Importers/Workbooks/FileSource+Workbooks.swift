import Base
import People

extension FileSource {
    /// Reads `source` as a workbook. Returns `false` if it is another kind of file. A stream is copied first, because
    /// it can be read only once.
    func readWorkbook(_ source: ByteSource, into sink: ImportSink) throws -> Bool {
        let isMarked = source.beginning.starts(with: WorkbookFile.mark)
        let format = options.format ?? (isMarked ? .xlsx : .csv)
        guard [.xlsx, .ods].contains(format) else { return false }
        try expect(isMarked, "cannot import \(source.name): expected \(format.rawValue), found another format")
        let name = source.name.fileName
        do {
            let file = source.size == nil ? try Self.copy(of: source) : source.file
            try read(WorkbookFile.open(file.descriptor) { try sink.tick() }, called: name, into: sink)
        } catch let error as WorkbookError { throw error.error(name) }
        return true
    }

    private static func copy(of stream: ByteSource) throws -> InputFile {
        let copy = try OpenFile.temporary()
        while let bytes = try stream.next() {
            try WorkbookLimits.require(file: stream.bytesRead)
            try copy.write(bytes)
        }
        return InputFile(copy, name: stream.name)
    }

    /// Reads the sheet of `book` that has the people.
    private func read(_ book: any Workbook, called name: String, into sink: ImportSink) throws {
        let (sheet, doubt) = try sheet(of: book)
        var layout = FileLayout(name, format: book.format)
        (layout.sheet, layout.sheetDoubt) = (sheet.outline.name, doubt)
        noteOthers(of: book, than: sheet.outline, sink)
        let table = TableRecords(sheet.reading, layout: layout, readsAllRows: options.readsAllRows)
        var reader = WorkbookReader(sheet.outline, table, options)
        let survey = try survey(layout, sink) { survey in
            try book.forEachRow(of: sheet.outline) { try reader.read($0, into: survey) }
            try reader.finish(into: survey)
        }
        survey.mark(\.isHiddenInSheet, where: Set(reader.headingsHiddenInSheet).contains)
        let names = try begin(sink, survey, of: name)
        reader = WorkbookReader(sheet.outline, table, options) { LinkUse.bySettings($0, names) }
        try readRecords(of: book, sheet.outline, reader, into: sink)
    }

    private func readRecords(
        of book: any Workbook, _ sheet: SheetOutline, _ reader: WorkbookReader, into sink: ImportSink
    ) throws {
        var reader = reader
        let rows = max(1, sheet.rows)
        var count = 0
        let unread = try book.forEachRow(of: sheet) { row in
            count += 1
            if count % 1024 == 0 { try sink.tick(bytesRead: Int64(count), of: Int64(rows)) }
            try reader.read(row, into: sink)
        }
        try reader.finish(into: sink)
        for line in unread.lines + reader.lines { sink.note(line) }
        try sink.tick(bytesRead: Int64(rows), of: Int64(rows))
    }

    // MARK: - Sheets

    /// A sheet that may have the people.
    private struct FoundSheet {
        var outline: SheetOutline
        var reading: TableReading

        /// How much the sheet is a list of people: first whether it has names and two more columns, and names that look
        /// like those of people, then the number of its people, most of whose rows have not been judged.
        var rank: (Int, people: Int) {
            if reading.people == 0 { return (0, 0) }
            let isTable = reading.headings.count { !$0.isEmpty } >= 3 && reading.explained >= 2
            let people = outline.rows <= TableReading.maxRows ? reading.people : outline.rows
            return ((isTable ? 2 : 1) + (reading.rules.namesArePeople ? 1 : 0), people)
        }
    }

    /// Returns the sheet to read: the one that the publisher names, or the visible one whose header says most of the
    /// most people; and a doubt, if another one has nearly as many.
    private func sheet(of book: any Workbook) throws -> (FoundSheet, doubt: String?) {
        if let wanted = options.sheet { return (try found(Self.sheet(called: wanted, in: book.sheets), in: book), nil) }
        var failure: RollcallError?
        var sheets: [FoundSheet] = []
        // A sheet without rows is read, too: it may be damaged.
        for sheet in book.sheets where !sheet.isHiddenInBook {
            do { sheets.append(try found(sheet, in: book)) } catch let error as RollcallError {
                if sheet.rows > 0 { failure = failure ?? error }
            }
        }
        if let best = sheets.max(by: { $0.rank < $1.rank }) {
            let other = sheets.first { other in
                other.outline.index != best.outline.index && other.rank.0 >= best.rank.0
                    && other.rank.people * 2 > best.rank.people
            }
            return (best, other.map(Self.doubt))
        }
        let hidden = book.sheets.filter { $0.isHiddenInBook && $0.rows > 0 }.map { "\"\($0.name)\"" }
        let isHint = !hidden.isEmpty && options.headerLine == nil
        let cure = isHint ? "; hidden: \(Self.list(hidden)) (--sheet reads one)" : ""
        let empty = RollcallError("expected a sheet with a header and people, found only empty or hidden sheets")
        throw RollcallError("\(failure ?? empty)\(cure)")
    }

    private static func sheet(called wanted: String, in sheets: [SheetOutline]) throws -> SheetOutline {
        try required(
            sheets.first { $0.name == wanted } ?? sheets.first { $0.name.folded == wanted.folded },
            "there is no sheet \"\(wanted)\"; expected one of \(list(sheets.map(\.name)))")
    }

    private static func doubt(about sheet: FoundSheet) -> String {
        let (name, people) = (sheet.outline.name, counted(sheet.rank.people, "person", "people"))
        return "sheet \"\(name)\" has \(people), too (\(name.shellValue(of: "--sheet")))"
    }

    private func found(_ sheet: SheetOutline, in book: any Workbook) throws -> FoundSheet {
        let collected = TableRecords(collectingUpTo: options.headerLine)
        var reader = WorkbookReader(sheet, collected, options)
        let sink = RecordSurvey()
        do { try book.forEachRow(of: sheet) { try reader.read($0, into: sink) } } catch is RecordSurvey.End {}
        let hints = TableReading.Hints(
            names: request.namesBeforeReading, line: options.headerLine, noun: "row",
            mayLackHeader: reader.leftOutLine == nil)
        do {
            return FoundSheet(outline: sheet, reading: try TableReading(reader.evidence, hints))
        } catch {
            // The row that is looked for may be one that is not shown.
            guard let leftOut = reader.leftOutLine, options.headerLine == nil else { throw error }
            throw RollcallError("\(error); \(leftOut)")
        }
    }

    private func noteOthers(of book: any Workbook, than sheet: SheetOutline, _ sink: ImportSink) {
        let others = book.sheets.filter { $0.index != sheet.index }.map { sheet in
            "\(sheet.name) (\(sheet.isHiddenInBook ? "hidden" : counted(sheet.rows, "row")))"
        }
        if !others.isEmpty { sink.note("sheets that are not read: \(Self.list(others, atMost: 20))") }
    }

    private static func list(_ names: [String], atMost limit: Int = 50) -> String {
        names.prefix(limit).joined(separator: ", ") + (names.count > limit ? ", …" : "")
    }
}
