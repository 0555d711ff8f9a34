import Base
import Foundation
import Server

extension FuzzTarget {
    /// Field values: conditions, ranges, dates (RFC 9110 §13, §14, §5.6.7) and codings (§12.5.3). The input is a tag, a
    /// number, and then field lines.
    static let conditions = FuzzTarget(
        name: "conditions",
        words: [
            "\"a\"", "W/\"a\"", "*", ",", "\"a,b\"", "If-Match: ", "If-None-Match: ", "If-Range: ", "Range: bytes=",
            "0-", "-5", "1-3", "3-1", "0-0,2-3", "99999999999999999999-", "If-Modified-Since: ",
            "If-Unmodified-Since: ", "\r\n", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Accept-Encoding: ", "gzip", "x-gzip;q=0.5", "identity;q=0", "*;q=0.001",
            ";q=1.000", "Feb 30 ", "23:59:60", "0000", "9999",
        ]
    ) { bytes in
        let parts = bytes.parts(3)
        let number = Int(parts[1].text) ?? parts[1].count
        try checkDate(number)
        try checkDate(parts[2])
        for length in [0, 1, Int(number.magnitude % 1000)] {
            try checkRange(ByteRange(parts[2], length: length), of: length)
        }
        try checkCodings(parts[2])
        try checkTags(parts[0], in: parts[2])
        let text = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + Array(parts[2]) + Array("\r\n\r\n".utf8)
        try text.withUnsafeBytes { text in
            var heads = [RequestHead()]
            guard case .request = RequestParser().parse(text, into: &heads[0]) else { return }
            try checkConditions(of: Request(bytes: text, head: heads.span), tag: Array(parts[0]), number)
        }
    }
}

private func checkConditions(of request: Request, tag: [UInt8], _ number: Int) throws {
    var names: [String] = []
    for field in request.head.fields { names.append(request.bytes[field.name].text.lowercased()) }
    for lastModified in [nil, HTTPDate(secondsSince1970: number)] {
        let result = request.precondition(tag: tag, lastModified: lastModified)
        try hold(result == .met || names.contains { $0.hasPrefix("if-") }, "\(result) without a condition")
        let length = Int(number.magnitude % 1000)
        try checkRange(request.range(ofLength: length, tag: tag, lastModified: lastModified), of: length)
    }
}

private func checkRange(_ range: ByteRange, of length: Int) throws {
    guard case .part(let part) = range else { return }
    try hold(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= length, "\(part) of \(length) bytes")
}

/// Several lines of one list are equivalent to one line (RFC 9110 §5.3).
private func checkCodings(_ value: UnsafeRawBufferPointer) throws {
    var whole = AcceptEncoding()
    whole.note(value)
    var lines = AcceptEncoding()
    for element in value.split(separator: UInt8(ascii: ",")) { lines.note(UnsafeRawBufferPointer(rebasing: element)) }
    try hold(whole == lines, "codings in one line differ from those in several")
    try hold(!whole.prefersGzip || whole.acceptsGzip, "gzip is preferred but not accepted")
}

/// A valid tag is found in every valid list that contains it.
private func checkTags(_ opaque: UnsafeRawBufferPointer, in list: UnsafeRawBufferPointer) throws {
    let quoted = Array(opaque.filter { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F })
    let tag = [0x22] + quoted + [0x22]
    let weak = Array("W/".utf8) + tag
    for (one, other, comparison, isEqual) in [
        (tag, tag, EntityTag.Comparison.strong, true), (weak, tag, .weak, true), (weak, weak, .strong, false),
    ] {
        let line = Array("\"x,\" ,, ".utf8) + one + Array(", \"y\"".utf8)
        let isFound = line.withUnsafeBytes { line in
            other.withUnsafeBytes { EntityTag.list(line, contains: $0, by: comparison) }
        }
        let isOther = quoted == Array("x,".utf8) || quoted == Array("y".utf8)
        try hold(isFound == isEqual || isOther, "\(other) in \(line), \(comparison): \(isFound)")
    }
    _ = tag.withUnsafeBytes { EntityTag.list(list, contains: $0, by: .weak) }
}

/// Every second of the years 1000 to 9999 is formatted as C formats it, and parses to the same value.
private func checkDate(_ seconds: Int) throws {
    let years = -30_610_224_000...253_402_300_799
    let date = HTTPDate(secondsSince1970: years.lowerBound + Int(UInt(bitPattern: seconds) % UInt(years.count)))
    let text = date.description
    try hold(Array(text.utf8).withUnsafeBytes { HTTPDate($0) } == date, "\(text) parses as another date")
    var (time, parts, line) = (date.secondsSince1970, tm(), [CChar](repeating: 0, count: 64))
    gmtime_r(&time, &parts)
    let count = strftime(&line, line.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    let expected = String(decoding: line[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try hold(text == expected, "\(date.secondsSince1970) is formatted as \(text), by C as \(expected)")
}

private func checkDate(_ text: UnsafeRawBufferPointer) throws {
    guard let date = HTTPDate(text) else { return }
    let again = date.description
    // The last second of the year 9999 may be a leap second: the year after it has five digits.
    if date.secondsSince1970 > 253_402_300_799 { return }
    try hold(Array(again.utf8).withUnsafeBytes { HTTPDate($0) } == date, "\(text.text) becomes \(again), another date")
}
