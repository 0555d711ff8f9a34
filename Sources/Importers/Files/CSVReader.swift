import Base
import People

/// Reads CSV (RFC 4180) with commas, semicolons or tabs. Titles may precede the header.
///
/// A row that cannot be read costs as few lines as possible. A quote that is never closed makes the lines below it part
/// of its cell, up to the next quote or the end of the file. So such a row, if it has several lines, gives back all but
/// its first line: they are read again, and the next row begins with the first of them that reads as a row. Lines
/// before that are left out, and reported together with the first one.
struct CSVReader: RecordReader {
    private let dialect: CSVDialect
    private var table: TableRecords
    private var isAfterBlank = false
    private var row: CSVRow
    /// The bytes from the first row that is not whole yet, unless the rest of its line is passed over, as a first line
    /// `sep=;` is, and the number of bytes of the file before them.
    private let pending = ByteBuffer(capacity: 4096)
    private var offset = 0
    private var isPassingOver = false
    /// A byte without which the row does not end; `nil` if any may end it.
    private var awaited: UInt8?
    /// The number of the line at which the row begins, or of the one behind a line that is passed over.
    private var line = 1
    /// Whether the last row so far has no line end.
    private var lacksLineEnd = false
    /// A quote that opens before this position ends with its line. This bounds the work: lines that are read again
    /// cannot become another row of many lines that cannot be read.
    private var singleLines = 0
    /// The first of the lines that are left out, and the reason.
    private var damage: (line: Int, fault: CSVFault)?
    /// The number of cells of the last row that was read.
    private var lastCells = 0

    init(_ dialect: CSVDialect, _ table: TableRecords) {
        (self.dialect, self.table) = (dialect, table)
        row = CSVRow(dialect)
        if dialect.hasSeparatorLine { passOver() }
        self.table.layout.separator = Character(Unicode.Scalar(dialect.separator))
    }

    /// Returns the first rows with text of a file that begins with `start`, as evidence for what the table is,
    /// and what ends them.
    static func rows(
        of start: UnsafeRawBufferPointer, _ dialect: CSVDialect, upTo line: Int?
    ) -> (rows: [TableRow], damage: RollcallError?) {
        var reader = CSVReader(dialect, TableRecords(collectingUpTo: line))
        let sink = RecordSurvey()
        var damage: RollcallError?
        do {
            try reader.read(start, into: sink)
            try reader.readRows(isWhole: true, into: sink)
        } catch { damage = error as? RollcallError }
        return (reader.table.evidence, damage)
    }
}

extension CSVReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        var chunk = chunk
        if isPassingOver {
            guard let end = chunk.offset(of: dialect.lineEnd) else { return offset += chunk.count }
            chunk = UnsafeRawBufferPointer(rebasing: chunk[(end + 1)...])
            offset += end + 1
            (isPassingOver, lacksLineEnd) = (false, false)
        }
        pending.append(chunk)
        if let awaited, chunk.offset(of: awaited) == nil, pending.count <= RecordLimits.recordBytes { return }
        try readRows(isWhole: false, into: sink)
    }

    mutating func finish(into sink: some RecordSink) throws {
        try readRows(isWhole: true, into: sink)
        try reportDamage(upTo: line - 1, into: sink)
        table.layout.lacksLineEnd = lacksLineEnd
        try table.finish(into: sink)
    }

    /// Reads the rows that are whole.
    ///
    /// - Parameter isWhole: Whether the file has no more bytes.
    private mutating func readRows(isWhole: Bool, into sink: some RecordSink) throws {
        let bytes = pending.bytes
        var start = 0
        awaited = nil
        reading: while start < bytes.count {
            switch row.read(bytes, from: start, isWhole: isWhole, singleLines: singleLines - offset) {
            case .row(let next):
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<next])
                lacksLineEnd = text.last != dialect.lineEnd
                start = try endRow(text, next: next, into: sink)
            case .fault(let fault, let end):
                start = try leaveOut(bytes, from: start, fault, before: end)
            case .open(let byte):
                awaited = byte
                break reading
            }
        }
        offset += start
        pending.removeFirst(start)
    }

    /// Takes a row that can be read, and returns where to go on.
    private mutating func endRow(
        _ text: UnsafeRawBufferPointer, next: Int, into sink: some RecordSink
    ) throws -> Int {
        let cells = table.header?.isGuarded == true ? row.exactCells : row.trimmedCells
        if cells.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
            // A line without any separator is not a row.
            if cells.count > 1, damage == nil { table.layout.emptyRows += 1 }
            isAfterBlank = true
        } else if let header = table.header, isUnreadable(cells, under: header) {
            if let secondLine = row.secondLine { return readAgain(from: secondLine, before: next) }
        } else {
            try reportDamage(upTo: line - 1, into: sink)
            try take(cells, of: text, into: sink)
        }
        line += 1 + row.lineEnds
        return next
    }

    private mutating func take(
        _ cells: [UnsafeRawBufferPointer], of text: UnsafeRawBufferPointer, into sink: some RecordSink
    ) throws {
        defer { isAfterBlank = false }
        let header =
            try table.header
            ?? table.takeHeader(cells, row.exactCells, number: line, isAfterBlank: isAfterBlank, into: sink)
        guard let header else { return }
        lastCells = cells.count
        if table.takeProof(cells) { return }
        if lacksLineEnd, !isAfterBlank, let reason = header.cut(after: cells.count) {
            let place = Self.place(line, lines: 1 + row.lineEnds)
            return try table.reject(Rejection(place: place, reason: reason, isCut: true), into: sink)
        }
        if header.hasExcess(cells) {
            let reason = CSVFault.cells(cells.count, columns: header.width).reason
            return try table.reject(Rejection(place: "line \(line)", reason: reason), into: sink)
        }
        if !text.isUTF8 {
            let reason = "expected \(table.layout.encoding.name), found other bytes"
            return try table.reject(Rejection(place: "line \(line)", reason: reason), into: sink)
        }
        try table.take(cells, number: line, isAfterBlank: isAfterBlank, under: header, into: sink)
    }
}

// MARK: - Damage

extension CSVReader {
    /// Whether a row is left out: after damage it does not have the shape of the table, or it has several lines and
    /// more cells than the table, probably because a quote is missing.
    private mutating func isUnreadable(_ cells: [UnsafeRawBufferPointer], under header: CSVHeader) -> Bool {
        // The end of a broken cell must not pass for a person. Excel leaves out empty cells at the end of rows, but not
        // in all of them.
        if damage != nil { return ![header.width, lastCells].contains(cells.count) }
        guard row.secondLine != nil, header.hasExcess(cells) else { return false }
        noteDamage(.cells(cells.count, columns: header.width))
        return true
    }

    /// Leaves out the first line of a row, and returns where to go on. Its quotes are in doubt up to `end`.
    private mutating func leaveOut(
        _ bytes: UnsafeRawBufferPointer, from start: Int, _ fault: CSVFault, before end: Int
    ) throws -> Int {
        noteDamage(fault)
        if let secondLine = row.secondLine { return readAgain(from: secondLine, before: end) }
        let isHeader = table.header == nil && fault == .tooLarge
        try expect(!isHeader, "expected a header of at most 1 MiB and 1,024 columns, found more in line \(line)")
        if let lineEnd = bytes.offset(of: dialect.lineEnd, from: start) {
            (line, lacksLineEnd) = (line + 1, false)
            return lineEnd + 1
        }
        passOver()
        return bytes.count
    }

    /// Leaves out the rest of the line, whose end is not known.
    private mutating func passOver() { (isPassingOver, lacksLineEnd, line) = (true, true, line + 1) }

    /// Goes on with the second line of a row.
    private mutating func readAgain(from secondLine: Int, before end: Int) -> Int {
        singleLines = max(singleLines, offset + end)
        line += 1
        return secondLine
    }

    /// Leaves out lines from the row on.
    private mutating func noteDamage(_ fault: CSVFault) {
        table.noteUnread()
        damage = damage ?? (line, fault)
    }

    /// Reports the lines that were left out, up to line `last`.
    private mutating func reportDamage(upTo last: Int, into sink: some RecordSink) throws {
        guard let (first, fault) = damage else { return }
        damage = nil
        let count = max(1, last - first + 1)
        try sink.reject(
            Rejection(
                place: Self.place(first, lines: count),
                reason: fault.reason + (count == 1 ? "" : "; \(count) lines left out"), lines: count,
                isCut: fault.isCut))
    }

    private static func place(_ first: Int, lines count: Int) -> String {
        count == 1 ? "line \(first)" : "lines \(first) to \(first + count - 1)"
    }
}

extension CSVHeader {
    /// Whether a row has text beyond the columns.
    fileprivate func hasExcess(_ cells: [UnsafeRawBufferPointer]) -> Bool {
        cells.count > width && !cells[width...].allSatisfy { $0.allSatisfy(\.isWhitespace) }
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
