/// The separator and the line end of a CSV file.
struct CSVDialect {
    var separator: UInt8
    /// A line feed, possibly after a carriage return; or a carriage return alone, as in the format “CSV (Macintosh)” of
    /// spreadsheets.
    var lineEnd: UInt8

    /// Detects the dialect in the first line of a file that begins with `start`, outside of quotes. Unless it is given,
    /// the separator is the most frequent of comma, semicolon and tab.
    init(of start: UnsafeRawBufferPointer, separator: UInt8? = nil) {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        var end = start.endIndex
        for (index, byte) in zip(start.indices, start).drop(while: { $1.isBlank }) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == 0x0A || byte == 0x0D, !isQuoted {
                end = index
                break
            }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let found = candidates.max { counts[$0, default: 0] < counts[$1, default: 0] }
        self.separator = separator ?? found ?? UInt8(ascii: ",")
        // Two carriage returns before a line feed are a line end that was translated twice.
        let afterReturns = start[end...].first { $0 != 0x0D }
        lineEnd = end == start.endIndex || afterReturns == 0x0A ? 0x0A : start[end]
    }
}
