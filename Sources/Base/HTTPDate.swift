import Glibc

/// A point in time as HTTP writes it: in whole seconds, in GMT (RFC 9110 §5.6.7).
public struct HTTPDate: Comparable, Hashable, Sendable {
    public var secondsSince1970: Int

    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    public static func < (one: Self, other: Self) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}

extension HTTPDate: CustomStringConvertible {
    /// The date in the form in which it is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String { String(writing: append) }

    /// Appends the 29 bytes of `description`. The year has four digits.
    public func append(to buffer: ByteBuffer) {
        let moment = CivilTime(secondsSince1970: secondsSince1970)
        buffer.append(Self.names(Self.weekdays, moment.weekday))
        buffer.append(", ")
        buffer.append(twoDigits: moment.day)
        buffer.append(" ")
        moment.appendMonth(to: buffer)
        buffer.append(" ")
        buffer.append(twoDigits: moment.year / 100)
        buffer.append(twoDigits: moment.year % 100)
        buffer.append(" ")
        moment.appendClock(to: buffer)
        buffer.append(" GMT")
    }

    private static let weekdays: StaticString = "SunMonTueWedThuFriSat"
    fileprivate static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    fileprivate static func names(_ names: StaticString, _ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: names.utf8Start + index * 3, count: 3)
    }
}

extension CivilTime {
    /// Appends the three letters of the month: `Nov`.
    public func appendMonth(to buffer: ByteBuffer) { buffer.append(HTTPDate.names(HTTPDate.months, month - 1)) }
}

extension HTTPDate {
    /// Parses any of the three forms that a recipient must accept. The current year decides the century of the second
    /// form; by default it comes from the system clock.
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT`
    /// - `Sunday, 06-Nov-94 08:49:37 GMT`
    /// - `Sun Nov  6 08:49:37 1994`
    public init?(_ bytes: UnsafeRawBufferPointer, currentYear: Int? = nil) {
        var scan = DateScanner(bytes: bytes)
        guard let time = scan.fixdate() ?? scan.rfc850(currentYear: currentYear ?? Self.currentYear) ?? scan.asctime()
        else { return nil }
        self.init(secondsSince1970: time.secondsSince1970)
    }

    private static var currentYear: Int { CivilTime(secondsSince1970: time(nil)).year }
}

/// Reads the parts of a date one after the other. A part that does not match returns `nil` or `false`.
private struct DateScanner {
    let bytes: UnsafeRawBufferPointer
    var index = 0

    mutating func fixdate() -> CivilTime? {
        index = 0
        guard word() == 3, take(", "), let day = number(2), take(" "), let month = month(), take(" "),
            let year = number(4), take(" "), let clock = clock(), take(" GMT"), index == bytes.count
        else { return nil }
        return time(year, month, day, clock)
    }

    mutating func rfc850(currentYear: Int) -> CivilTime? {
        index = 0
        guard word() > 3, take(", "), let day = number(2), take("-"), let month = month(), take("-"),
            let short = number(2), take(" "), let clock = clock(), take(" GMT"), index == bytes.count
        else { return nil }
        // RFC 9110 §5.6.7: a year more than 50 years in the future belongs to the previous century.
        let year = currentYear / 100 * 100 + short
        return time(year > currentYear + 50 ? year - 100 : year, month, day, clock)
    }

    mutating func asctime() -> CivilTime? {
        index = 0
        guard word() == 3, take(" "), let month = month(), take(" "), let day = take(" ") ? number(1) : number(2),
            take(" "), let clock = clock(), take(" "), let year = number(4), index == bytes.count
        else { return nil }
        return time(year, month, day, clock)
    }

    private func time(_ year: Int, _ month: Int, _ day: Int, _ clock: (Int, Int, Int)) -> CivilTime? {
        guard (1...31).contains(day), clock.0 < 24, clock.1 < 60, clock.2 <= 60 else { return nil }
        return CivilTime(year: year, month: month, day: day, hour: clock.0, minute: clock.1, second: clock.2)
    }

    /// Skips letters and returns their number. Nothing checks that the day of the week is right.
    private mutating func word() -> Int {
        let start = index
        while index < bytes.count, bytes[index].isLetter { index += 1 }
        return index - start
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard UnsafeRawBufferPointer(rebasing: bytes[index...]).starts(with: text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        defer { index += digits }
        return Int(decimalDigits: UnsafeRawBufferPointer(rebasing: bytes[index..<(index + digits)]))
    }

    private mutating func month() -> Int? {
        guard index + 3 <= bytes.count else { return nil }
        let name = bytes[index..<(index + 3)]
        for month in 0..<12 where name.elementsEqual(HTTPDate.names(HTTPDate.months, month)) {
            index += 3
            return month + 1
        }
        return nil
    }

    private mutating func clock() -> (Int, Int, Int)? {
        guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2) else {
            return nil
        }
        return (hour, minute, second)
    }
}
