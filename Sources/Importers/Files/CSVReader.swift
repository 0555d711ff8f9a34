import Bytes
import Directories
import Exports

/// Reads CSV (RFC 4180) with commas, semicolons or tabs. Titles may precede the header.
struct CSVReader: RecordReader {
    private let dialect: CSVDialect
    /// The line of the header, if the publisher names it.
    private let headerLine: Int?
    private var layout: FileLayout
    private var decoder: RecordDecoder
    private var header: CSVHeader?
    private var rowsAboveHeader = 0
    /// The reason why the row with the most cells is not the header, and the number of its cells.
    private var noHeader: (error: ImportError, cells: Int)?
    private var proofs = ProofCheck()
    private var state = State.cellStart
    /// The text of the row so far, and its cells.
    private let text = ByteBuffer(capacity: 4096)
    private var ends: [Int] = []
    /// Whether the row has more bytes or cells than a record may have. The reader then only looks for its end.
    private var isTooLong = false
    /// The number of bytes since the opening quote.
    private var quotedBytes = 0
    /// Whether anything but white space follows a closing quote.
    private var hasTextAfterQuote = false
    /// The numbers of the current line and of the first line of the row.
    private var line = 1
    private var rowLine = 1

    private enum State {
        /// Before a cell; in an unquoted cell; in a quoted cell; after a quote in a quoted cell, which ends the cell or
        /// is doubled; after white space behind a closing quote.
        case cellStart, plain, quoted, quoteInQuoted, afterQuoted
    }

    init(
        decoder: RecordDecoder, dialect: CSVDialect, headerLine: Int? = nil,
        layout: FileLayout = FileLayout(format: .csv)
    ) {
        self.decoder = decoder
        self.dialect = dialect
        self.headerLine = headerLine
        self.layout = layout
        self.layout.separator = Character(Unicode.Scalar(dialect.separator))
    }
}

extension CSVReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        var index = 0
        while index < chunk.count {
            if isTooLong {
                if skipToLineEnd(chunk, &index) { try endRow(into: sink) }
                continue
            }
            let byte = chunk[index]
            switch state {
            case .quoted: takeQuoted(chunk, &index)
            case .cellStart where byte == UInt8(ascii: "\""), .quoteInQuoted where byte == UInt8(ascii: "\""):
                // RFC 4180 §2.7: two quotes in quotes are one.
                if state == .quoteInQuoted { append(byte) } else { quotedBytes = 0 }
                state = .quoted
                index += 1
            case _ where byte == dialect.separator:
                endCell()
                index += 1
            case _ where byte == dialect.lineEnd:
                index += 1
                try endRow(into: sink)
            default: takePlain(chunk, &index)
            }
        }
    }

    mutating func finish(into sink: some RecordSink) throws {
        if state == .quoted {
            text.removeAll()
            ends.removeAll()
            return try sink.reject(
                Rejection(place: place, reason: "expected a closing quote, found the end of the file"))
        }
        try endRow(isLast: true, into: sink)
        sink.describe(layout)
        guard let header else {
            throw noHeader?.error ?? ImportError("expected a header that names the columns, found nothing")
        }
        // The export of an empty directory is its header.
        if !proofs.hasRecords, !header.isGuarded { throw ImportError("expected people below the header, found none") }
        try proofs.finish()
    }

    /// Reads bytes of a quoted cell.
    private mutating func takeQuoted(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        let start = index
        let end = min(chunk.count, start + RecordLimits.recordBytes - quotedBytes)
        while index < end, chunk[index] != UInt8(ascii: "\"") {
            if chunk[index] == dialect.lineEnd { line += 1 }
            index += 1
        }
        quotedBytes += index - start
        append(UnsafeRawBufferPointer(rebasing: chunk[start..<index]))
        // The rest is skipped, because only skipping detects a missing closing quote.
        if quotedBytes >= RecordLimits.recordBytes { isTooLong = true }
        if index < end {
            state = .quoteInQuoted
            index += 1
        }
    }

    /// Skips the rest of a row that is too long, and returns whether its line end was found and skipped.
    ///
    /// A line break inside quotes belongs to the row. If the quotes have been open for longer than the limit, the
    /// closing quote is missing, and the row ends with the line, so that the rest of the file can be read.
    private mutating func skipToLineEnd(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
        let (separator, lineEnd) = (dialect.separator, dialect.lineEnd)
        // In local variables, which stay in registers: a row may have any number of bytes.
        var (state, quotedBytes, place) = (state, quotedBytes, index)
        defer { (self.state, self.quotedBytes, index) = (state, quotedBytes, place) }
        while place < chunk.count {
            let byte = chunk[place]
            place += 1
            switch state {
            case .quoted:
                if byte == UInt8(ascii: "\"") {
                    state = .quoteInQuoted
                    continue
                }
                quotedBytes += 1
                if byte == lineEnd {
                    if quotedBytes > RecordLimits.recordBytes { return true }
                    line += 1
                }
            case .quoteInQuoted where byte == UInt8(ascii: "\""): state = .quoted
            case .cellStart where byte == UInt8(ascii: "\""): (state, quotedBytes) = (.quoted, 0)
            case _ where byte == separator: state = .cellStart
            case _ where byte == lineEnd: return true
            default: state = .plain
            }
        }
        return false
    }

    /// Reads bytes outside of quotes. Only white space, such as a carriage return, may follow a closing quote. Text
    /// there means that a quote is missing or superfluous, and that the cells cannot be told apart.
    private mutating func takePlain(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        let start = index
        while index < chunk.count, chunk[index] != dialect.separator, chunk[index] != dialect.lineEnd { index += 1 }
        append(UnsafeRawBufferPointer(rebasing: chunk[start..<index]))
        let isAfterQuote = state == .quoteInQuoted || state == .afterQuoted
        let isBlank = chunk[start..<index].allSatisfy(\.isBlank)
        state = isAfterQuote && isBlank ? .afterQuoted : .plain
        if isAfterQuote, !isBlank { hasTextAfterQuote = true }
    }

    private mutating func append(_ byte: UInt8) {
        if !isTooLong { text.append(byte) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        isTooLong = isTooLong || text.count + bytes.count > RecordLimits.recordBytes
        if !isTooLong { text.append(bytes) }
    }

    private mutating func endCell() {
        state = .cellStart
        // 1,024 columns: a row with more cells has probably lost a line break.
        if ends.count < 1024 { ends.append(text.count) } else { isTooLong = true }
    }
}

// MARK: - Rows

extension CSVReader {
    /// Decodes the row that has been read. The last row may have no line end.
    private mutating func endRow(isLast: Bool = false, into sink: some RecordSink) throws {
        endCell()
        defer {
            text.removeAll()
            ends.removeAll(keepingCapacity: true)
            isTooLong = false
            quotedBytes = 0
            hasTextAfterQuote = false
            line += 1
            rowLine = line
        }
        if isTooLong {
            proofs.countRecord()
            return try sink.reject(
                Rejection(place: place, reason: "expected at most 1 MiB and 1,024 columns, found more"))
        }
        if hasTextAfterQuote {
            proofs.countRecord()
            return try sink.reject(
                Rejection(
                    place: place,
                    reason: "expected a separator or the end of the line after a closing quote, found text"))
        }
        if rowLine == 1, dialect.hasSeparatorLine { return }
        let cells = cells
        if cells.allSatisfy(\.isEmpty) {
            // A line without any separator is not a row.
            if cells.count > 1 { layout.emptyRows += 1 }
            return
        }
        guard let header else { return try take(cellsAboveHeader: cells, into: sink) }
        if header.isGuarded, let count = cells.proof { return proofs.take(proof: count) }
        proofs.countRecord()
        if isLast, let reason = header.cut(after: cells.count) {
            return try sink.reject(Rejection(place: place, reason: reason))
        }
        try decode(cells, under: header, into: sink)
    }

    /// Takes a row as the header, or skips it as a title.
    private mutating func take(
        cellsAboveHeader cells: [UnsafeRawBufferPointer], into sink: some RecordSink
    ) throws {
        if let headerLine {
            if rowLine < headerLine { return }
            if rowLine > headerLine { throw ImportError("expected the header in line \(headerLine), found no text") }
        }
        rowsAboveHeader += 1
        guard headerLine != nil || CSVHeader.isHeader(cells, decoder.names) else {
            let filled = cells.count { !$0.isEmpty }
            if filled > noHeader?.cells ?? 0 {
                do { _ = try CSVHeader(cells: cells, names: decoder.names) } catch { noHeader = (error, filled) }
            }
            if rowsAboveHeader == CSVHeader.maxLines, let noHeader { throw noHeader.error }
            return
        }
        let header = try CSVHeader(cells: cells, names: decoder.names)
        decoder.begin(header)
        self.header = header
        layout.headerLine = rowLine
        sink.describe(layout)
    }

    /// The line numbers of the row.
    private var place: String { line > rowLine ? "lines \(rowLine) to \(line)" : "line \(rowLine)" }

    /// The cells of the row, without surrounding white space.
    private var cells: [UnsafeRawBufferPointer] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            var cell = text.bytes[start..<end].drop(while: \.isBlank)
            while let last = cell.last, last.isBlank { cell.removeLast() }
            return UnsafeRawBufferPointer(rebasing: cell)
        }
    }

    private mutating func decode(
        _ cells: [UnsafeRawBufferPointer], under header: CSVHeader, into sink: some RecordSink
    ) throws {
        let rowLine = rowLine
        let encoding = layout.encoding.name
        try sink.take(at: "line \(rowLine)") { batch throws(RecordError) in
            guard cells.count <= header.columns.count || cells[header.columns.count...].allSatisfy(\.isEmpty) else {
                throw RecordError("expected \(header.columns.count) columns, found \(cells.count)")
            }
            guard text.bytes.isUTF8 else { throw RecordError("expected \(encoding), found other bytes") }
            return try decoder.append(header: header, cells: cells, to: batch)
        }
    }
}

extension [UnsafeRawBufferPointer] {
    /// The number of records in an ``ExportProof``, if the row is one.
    fileprivate var proof: Int? {
        let filled = filter { !$0.isEmpty }
        return filled.count == 1 ? ExportProof.count(in: filled[0]) : nil
    }
}
