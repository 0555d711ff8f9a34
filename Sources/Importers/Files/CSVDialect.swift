/// How a table separates its cells and ends its rows.
struct CSVDialect {
    var separator: UInt8
    /// A line feed, which may have a carriage return before it; or the carriage return alone that spreadsheets write as
    /// “CSV (Macintosh)”.
    var lineEnd: UInt8

    /// The layout of a table that begins with `start`, as its first line tells, outside of quotes: of comma, semicolon and
    /// tab the one that it has most of, if none is given.
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
        // Two carriage returns before a line feed come of a line end that was translated twice.
        let afterReturns = start[end...].first { $0 != 0x0D }
        lineEnd = end == start.endIndex || afterReturns == 0x0A ? 0x0A : start[end]
    }
}
