/// SQL whose parameters `?` and `?1` are replaced by PostgreSQL's `$1`. As in SQLite, `?` is the parameter after the
/// greatest one before it.
struct NumberedParameters: Equatable {
    private(set) var sql = ""
    private(set) var count = 0

    init(_ text: String) {
        var rest = Substring(text).utf8
        var output: [UInt8] = []
        while let byte = rest.first {
            if let end = Self.endOfOpaqueText(rest) {
                output += rest[..<end]
                rest = rest[end...]
            } else if byte == UInt8(ascii: "?") {
                let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                let number = Int(Substring(digits)) ?? count + 1
                count = max(count, number)
                output += "$\(number)".utf8
                rest = rest[digits.endIndex...]
            } else {
                output.append(byte)
                rest = rest.dropFirst()
            }
        }
        sql = String(decoding: output, as: UTF8.self)
    }

    /// Returns the end of the string literal, the quoted name or the comment that `text` begins with, or `nil`.
    private static func endOfOpaqueText(_ text: Substring.UTF8View) -> String.Index? {
        let after = { (end: UTF8.CodeUnit) -> String.Index in
            let rest = text.dropFirst()
            return rest.firstIndex(of: end).map { rest.index(after: $0) } ?? text.endIndex
        }
        // A doubled quote is the end of one literal and the start of another.
        if let first = text.first, first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") { return after(first) }
        return text.starts(with: "--".utf8) ? after(UInt8(ascii: "\n")) : nil
    }
}
