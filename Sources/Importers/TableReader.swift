import Bytes
import Directories
import Exports

/// Reads a table (CSV, RFC 4180, and its cousins with semicolons or tabs). The first row that is not blank names the columns.
struct TableReader: RecordReader {
    private let names: ColumnNames
    private let layout: TableLayout
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

    init(names: ColumnNames, layout: TableLayout) {
        self.names = names
        self.layout = layout
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
            case _ where byte == layout.separator:
                endCell()
                index += 1
            case _ where byte == layout.lineEnd:
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
        try endRow(isLast: true, into: sink)
        guard let header else { throw ImportError("expected a header that names the columns, found nothing") }
        // An export of a directory without anybody is its header.
        if !proofs.hasRecords, !header.isOwnExport { throw ImportError("expected people below the header, found none") }
        try proofs.finish()
        if header.isOwnExport, !proofs.isProven {
            sink.note(
                "the file does not end in the number of its people, as what servers send does: if it is from one, it was cut off"
            )
        }
    }

    /// Takes a stretch inside of quotes. Where they have been open for longer than a row may be, the closing one was
    /// forgotten: the row ends with the line, and the rest of the file is read on.
    private mutating func takeQuoted(_ chunk: UnsafeRawBufferPointer, _ index: inout Int) {
        let start = index
        while index < chunk.count, chunk[index] != UInt8(ascii: "\"") {
            if chunk[index] == layout.lineEnd {
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
        while index < chunk.count, chunk[index] != layout.separator, chunk[index] != layout.lineEnd { index += 1 }
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
}

// MARK: - Rows

extension TableReader {
    /// Takes the row that has been read; a last one has no line end.
    private mutating func endRow(isLast: Bool = false, into sink: some RecordSink) throws {
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
        if isLast, let reason = header.cut(after: cells.count) {
            return try sink.reject(Rejection(place: place, reason: reason))
        }
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
