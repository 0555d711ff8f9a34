import Base

/// Makes a reader of a file's records in a layout. The language is that of the directory, for values in several ones.
typealias MakeReader = (FileLayout, _ language: String) -> any RecordReader

extension FileSource {
    func format(of start: UnsafeRawBufferPointer) -> ImportFormat { options.format ?? ImportFormat.found(in: start) }

    /// Says how the records of a file are read that begins with `start`. Throws if it is a table without a header that
    /// `names` can read.
    ///
    /// - Parameter entries: All entries of LDIF.
    func records(
        in start: UnsafeRawBufferPointer, as format: ImportFormat, _ names: ColumnNames,
        among entries: EntryIndex = EntryIndex()
    ) throws(RollcallError) -> MakeReader {
        switch format {
        case .ndjson: return { _, _ in NDJSONReader() }
        case .json: return { _, _ in JSONReader() }
        case .vcard: return { [spooledPhotos] in VCardReader(photos: spooledPhotos, language: $1) }
        case .ldif: return { [spooledPhotos] in LDIFReader(entries, photos: spooledPhotos, language: $1, layout: $0) }
        // A workbook is read by its rows, not by its bytes.
        case .csv, .tsv, .xlsx, .ods:
            let dialect = CSVDialect(of: start, separator: format == .tsv ? UInt8(ascii: "\t") : nil) { titles in
                // `Our staff, 2026` is a title above a table that may have another separator.
                CSVHeader.hasName(titles, names, byPersonsAlone: false)
            }
            let reading = try reading(of: start, dialect, names)
            return { [readsAllRows = options.readsAllRows] layout, _ in
                CSVReader(dialect, TableRecords(reading, layout: layout, readsAllRows: readsAllRows))
            }
        }
    }

    /// Judges what a table is that begins with `start`.
    private func reading(
        of start: UnsafeRawBufferPointer, _ dialect: CSVDialect, _ names: ColumnNames
    ) throws(RollcallError) -> TableReading {
        let (rows, damage) = CSVReader.rows(of: start, dialect, upTo: options.headerLine)
        let hints = TableReading.Hints(names: names, line: options.headerLine)
        do throws(RollcallError) { return try TableReading(rows, hints) } catch { throw damage ?? error }
    }
}
