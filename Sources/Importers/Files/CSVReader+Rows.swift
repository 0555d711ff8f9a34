import Base
import People

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
            if header == nil, case .tooLarge = fault {
                throw ImportError(
                    "expected a header of at most 1 MiB and 1,024 columns, found more in line \(rowLine)")
            }
            return noteDamage(fault)
        }
        if rowLine == 1, dialect.hasSeparatorLine { return }
        let isExact = header?.isGuarded == true
        let cells = isExact ? exactCells(isLastQuoted: isQuoted) : trimmedCells
        if cells.allSatisfy({ $0.allSatisfy(\.isBlank) }) {
            // A line without any separator is not a row.
            if cells.count > 1, !recovery.isLeavingOut { layout.emptyRows += 1 }
            return
        }
        if let header, isUnreadable(cells, under: header) {
            if recovery.secondLine != nil { recovery.beginAgain(before: position) }
            return
        }
        try reportDamage(upTo: rowLine - 1, into: sink)
        guard let header else { return try take(cellsAboveHeader: cells, isLastQuoted: isQuoted, into: sink) }
        noteRow(cells: cells.count)
        if header.isGuarded, let count = cells.proof { return proofs.take(proof: count) }
        proofs.countRecord()
        if isLast, let reason = header.cut(after: cells.count) {
            return try sink.reject(Rejection(place: place, reason: reason))
        }
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
        if recovery.isLeavingOut { return !readsAsRow(cells.count, under: header) }
        guard recovery.secondLine != nil, header.hasExcess(cells) else { return false }
        noteDamage(.cells(cells.count, columns: header.columns.count))
        return true
    }

    /// Takes a row as the header, or skips it as a title.
    private mutating func take(
        cellsAboveHeader cells: [UnsafeRawBufferPointer], isLastQuoted: Bool, into sink: some RecordSink
    ) throws {
        guard try search.isHeader(cells, at: rowLine) else { return }
        let header = try CSVHeader(
            cells: CSVHeader.isExport(cells) ? exactCells(isLastQuoted: isLastQuoted) : cells, names: search.names)
        self.header = header
        layout.headerLine = rowLine
        sink.describe(layout, header)
    }

    /// The line numbers of the row.
    private var place: String { line > rowLine ? "lines \(rowLine) to \(line)" : "line \(rowLine)" }

    /// The cells of the row, without surrounding white space.
    private var trimmedCells: [UnsafeRawBufferPointer] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return UnsafeRawBufferPointer(rebasing: text.bytes[start..<end]).withoutBlanks
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

    private func take(
        _ cells: [UnsafeRawBufferPointer], under header: CSVHeader, into sink: some RecordSink
    ) throws {
        var reason: String?
        if header.hasExcess(cells) {
            reason = "expected \(header.columns.count) columns, found \(cells.count)"
        } else if !text.bytes.isUTF8 {
            reason = "expected \(layout.encoding.name), found other bytes"
        }
        if let reason { return try sink.reject(Rejection(place: "line \(rowLine)", reason: reason)) }
        try sink.take(.row(cells, header), at: "line \(rowLine)")
    }
}

extension UnsafeRawBufferPointer {
    /// The text without surrounding white space.
    var withoutBlanks: UnsafeRawBufferPointer {
        var text = drop(while: \.isBlank)
        while let last = text.last, last.isBlank { text.removeLast() }
        return UnsafeRawBufferPointer(rebasing: text)
    }
}

extension [UnsafeRawBufferPointer] {
    /// The number of records in an ``ExportProof``, if the row is one.
    var proof: Int? {
        let filled = filter { !$0.isEmpty }
        return filled.count == 1 ? ExportProof.count(in: filled[0]) : nil
    }
}
