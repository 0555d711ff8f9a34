import Base
import People

/// Reads CSV (RFC 4180) with commas, semicolons or tabs. Titles may precede the header.
///
/// A row that cannot be read costs as few lines as possible: `CSVReader+Damage.swift` says how. No byte is read more
/// than three times for it, and the rest of such a row, at most two MiB, is all that is kept.
struct CSVReader: RecordReader {
    let dialect: CSVDialect
    var layout: FileLayout
    var header: CSVHeader?
    var search: HeaderSearch
    var proofs = ProofCheck()
    var state = State.cellStart
    /// The text of the row so far, and its cells.
    let text = ByteBuffer(capacity: 4096)
    var ends: [Int] = []
    /// The numbers of the current line and of the first line of the row.
    var line = 1
    var rowLine = 1
    /// The number of bytes before the current chunk.
    private var offset = 0
    /// The number of bytes before the last closing quote.
    private var closingQuote = 0
    /// Why the row cannot be read. The reader then only looks for the end of the line.
    var fault: Fault?
    var recovery = Recovery()

    enum State {
        /// Before a cell; in an unquoted cell; in a quoted cell; after a quote in a quoted cell, which ends the cell or
        /// is doubled; after white space behind a closing quote.
        case cellStart, plain, quoted, quoteInQuoted, afterQuoted
    }

    init(
        names: ColumnNames, dialect: CSVDialect, headerLine: Int? = nil,
        layout: FileLayout = FileLayout(format: .csv)
    ) {
        self.dialect = dialect
        search = HeaderSearch(names: names, line: headerLine)
        self.layout = layout
        self.layout.separator = Character(Unicode.Scalar(dialect.separator))
    }
}

extension CSVReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        try read(chunk, at: offset, into: sink)
        offset += chunk.count
    }

    mutating func finish(into sink: some RecordSink) throws {
        var isEmpty = false
        while true {
            if state == .quoted, fault == nil { fail(.openQuote("the end of the file"), at: offset) }
            if !recovery.isRereading {
                isEmpty = state == .cellStart && text.isEmpty && ends.isEmpty && fault == nil
                try endRow(at: offset, isLast: true, into: sink)
            }
            if !recovery.isRereading { break }
            try readAgain(before: offset, into: sink)
        }
        // The end of the last row has counted a line more.
        try reportDamage(upTo: isEmpty ? line - 2 : line - 1, into: sink)
        sink.describe(layout, header)
        guard let header else {
            throw search.failure ?? ImportError("expected a header that names the columns, found nothing")
        }
        // The export of an empty directory is its header.
        if !proofs.hasRecords, !header.isGuarded { throw ImportError("expected people below the header, found none") }
        try proofs.finish()
    }

    /// Reads a chunk before which the file has `base` bytes.
    mutating func read(_ chunk: UnsafeRawBufferPointer, at base: Int, into sink: some RecordSink) throws {
        var index = 0
        while index < chunk.count {
            if recovery.isRereading {
                index = try readAgain(before: base, into: sink)
                continue
            }
            if fault != nil {
                guard let end = chunk[index...].firstIndex(of: dialect.lineEnd) else { break }
                index = end + 1
                try endRow(at: base + index, into: sink)
                continue
            }
            let byte = chunk[index]
            switch state {
            case .quoted: takeQuoted(chunk, at: base, &index)
            case .cellStart where byte == UInt8(ascii: "\""):
                recovery.beginQuote(at: base + index)
                state = .quoted
                index += 1
            case .quoteInQuoted where byte == UInt8(ascii: "\""):
                // RFC 4180 §2.7: two quotes in quotes are one.
                append(UnsafeRawBufferPointer(rebasing: chunk[index...index]), at: base + index)
                state = .quoted
                index += 1
            case _ where byte == dialect.separator:
                endCell(at: base + index)
                index += 1
            case _ where byte == dialect.lineEnd:
                index += 1
                try endRow(at: base + index, into: sink)
            default: takePlain(chunk, at: base, &index)
            }
        }
        if recovery.isRereading {
            // It may have ended with the chunk.
            index = try readAgain(before: base, into: sink)
            return try read(UnsafeRawBufferPointer(rebasing: chunk[index...]), at: base + index, into: sink)
        }
        recovery.keep(chunk, at: base)
    }

    /// Reads bytes of a quoted cell.
    private mutating func takeQuoted(_ chunk: UnsafeRawBufferPointer, at base: Int, _ index: inout Int) {
        let start = index
        let end = min(chunk.count, start + RecordLimits.recordBytes - text.count)
        while index < end, chunk[index] != UInt8(ascii: "\"") {
            if chunk[index] == dialect.lineEnd {
                if recovery.endsQuoteWithLine { return fail(.openQuote("the end of the line"), at: base + index) }
                line += 1
                recovery.noteLine(at: base + index + 1)
            }
            index += 1
        }
        append(UnsafeRawBufferPointer(rebasing: chunk[start..<index]), at: base + start)
        if index < end {
            closingQuote = base + index
            state = .quoteInQuoted
            index += 1
        } else if index < chunk.count {
            fail(recovery.secondLine == nil ? .tooLarge : .openQuote("1 MiB of text"), at: base + index)
        }
    }

    /// Reads bytes outside of quotes. Only white space, such as a carriage return, may follow a closing quote. Text
    /// there means that a quote is missing or superfluous, and that the cells cannot be told apart.
    private mutating func takePlain(_ chunk: UnsafeRawBufferPointer, at base: Int, _ index: inout Int) {
        let start = index
        while index < chunk.count, chunk[index] != dialect.separator, chunk[index] != dialect.lineEnd { index += 1 }
        if state == .quoteInQuoted || state == .afterQuoted {
            guard chunk[start..<index].allSatisfy(\.isBlank) else {
                let isOfLaterLine = recovery.secondLine != nil
                return fail(
                    isOfLaterLine ? .openQuote("one with text behind it") : .textAfterQuote, at: closingQuote)
            }
            state = .afterQuoted
            return
        }
        state = .plain
        append(UnsafeRawBufferPointer(rebasing: chunk[start..<index]), at: base + start)
    }

    /// Appends text of a cell that begins at `position` in the file.
    private mutating func append(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        let room = RecordLimits.recordBytes - text.count
        if bytes.count > room { return fail(.tooLarge, at: position + room) }
        text.append(bytes)
    }

    mutating func endCell(at position: Int) {
        // 1,024 columns: a row with more cells has probably lost a line break.
        if ends.count == RecordLimits.columns { return fail(.tooLarge, at: position) }
        state = .cellStart
        ends.append(text.count)
    }
}
