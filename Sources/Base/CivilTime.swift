/// A date and a time of day in GMT, in the Gregorian calendar.
public struct CivilTime: Equatable, Sendable {
    public var year: Int
    public var month: Int
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int

    /// The day of the week; 0 is Sunday.
    public var weekday: Int { ((daysSince1970 + 4) % 7 + 7) % 7 }

    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The first second of a day; `nil` if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let date = CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
        // The days after a month's last one are days of the next month.
        guard CivilTime(secondsSince1970: date.secondsSince1970).month == month else { return nil }
        self = date
    }

    /// The first second of a day by its number: 0 is 1970-01-01.
    public init(daysSince1970: Int) { self.init(secondsSince1970: daysSince1970 * 86400) }

    /// Creates the civil time of a moment. Years are counted from March, so that leap days come last
    /// ("chrono-compatible low-level date algorithms", H. Hinnant).
    public init(secondsSince1970: Int) {
        let days = (secondsSince1970 >= 0 ? secondsSince1970 : secondsSince1970 - 86399) / 86400
        let second = secondsSince1970 - days * 86400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
            hour: second / 3600, minute: second / 60 % 60, second: second % 60)
    }

    /// Appends the day in the format of ISO 8601: `2018-04-05`.
    public func appendDay(to buffer: ByteBuffer) {
        if (0..<1000).contains(year) {
            buffer.append(twoDigits: year / 100)
            buffer.append(twoDigits: year % 100)
        } else {
            buffer.append(decimal: year)
        }
        buffer.append("-")
        buffer.append(twoDigits: month)
        buffer.append("-")
        buffer.append(twoDigits: day)
    }

    /// Appends the time of day: `05:24:19`.
    public func appendClock(to buffer: ByteBuffer) {
        buffer.append(twoDigits: hour)
        buffer.append(":")
        buffer.append(twoDigits: minute)
        buffer.append(":")
        buffer.append(twoDigits: second)
    }

    /// Appends the moment in the format of ISO 8601: `2018-04-05T05:24:19Z`.
    public func appendISO8601(to buffer: ByteBuffer) {
        appendDay(to: buffer)
        buffer.append("T")
        appendClock(to: buffer)
        buffer.append("Z")
    }

    public var secondsSince1970: Int { daysSince1970 * 86400 + hour * 3600 + minute * 60 + second }

    public var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension ByteBuffer {
    /// Appends the last two decimal digits of `number`.
    public func append(twoDigits number: Int) {
        append(UInt8(truncatingIfNeeded: 48 + number / 10 % 10))
        append(UInt8(truncatingIfNeeded: 48 + number % 10))
    }
}
