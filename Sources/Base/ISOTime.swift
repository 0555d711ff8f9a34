/// A day, and perhaps a moment in it, as ISO 8601 writes them: `2018-04-05`, `2007-10-20T05:24:19.250Z`.
public struct ISOTime {
    /// The day and what its clock shows; midnight without a time to the second.
    public private(set) var civil: CivilTime
    /// How many seconds the clock is ahead of GMT; `nil` for a day, and for a time without seconds or a zone.
    public private(set) var offset: Int?
    /// The number of digits behind the seconds.
    private var fractionDigits = 0

    /// Reads a text; `nil` if it begins with no day of the calendar, or if something else than a time follows.
    public init?(_ text: Bytes) {
        var index = 0
        func take(_ byte: Unicode.Scalar) -> Bool {
            guard index < text.count, text[index] == UInt8(ascii: byte) else { return false }
            index += 1
            return true
        }
        func number(_ digits: Int) -> Int? {
            guard index + digits <= text.count else { return nil }
            index += digits
            return Int(decimalDigits: text[index - digits..<index])
        }
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            let civil = CivilTime(year: year, month: month, day: day)
        else { return nil }
        self.civil = civil
        if index == text.count { return }
        guard text.count <= 40, take("T") || take(" "), let hour = number(2), take(":"), let minute = number(2) else {
            return nil
        }
        guard hour < 24, minute < 60, take(":"), let second = number(2), second < 60 else { return }
        if take(".") {
            let start = index
            while index < text.count, text[index].isDigit { index += 1 }
            fractionDigits = index - start
            if fractionDigits == 0 { return nil }
        }
        var offset = take("Z") ? 0 : nil
        if offset == nil, take("+") || take("-") {
            let sign = text[index - 1] == UInt8(ascii: "-") ? -60 : 60
            guard let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else { return }
            offset = (hours * 60 + minutes) * sign
        }
        guard index == text.count else { return }
        (self.civil.hour, self.civil.minute, self.civil.second, self.offset) = (hour, minute, second, offset)
    }

    /// Whether HTML takes the text as a global date and time.
    public var isGlobal: Bool { offset != nil && fractionDigits <= 3 }

    /// The seconds since 1970, if the text names a moment.
    public var secondsSince1970: Int? { offset.map { civil.secondsSince1970 - $0 } }
}
