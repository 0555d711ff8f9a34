import Base

/// How the records of a file are read, decided once, by its first bytes.
enum FileRecords {
    case ndjson, json, vcard
    /// Entries of an LDAP server, all of which are known.
    case ldif(EntryIndex)
    case table(TableReading, CSVDialect)
}

extension FileSource {
    /// Says how the records of a file are read that begins with `start`. Throws if it is a table without a header that
    /// `names` can read.
    func records(
        in start: UnsafeRawBufferPointer, _ names: ColumnNames, among entries: EntryIndex = EntryIndex()
    ) throws(RollcallError) -> FileRecords {
        switch format(of: start) {
        case .ndjson: return .ndjson
        case .json: return .json
        case .vcard: return .vcard
        case .ldif: return .ldif(entries)
        // A workbook is read by its rows, not by its bytes.
        case .csv, .tsv, .xlsx, .ods:
            let dialect = dialect(of: start, names)
            return .table(try reading(of: start, dialect, names), dialect)
        }
    }

    /// Returns the reader of a file in `layout`.
    ///
    /// - Parameter language: That of the directory, for values in several languages.
    func reader(
        of records: FileRecords, _ layout: FileLayout, language: String = "und"
    ) -> any RecordReader {
        let photos = options.photos == nil ? spooledPhotos : nil
        switch records {
        case .ndjson: return NDJSONReader()
        case .json: return JSONReader()
        case .vcard: return VCardReader(photos: photos, language: language)
        case .ldif(let entries): return LDIFReader(entries, photos: photos, language: language, layout: layout)
        case .table(let reading, let dialect):
            let table = TableRecords(reading, layout: layout, noun: "line", readsAllRows: options.readsAllRows)
            return CSVReader(dialect, table)
        }
    }

    func format(of start: UnsafeRawBufferPointer) -> ImportFormat { options.format ?? ImportFormat.found(in: start) }

    private func dialect(of start: UnsafeRawBufferPointer, _ names: ColumnNames) -> CSVDialect {
        CSVDialect(of: start, separator: format(of: start) == .tsv ? UInt8(ascii: "\t") : nil) { titles in
            // `Our staff, 2026` is a title above a table that may have another separator.
            CSVHeader.hasName(titles, names, byPersonsAlone: false)
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
