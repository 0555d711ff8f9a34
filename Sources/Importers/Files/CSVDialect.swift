/// The separator and the line end of a CSV file.
struct CSVDialect {
    var separator: UInt8
    /// A line feed, possibly after a carriage return; or a carriage return alone, as in the format “CSV (Macintosh)” of
    /// spreadsheets.
    var lineEnd: UInt8
    /// Whether the first line is `sep=;`, which tells Excel the separator.
    var hasSeparatorLine = false

    private static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// Detects the dialect of a file that begins with `start`. Unless the separator is given, a first line `sep=;`
    /// names it. Otherwise it is the most frequent of comma, semicolon and tab, outside of quotes, in the first line
    /// whose cells `isHeader` recognizes, or else in the first line that has any.
    init(
        of start: UnsafeRawBufferPointer, separator: UInt8? = nil, isHeader: ([String]) -> Bool = { _ in false }
    ) {
        let lines = Self.lines(of: start)
        let first = lines.first ?? start[start.endIndex...]
        // Two carriage returns before a line feed are a line end that was converted twice.
        let afterReturns = start[first.endIndex...].first { $0 != 0x0D }
        lineEnd = first.endIndex == start.endIndex || afterReturns == 0x0A ? 0x0A : start[first.endIndex]
        if let told = Self.separator(toldBy: first), first.startIndex == 0 {
            hasSeparatorLine = true
            self.separator = separator ?? told
            return
        }
        let separators = lines.map(Self.mostFrequentSeparator)
        let header = zip(lines, separators).first { line, separator in
            // A header never has more cells, and looking at each of them would take long.
            guard let separator, line.count(where: { $0 == separator }) < RecordLimits.columns else { return false }
            return isHeader(line.split(separator: separator).map(Self.text))
        }
        self.separator =
            separator ?? header?.1 ?? separators.lazy.compactMap(\.self).first ?? UInt8(ascii: ",")
    }

    /// Returns the separator in a line such as `sep=;` or `"sep=;"`.
    private static func separator(toldBy line: Slice<UnsafeRawBufferPointer>) -> UInt8? {
        // A header may have a megabyte, and only a statement is copied.
        let start = line.prefix(8).filter { $0 != UInt8(ascii: "\"") }.prefix(4)
        guard String(decoding: start, as: UTF8.self).lowercased() == "sep=" else { return nil }
        let text = line.filter { $0 != UInt8(ascii: "\"") }
        guard text.count >= 5 else { return nil }
        // A spreadsheet that saves the file again turns the line into a row: `sep=;;;;`.
        return text.dropFirst(4).allSatisfy { $0 == text[4] } ? text[4] : nil
    }

    /// Returns the first lines that are not blank, without their ends. A line end inside quotes does not count.
    private static func lines(of start: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
        var lines: [Slice<UnsafeRawBufferPointer>] = []
        var isQuoted = false
        var isBlank = true
        var lineStart = 0
        for (index, byte) in start.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !byte.isBlank { isBlank = false }
            guard byte == 0x0A || byte == 0x0D, !isQuoted else { continue }
            if !isBlank { lines.append(start[lineStart..<index]) }
            if lines.count == CSVHeader.maxLines { return lines }
            isBlank = true
            lineStart = index + 1
        }
        if !isBlank { lines.append(start[lineStart...]) }
        return lines
    }

    private static func mostFrequentSeparator(in line: Slice<UnsafeRawBufferPointer>) -> UInt8? {
        var counts = [Int](repeating: 0, count: 256)
        var isQuoted = false
        for byte in line {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[Int(byte)] += 1 }
        }
        let found = candidates.max { counts[Int($0)] < counts[Int($1)] }
        return found.flatMap { counts[Int($0)] == 0 ? nil : $0 }
    }

    private static func text(of cell: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: cell.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self).trimmed
    }
}
