/// Returns a script or style sheet of Rollcall without comment lines, empty lines, indentation, and the line ends where
/// a statement or a block begins or ends. That saves a tenth of its compressed size.
///
/// Unsuitable for other files: it requires that no string spans lines, and that each statement of a script that does
/// not end in a block ends in a semicolon.
func condensed(_ source: [UInt8]) -> [UInt8] {
    source.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }.filter { line in
        let isScriptComment = line.starts(with: "//".utf8)
        let isStyleComment = line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
        return !line.isEmpty && !isScriptComment && !isStyleComment
    }.flatMap { line in
        let isSeparated = line.last.map { ";{},".utf8.contains($0) } == true
        return isSeparated ? Array(line) : line + [UInt8(ascii: "\n")]
    }
}

/// Returns a style sheet of Rollcall as ``condensed(_:)`` does, and without the spaces and semicolons that CSS does not
/// need. That saves a thirtieth more.
func condensed(style source: [UInt8]) -> [UInt8] {
    var style: [UInt8] = []
    var quote: UInt8?
    for byte in condensed(source) {
        if quote == nil {
            if byte == UInt8(ascii: " "), let last = style.last, ":,;{}>".utf8.contains(last) { continue }
            if "{}>".utf8.contains(byte), style.last == UInt8(ascii: " ") { style.removeLast() }
            if byte == UInt8(ascii: "}"), style.last == UInt8(ascii: ";") { style.removeLast() }
            if "\"'".utf8.contains(byte) { quote = byte }
        } else if byte == quote {
            quote = nil
        }
        style.append(byte)
    }
    return style
}
