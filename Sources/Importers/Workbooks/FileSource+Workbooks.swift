import Base
import People

extension FileSource {
    /// Opens `source` as a workbook; `nil` if it is another kind of file. A stream is copied first, because it can be
    /// read only once.
    func workbook(in source: ByteSource, _ sink: ImportSink) throws -> (any Workbook)? {
        guard [nil, .xlsx, .ods].contains(options.format) else { return nil }
        let tick = { try sink.tick(bytesRead: source.bytesRead, of: source.size) }
        let start = try source.beginning(whileWaiting: tick)
        guard start.starts(with: WorkbookFile.mark) else {
            guard let format = options.format else { return nil }
            throw ImportError("cannot import \(source.name): expected \(format.rawValue), found another format")
        }
        let file = source.size == nil ? try Self.copy(of: source, tick) : source.file
        return try Self.naming(file.name) { try WorkbookFile.open(file.descriptor) { try sink.tick() } }
    }

    private static func copy(of stream: ByteSource, _ tick: () throws -> Void) throws -> InputFile {
        try InputFile(called: stream.name) { write in
            while let bytes = try stream.next(whileWaiting: tick) {
                if stream.bytesRead > WorkbookLimits.fileBytes {
                    throw ImportError(
                        "cannot import \(stream.name): it is larger than \(WorkbookLimits.fileBytes >> 20) MiB")
                }
                try write(bytes)
            }
        }
    }

    /// Reads the sheet of `book` that has the people.
    func read(_ book: any Workbook, called path: String, into sink: ImportSink) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        sink.describe(fileName: name)
        try Self.naming(name) {
            let index = try sheet(of: book)
            let sheet = book.sheets[index]
            sink.note(Self.note(of: book, reading: index))
            let survey = RecordSurvey(names: settings.namesBeforeReading)
            let surveySink = SurveySink(survey)
            var reader = reader(of: sheet, book.format, settings.namesBeforeReading, isSurvey: true)
            do {
                _ = try book.forEachRow(ofSheet: index) { row in
                    if row.number % 1024 == 0 { try sink.tick() }
                    try reader.read(row, into: surveySink)
                }
                try reader.finish(into: surveySink)
            } catch is SurveySink.End {
            } catch is ImportError {
                // The error is reported when the records before it have been decoded.
            }
            survey.removeEmptyColumns()
            survey.hide(reader.hiddenHeadings)
            sink.describe(surveySink.layout ?? FileLayout(format: book.format), nil)
            let names =
                survey.survey.columns.isEmpty ? ColumnNames() : try begin(sink, survey)
            try readRecords(of: book, index, names, into: sink)
        }
    }

    private func readRecords(
        of book: any Workbook, _ index: Int, _ names: ColumnNames, into sink: ImportSink
    ) throws {
        var reader = reader(of: book.sheets[index], book.format, names, isSurvey: false)
        let rows = max(1, book.sheets[index].rows)
        var count = 0
        let unread = try book.forEachRow(ofSheet: index) { row in
            count += 1
            if count % 1024 == 0 { try sink.tick(bytesRead: Int64(count), of: Int64(rows)) }
            try reader.read(row, into: sink)
        }
        try reader.finish(into: sink)
        for line in unread.lines + reader.lostLines { sink.note(line) }
        if reader.hiddenRows > 0, !options.readsHiddenRows {
            let rows = counted(reader.hiddenRows, "hidden row")
            sink.note("\(rows) left out (--hidden-rows reads \(reader.hiddenRows == 1 ? "it" : "them"))")
        }
        try sink.tick(bytesRead: Int64(rows), of: Int64(rows))
    }

    private func reader(
        of sheet: SheetOutline, _ format: ImportFormat, _ names: ColumnNames, isSurvey: Bool
    ) -> WorkbookReader {
        WorkbookReader(
            sheet, format, names, headerRow: options.headerLine, readsHiddenRows: options.readsHiddenRows,
            isSurvey: isSurvey)
    }

    // MARK: - Sheets

    /// Returns the number of the sheet to read: the one that the publisher names, or the first visible one that has a
    /// row of headings.
    private func sheet(of book: any Workbook) throws -> Int {
        let sheets = book.sheets
        if let wanted = options.sheet {
            if let index = sheets.firstIndex(where: { $0.name == wanted }) { return index }
            if let index = sheets.firstIndex(where: { $0.name.folded == wanted.folded }) { return index }
            throw ImportError("there is no sheet \"\(wanted)\"; expected one of \(Self.list(sheets.map(\.name)))")
        }
        var failure: ImportError?
        // A sheet without rows is read, too: it may be damaged.
        for index in sheets.indices where !sheets[index].isHidden {
            var reader = reader(of: sheets[index], book.format, settings.namesBeforeReading, isSurvey: true)
            let sink = SurveySink(RecordSurvey(names: settings.namesBeforeReading))
            do {
                _ = try book.forEachRow(ofSheet: index) { row in
                    try reader.read(row, into: sink)
                    if reader.header != nil { throw SurveySink.End() }
                }
                try reader.finish(into: sink)
            } catch is SurveySink.End { return index } catch let error as ImportError {
                if sheets[index].rows > 0 { failure = failure ?? error }
            }
        }
        throw failure ?? ImportError("expected a sheet with a header and people, found only empty or hidden sheets")
    }

    private static func note(of book: any Workbook, reading index: Int) -> String {
        let others = book.sheets.enumerated().filter { $0.offset != index }.map { _, sheet in
            if sheet.isHidden { return "\(sheet.name) (hidden)" }
            return "\(sheet.name) (\(counted(sheet.rows, "row")))"
        }
        let listed = others.prefix(20).joined(separator: ", ") + (others.count > 20 ? ", …" : "")
        return "sheet \"\(book.sheets[index].name)\"" + (others.isEmpty ? "" : "; not read: \(listed)")
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(50).joined(separator: ", ") + (names.count > 50 ? ", …" : "")
    }

    /// Turns what is wrong with a workbook into an error that names the file.
    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        do { return try body() } catch let error as WorkbookError { throw error.error(name) } catch let error
            as MissingColumnsRefusal
        {
            throw error.error(name)
        }
    }
}
