import Base

/// Users from a file or standard input, in any ``ImportFormat``.
public struct FileSource: ImportSource {
    /// The publisher's statements about the file. `nil` members are detected.
    public struct Options: Sendable {
        public var format: ImportFormat?
        public var encoding: TextEncoding?
        /// The number of the line, or of the row of a sheet, in which the header of a table begins.
        public var headerLine: Int?
        /// The folder with the photos; by default the one of the file.
        public var photos: String?
        /// The name of the sheet of a workbook.
        public var sheet: String?
        /// Whether hidden rows of a sheet are read like others.
        public var readsHiddenRows: Bool
        /// Whether rows that seem to be no people, such as totals, are read like others.
        public var readsAllRows: Bool
        /// Whether the report says what each column was taken for.
        public var isExplained: Bool

        public init(
            format: ImportFormat? = nil, encoding: TextEncoding? = nil, headerLine: Int? = nil, photos: String? = nil,
            sheet: String? = nil, readsHiddenRows: Bool = false, readsAllRows: Bool = false, isExplained: Bool = false
        ) {
            self.format = format
            self.encoding = encoding
            self.headerLine = headerLine
            self.photos = photos
            self.sheet = sheet
            self.readsHiddenRows = readsHiddenRows
            self.readsAllRows = readsAllRows
            self.isExplained = isExplained
        }
    }

    private let path: String
    private let remote: RemoteFile?
    private let kept: KeptInput
    /// The photos in the file; `nil` if the publisher names a folder.
    let spooledPhotos: SpooledPhotos?
    let options: Options
    let request: ImportRequest
    /// Tells the time. A test has its own clock.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// Creates a source. `path` may be `-` for standard input; it does not count for a file on a web server. `kept` is
    /// that of earlier attempts to import the same.
    public init(
        path: String, remote: RemoteFile? = nil, options: Options = Options(), request: ImportRequest = ImportRequest(),
        kept: KeptInput = KeptInput()
    ) {
        self.path = remote?.name ?? path
        (self.remote, self.options, self.request, self.kept) = (remote, options, request, kept)
        spooledPhotos = options.photos == nil ? SpooledPhotos() : nil
    }

    public static var isRepeatable: Bool { true }

    public func completed() { remote?.remember() }

    public func read(into sink: ImportSink) throws {
        guard let input = try open(sink) else {
            sink.service.isUnchanged = true
            return sink.note("\(path): the file has not changed")
        }
        if try readWorkbook(input, into: sink) { return }
        var beginning = try FileBeginning(
            input, path: input.name, isRemote: remote != nil, encoding: options.encoding)
        let layout = FileLayout(
            input.name.fileName, encoding: beginning.encoding, format: format(of: beginning.bytes))
        // An error in the header says enough of a file in UTF-8.
        let encoding = "\(layout.name) is read as \(layout.encoding.name)"
        if layout.encoding != .utf8 { sink.note(encoding) }
        var entries = EntryIndex()
        if layout.format == .ldif {
            let text: InputFile
            (entries, text) = try collectEntries(from: beginning, input)
            beginning = try FileBeginning(ofText: text.open { _, _ in try input.tick() })
        }
        let records = try records(at: beginning, as: layout.format, entries)
        var reader = try decodingReader(of: beginning, records, layout, sink)
        if layout.encoding == .utf8, sink.schema != nil { sink.note(encoding) }
        func take(_ text: UnsafeRawBufferPointer) throws {
            try input.tick()
            try reader.read(text, into: sink)
        }
        try beginning.forEachPiece(take)
        // The first people of a stream have waited long enough.
        if input.size == nil { try sink.passOn() }
        try beginning.forEachChunk(take)
        try reader.finish(into: sink)
        try input.tick()
    }

    /// Says how the records are read. A stream may send its titles long before its header.
    private func records(
        at beginning: FileBeginning, as format: ImportFormat, _ entries: EntryIndex
    ) throws -> MakeReader {
        while true {
            do { return try records(in: beginning.bytes, as: format, request.namesBeforeReading, among: entries) } catch
            {
                guard try beginning.lacksLines && beginning.readMore() else { throw error }
            }
        }
    }

    /// Reads ahead, completes the settings, and returns the reader that decodes by them.
    private func decodingReader(
        of beginning: FileBeginning, _ makeReader: MakeReader, _ layout: FileLayout, _ sink: ImportSink
    ) throws -> any RecordReader {
        let survey = try survey(layout, sink) { try beginning.fill($0, with: makeReader(layout, "und")) }
        if layout.format == .ldif { survey.mark(\.isOther) { !LDIFEntry.isKnown($0) } }
        if [.ldif, .vcard].contains(layout.format) { try spooledPhotos?.makeFolder() }
        _ = try begin(sink, survey, of: layout.name)
        return makeReader(layout, sink.language)
    }

    /// Surveys the columns of what `fill` reads ahead of a file.
    func survey(
        _ layout: FileLayout, _ sink: ImportSink, _ fill: (RecordSurvey) throws -> Void
    ) throws -> RecordSurvey {
        let survey = RecordSurvey(for: request)
        do { try fill(survey) } catch is RecordSurvey.End {
        } catch is RollcallError {
            // The error is reported when the records before it have been decoded.
        }
        survey.removeEmptyColumns()
        sink.describe(survey.layout ?? layout, nil)
        return survey
    }

    /// Completes the settings from what was read ahead, and returns the names by which records are decoded.
    func begin(_ sink: ImportSink, _ survey: RecordSurvey, of name: String) throws -> ColumnNames {
        if survey.survey.columns.isEmpty, survey.survey.handles.isEmpty {
            // Without a header or a record, the reader says why. The first card may be too long, and the others must be
            // read by some name.
            var names = ColumnNames()
            names.map(.name, to: "FN")
            sink.decoder = RecordDecoder(names: names)
            return names
        }
        if options.encoding == nil, survey.isMojibake {
            // Readers see names; whether they will see other columns is not known yet.
            let what =
                survey.damagedName.map { "\"\($0.prefix(40))\" is probably \"\($1.prefix(40))\"" } ?? "it is probably"
            throw RollcallError(
                """
                \(name): \(what) in UTF-8, read as Windows-1252: open the original with Data, From Text/CSV, UTF-8, or \
                as .xlsx; --encoding UTF-8 takes it as it is
                """)
        }
        var request = request
        (request.source, request.separator) = (name, survey.layout?.separator == ";" ? ";" : nil)
        var schema = try request.schema(for: survey)
        schema.isExplained = options.isExplained
        sink.begin(schema)
        if !survey.renamed.isEmpty { sink.note(Self.note(of: survey.renamed)) }
        let names = ColumnNames(schema)
        sink.decoder = RecordDecoder(names: names, photos: try openPhotos())
        sink.decoder.decodesLeavers = schema.directoryHadPeople
        let headings = survey.survey.headings
        if schema.source == .table, !headings.contains(where: { names.meaning(of: $0).isName }) {
            throw CSVHeader.lacksName(headings)
        }
        return names
    }

    /// Names the columns that have no heading of their own.
    private static func note(of columns: [(number: Int, heading: String, name: String)]) -> String {
        let names = columns.map { column in
            column.heading.isEmpty
                ? "column \(column.number) has no heading: called \(column.name)"
                : "column \(column.number) repeats \(column.heading): called \(column.name)"
        }
        return names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
    }

    /// Returns the folder that `--photos` names, or that of the file.
    public func openPhotos() throws -> PhotoFolder? {
        let chosen = try options.photos.map { try PhotoFolder(path: $0) }
        if let photos = try chosen ?? spooledPhotos?.opened() { return photos }
        if remote != nil || path == "-" { return nil }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        return try? PhotoFolder(path: String(folder), matchesNames: false)
    }

    /// Returns `nil` if the file has not changed since the last import.
    private func open(_ sink: ImportSink) throws -> ByteSource? {
        let file = try kept.file { keepsStreams in
            if let remote { return try remote.fetch { try sink.tick() } }
            return try InputFile(path: path, keepsStreams: keepsStreams)
        }
        return try file?.open(now: now) { try sink.tick(bytesRead: $0, of: $1) }
    }
}
