import Base
import People

/// Reads CSV (RFC 4180) with commas, semicolons or tabs. Titles may precede the header.
///
/// A row that cannot be read costs as few lines as possible: `CSVReader+Damage.swift` says how. No byte is read more
/// than three times for it, and the rest of such a row, at most two MiB, is all that is kept.
struct CSVReader: RecordReader {
    let dialect: CSVDialect
    /// What becomes of the rows; `nil` while they are collected as evidence for what the table is.
    var table: TableRecords?
    private var evidence: [TableRow] = []
    private var lastEvidenceLine = 0
    private var isAfterBlank = false
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

    init(_ dialect: CSVDialect, _ table: TableRecords?) {
        (self.dialect, self.table) = (dialect, table)
        self.table?.layout.separator = Character(Unicode.Scalar(dialect.separator))
    }

    /// Returns the first rows with text of a file that begins with `start`, as evidence for what the table is,
    /// and what ends them.
    static func rows(
        of start: UnsafeRawBufferPointer, _ dialect: CSVDialect, upTo line: Int?
    ) -> (rows: [TableRow], damage: RollcallError?) {
        var reader = CSVReader(dialect, nil)
        let sink = RecordSurvey()
        reader.lastEvidenceLine = line ?? 0
        var damage: RollcallError?
        do {
            try reader.read(start, into: sink)
            try reader.finish(into: sink)
        } catch { damage = error as? RollcallError }
        return (reader.evidence, damage)
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
            if state == .quoted, fault == nil { fail(.cut, at: offset) }
            if !recovery.isRereading {
                isEmpty = state == .cellStart && text.isEmpty && ends.isEmpty && fault == nil
                try endRow(at: offset, isLast: true, into: sink)
            }
            if !recovery.isRereading { break }
            try readAgain(before: offset, into: sink)
        }
        // The end of the last row has counted a line more.
        try reportDamage(upTo: isEmpty ? line - 2 : line - 1, into: sink)
        table?.layout.lacksLineEnd = !isEmpty
        try table?.finish(into: sink)
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

extension CSVReader {
    /// Decodes the row that has been read, up to `position` in the file. The last row may have no line end.
    mutating func endRow(at position: Int, isLast: Bool = false, into sink: some RecordSink) throws {
        let isQuoted = state == .quoteInQuoted || state == .afterQuoted
        if fault == nil { endCell(at: position) }
        if recovery.isRereading { return }
        defer {
            if !recovery.isRereading {
                resetRow()
                line += 1
                rowLine = line
            }
        }
        if let fault {
            if table?.header == nil, fault == .tooLarge {
                throw RollcallError(
                    "expected a header of at most 1 MiB and 1,024 columns, found more in line \(rowLine)")
            }
            return noteDamage(fault)
        }
        if rowLine == 1, dialect.hasSeparatorLine { return }
        let cells = table?.header?.isGuarded == true ? exactCells(isLastQuoted: isQuoted) : trimmedCells
        if cells.allSatisfy({ $0.allSatisfy(\.isBlank) }) {
            // A line without any separator is not a row.
            if cells.count > 1, !recovery.isLeavingOut { table?.layout.emptyRows += 1 }
            isAfterBlank = true
            table?.noteBlank()
            return
        }
        if let header = table?.header, isUnreadable(cells, under: header) {
            return recovery.beginAgain(before: position)
        }
        try reportDamage(upTo: rowLine - 1, into: sink)
        guard table != nil else { return try collect(cells) }
        guard let header = try table?.header ?? takeHeader(cells, isLastQuoted: isQuoted, into: sink) else { return }
        recovery.cells = cells.count
        if table?.takeProof(cells) == true { return }
        if isLast, !isAfterBlank, let reason = header.cut(after: cells.count) {
            table?.noteUnread()
            return try sink.reject(Rejection(place: place, reason: reason, isCut: true))
        }
        isAfterBlank = false
        try take(cells, under: header, into: sink)
    }

    mutating func resetRow() {
        text.removeAll()
        ends.removeAll(keepingCapacity: true)
        state = .cellStart
        fault = nil
        if !recovery.isRereading { recovery.endRow() }
    }

    /// Whether a row is left out: after damage it does not have the shape of the table, or it has several lines and
    /// more cells than the table, probably because a quote is missing.
    private mutating func isUnreadable(_ cells: [UnsafeRawBufferPointer], under header: CSVHeader) -> Bool {
        // The end of a broken cell must not pass for a person. Excel leaves out empty cells at the end of rows, but not
        // in all of them.
        if recovery.isLeavingOut { return ![header.width, recovery.cells].contains(cells.count) }
        guard recovery.secondLine != nil, header.hasExcess(cells) else { return false }
        noteDamage(.cells(cells.count, columns: header.width))
        return true
    }

    /// Takes a row as evidence.
    private mutating func collect(_ cells: [UnsafeRawBufferPointer]) throws {
        evidence.append(
            TableRow(
                number: rowLine, cells: cells.map { String(decoding: $0, as: UTF8.self) }, isAfterBlank: isAfterBlank))
        isAfterBlank = false
        if evidence.count == TableReading.maxRows, rowLine >= lastEvidenceLine { throw RecordSurvey.End() }
    }

    /// Takes a row above people. Returns the header if the row is a person.
    private mutating func takeHeader(
        _ cells: [UnsafeRawBufferPointer], isLastQuoted: Bool, into sink: some RecordSink
    ) throws -> CSVHeader? {
        let exactCells = exactCells(isLastQuoted: isLastQuoted)
        let header = try table?.takeHeader(cells, exactCells, number: rowLine, into: sink)
        if table?.header != nil { isAfterBlank = false }
        return header
    }

    /// The line numbers of the row.
    private var place: String { line > rowLine ? "lines \(rowLine) to \(line)" : "line \(rowLine)" }

    /// The cells of the row, without surrounding white space.
    private var trimmedCells: [UnsafeRawBufferPointer] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return UnsafeRawBufferPointer(rebasing: text.bytes[start..<end]).withoutBlanks.withoutTextFormula
        }
    }

    /// The cells of a row of an export, in which all white space is somebody's data, except that before the line end.
    private func exactCells(isLastQuoted: Bool) -> [UnsafeRawBufferPointer] {
        var start = 0
        var cells = ends.map { end in
            defer { start = end }
            return UnsafeRawBufferPointer(rebasing: text.bytes[start..<end])
        }
        if !isLastQuoted, let last = cells.popLast() {
            let count = (last.lastIndex { $0 != 0x0D }).map { $0 + 1 } ?? 0
            cells.append(UnsafeRawBufferPointer(rebasing: last[..<count]))
        }
        return cells
    }

    private mutating func take(
        _ cells: [UnsafeRawBufferPointer], under header: CSVHeader, into sink: some RecordSink
    ) throws {
        var reason: String?
        if header.hasExcess(cells) {
            reason = "expected \(header.width) columns, found \(cells.count)"
        } else if !text.bytes.isUTF8 {
            reason = "expected \(table?.layout.encoding.name ?? "UTF-8"), found other bytes"
        }
        if let reason {
            table?.noteUnread()
            return try sink.reject(Rejection(place: "line \(rowLine)", reason: reason))
        }
        try table?.take(cells, number: rowLine, under: header, into: sink)
    }
}

extension CSVHeader {
    /// Whether a row has text beyond the columns.
    fileprivate func hasExcess(_ cells: [UnsafeRawBufferPointer]) -> Bool {
        cells.count > width && !cells[width...].allSatisfy { $0.allSatisfy(\.isBlank) }
    }
}

extension UnsafeRawBufferPointer {
    /// The text of `="00123"`, which keeps a spreadsheet from making it a number.
    fileprivate var withoutTextFormula: UnsafeRawBufferPointer {
        let quote = UInt8(ascii: "\"")
        guard count >= 3, self[0] == UInt8(ascii: "="), self[1] == quote, last == quote else { return self }
        let text = UnsafeRawBufferPointer(rebasing: self[2..<(count - 1)])
        return text.contains(quote) ? self : text
    }
}

extension [UnsafeRawBufferPointer] {
    /// The number of records in an ``ExportProof``, if the row is one.
    var proof: Int? {
        let filled = filter { !$0.isEmpty }
        return filled.count == 1 ? ExportProof.count(in: filled[0]) : nil
    }
}

/// Compares the number in an ``ExportProof`` with the number of records read.
///
/// A file may contain several exports, one after the other. A file without a proof is accepted: most have none.
struct ProofCheck {
    private var records = 0
    /// Whether there was any record, rejected ones included.
    private(set) var hasRecords = false
    private var problem: RollcallError?

    /// Counts a record, rejected ones included.
    mutating func countRecord() {
        records += 1
        hasRecords = true
    }

    /// Checks a proof, which is about the records since the previous proof.
    mutating func take(proof count: Int) {
        if count != records, problem == nil {
            problem = RollcallError(
                "the file is incomplete: expected \(count) records, as the proof line says, found \(records)")
        }
        records = 0
    }

    /// Throws the first mismatch: at the end, so that the records are saved.
    func finish() throws(RollcallError) {
        if let problem { throw problem }
    }
}
