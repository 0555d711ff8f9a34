import Bytes
import Directories
import Exports

/// Reads a table (CSV, RFC 4180, and its cousins with semicolons or tabs). The first row that is not blank names the columns.
struct TableReader: RecordReader {
    private let names: ColumnNames
    private let separator: UInt8
    private var decoder = RecordDecoder()
    private var header: TableHeader?
    private var proofs = ProofCheck()
    private var state = State.cellStart
    /// The text of the row so far, and its cells.
    private let text = ByteBuffer(capacity: 4096)
    private var ends: [Int] = []
    private var isTooLong = false
    /// Whether anything but white space follows a closing quote.
    private var hasTextAfterQuote = false
    /// Of what is read, and of the start of the row.
    private var line = 1
    private var rowLine = 1

    private enum State {
        /// Before a cell; in one without quotes; in quotes; after a quote inside them, which ends the cell or, doubled,
        /// stands for itself; after white space behind a quote that ended the cell.
        case cellStart, plain, quoted, quoteInQuoted, afterQuoted
    }

    init(names: ColumnNames, separator: UInt8) {
        self.names = names
        self.separator = separator
    }
}

extension TableReader {
    mutating func read(_ chunk: UnsafeRawBufferPointer, into sink: some RecordSink) throws {
        var index = 0
        while index < chunk.count {
            let byte = chunk[index]
            switch state {
            case .quoted: takeQuoted(chunk, &index)
            case .cellStart where byte == UInt8(ascii: "\""), .quoteInQuoted where byte == UInt8(ascii: "\""):
                // RFC 4180 §2.7: two quotes in quotes are one.
                if state == .quoteInQuoted { append(byte) }
                state = .quoted
                index += 1
            case _ where byte == separator:
                endCell()
                index += 1
            case _ where byte == 0x0A:
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
            return try sink.reject(Rejection(place: place, reason: "expected a closing quote, found the end"))
        }
        try endRow(into: sink)
        if header == nil { throw ImportError("expected a header that names the columns, found nothing") }
        try proofs.finish()
    }

    /// Takes a stretch inside of quotes. Where they have been open for longer than a row may be, the closing one was
    /// forgotten: the row ends with the line, and the rest of the file is read on.
    private mutating func takeQuoted(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        let start = index
        while index < chunk.count, chunk[index] != UInt8(ascii: "\"") {
            if chunk[index] == 0x0A {
                if isTooLong {
                    state = .plain
                    return
                }
                line += 1
            }
            index += 1
        }
        append(UnsafeRawBufferPointer(rebasing: chunk[start..<index]))
        if index < chunk.count {
            state = .quoteInQuoted
            index += 1
        }
    }

    /// Takes a stretch outside of quotes. After a closing quote there may be white space, a carriage return for one; text
    /// there says that a quote is missing or too many, and that nobody knows which cells these are.
    private mutating func takePlain(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        let start = index
        while index < chunk.count, chunk[index] != separator, chunk[index] != 0x0A { index += 1 }
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
        isTooLong = isTooLong || text.count + bytes.count > Limits.recordBytes
        if !isTooLong { text.append(bytes) }
    }

    private mutating func endCell() {
        state = .cellStart
        // 1,024 columns: whoever has more has lost a line break.
        if ends.count < 1024 { ends.append(text.count) } else { isTooLong = true }
    }

    /// What separates the cells of a table that begins with `start`: of comma, semicolon and tab the one that the first
    /// line has most of, outside of quotes.
    static func separator(in start: UnsafeRawBufferPointer) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in start.drop(while: \.isBlank) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == 0x0A, !isQuoted { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? UInt8(ascii: ",")
    }
}

// MARK: - Rows

extension TableReader {
    private mutating func endRow(into sink: some RecordSink) throws {
        endCell()
        defer {
            text.removeAll()
            ends.removeAll(keepingCapacity: true)
            isTooLong = false
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
        let cells = cells
        if cells.allSatisfy(\.isEmpty) { return }
        guard let header else {
            header = try TableHeader(cells: cells, names: names)
            return
        }
        if header.isOwnExport, let count = cells.proof { return proofs.take(proof: count) }
        proofs.countRecord()
        try decode(cells, under: header, into: sink)
    }

    /// The lines that the row takes.
    private var place: String { line > rowLine ? "lines \(rowLine) to \(line)" : "line \(rowLine)" }

    /// The cells of the row, without white space around them.
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
        _ cells: [UnsafeRawBufferPointer], under header: TableHeader, into sink: some RecordSink
    ) throws {
        let rowLine = rowLine
        try sink.take(at: "line \(rowLine)") { batch throws(RecordError) in
            guard cells.count <= header.columns.count || cells[header.columns.count...].allSatisfy(\.isEmpty) else {
                throw RecordError("expected \(header.columns.count) columns, found \(cells.count)")
            }
            guard text.bytes.isUTF8 else { throw RecordError("expected UTF-8, found other bytes") }
            return try decoder.append(header: header, cells: cells, to: batch)
        }
    }
}

extension [UnsafeRawBufferPointer] {
    /// What an ``ExportProof`` says, if the row has nothing else.
    fileprivate var proof: Int? {
        let filled = filter { !$0.isEmpty }
        return filled.count == 1 ? ExportProof.count(in: filled[0]) : nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var isUTF8: Bool {
        allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil
    }
}
