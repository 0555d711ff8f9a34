import Base

extension Int64 {
    /// The seconds since 1970 of a time in GMT as GitHub and the Rick and Morty API write it (RFC 3339):
    /// `2017-11-04T18:48:46.250Z`. `nil` for anything else.
    init?(isoTime text: Bytes) {
        // 20: without a fraction of a second.
        let separators = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] as [(Int, Unicode.Scalar)]
        guard text.count >= 20, text.last == UInt8(ascii: "Z"),
            separators.allSatisfy({ text[$0] == UInt8(ascii: $1) })
        else { return nil }
        func number(_ range: Range<Int>) -> Int? { Int(decimalDigits: text[range]) }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month),
            (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        self.init(
            CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second).secondsSince1970)
    }
}

extension ByteBuffer {
    /// Appends a time as ``Swift/Int64/init(isoTime:)`` reads it.
    func append(isoTime seconds: Int64) {
        CivilTime(secondsSince1970: Int(seconds)).appendISO8601(to: self)
    }
}
