import Base

/// The parts of a date and a time that a cell shows.
struct DateParts: OptionSet, Hashable {
    let rawValue: UInt8

    static let year = DateParts(rawValue: 1)
    static let month = DateParts(rawValue: 2)
    static let day = DateParts(rawValue: 4)
    static let hour = DateParts(rawValue: 8)
    static let minute = DateParts(rawValue: 16)
    static let second = DateParts(rawValue: 32)
    /// The hours are a sum that may exceed a day: `[h]:mm`.
    static let elapsed = DateParts(rawValue: 64)
    /// The name of the day of the week.
    static let weekday = DateParts(rawValue: 128)

    static let date: DateParts = [.year, .month, .day]
}

/// A date and a time of day, written as ISO 8601 does, and no more of it than a cell shows.
struct CellDate {
    private let date: CivilTime
    /// Since midnight, or a sum of hours.
    private let seconds: Int
    /// Those of a sum of hours.
    private let elapsed: Int
    /// What a cell without a format of its own shows.
    var parts = DateParts.date

    /// That of a time of day.
    private static let noDate = CivilTime(year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0)

    init(_ date: CivilTime? = nil, seconds: Int, parts: DateParts = [.hour, .minute]) {
        (self.date, self.seconds, elapsed, self.parts) = (date ?? Self.noDate, seconds, seconds, parts)
    }

    /// Creates the date of a number of days; `nil` if it is out of the calendar.
    ///
    /// A value such as 0.395833333333333 is 09:30, so it is rounded to a second.
    ///
    /// - Parameter firstDay: The day that the workbook calls 0.
    init?(serial: Double, firstDay: Int) {
        // 9999-12-31, the last date of spreadsheets.
        guard serial >= 0, serial < 2_958_466 else { return nil }
        elapsed = Int((serial * 86_400).rounded())
        let total = elapsed + firstDay * 86_400
        seconds = total % 86_400
        let days = total / 86_400
        // Day 25,569 is 1970-01-01. Day 60 never was, and those before it are one later: Excel inherited that from
        // Lotus 1-2-3.
        date =
            days == 60
            ? CivilTime(year: 1900, month: 2, day: 29, hour: 0, minute: 0, second: 0)
            : CivilTime(daysSince1970: days - 25_569 + (days < 60 ? 1 : 0))
    }

    /// The name of the day of the week. A time of day has none.
    private var weekday: String {
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        return date == Self.noDate ? "" : names[date.weekday]
    }

    /// Appends the `parts`. A year that is not shown stays hidden. A day of the week is shown only where nothing else
    /// is.
    func append(_ parts: DateParts, to buffer: ByteBuffer) {
        if parts == .weekday { return buffer.append(utf8: weekday) }
        let start = buffer.count
        func add(_ number: Int, after separator: UInt8) {
            if buffer.count > start { buffer.append(separator) }
            if number < 100 { buffer.append(twoDigits: number) } else { buffer.append(decimal: number) }
        }
        let hyphen = UInt8(ascii: "-")
        if parts.contains(.year) {
            buffer.append(twoDigits: date.year / 100)
            buffer.append(twoDigits: date.year)
        }
        if parts.contains(.month) { add(date.month, after: hyphen) }
        // A year and a day need a month to be a date.
        if parts.contains(.day), !parts.contains(.year) || parts.contains(.month) { add(date.day, after: hyphen) }
        // The first part of a sum has all that no earlier one shows.
        var isSum = parts.contains(.elapsed)
        var rest = isSum ? elapsed : seconds
        var separator = UInt8(ascii: " ")
        for (part, unit) in [(DateParts.hour, 3_600), (.minute, 60), (.second, 1)] {
            if parts.contains(part) {
                add(rest / unit, after: separator)
                (separator, isSum) = (UInt8(ascii: ":"), false)
            }
            if !isSum { rest %= unit }
        }
    }
}

extension CellDate {
    /// Reads `2020-03-01`, `2020-03-01T09:30:00` or `09:30:00`.
    init?(iso text: String) {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        let (dateText, timeText) = text.contains("-") ? (halves[0], halves.dropFirst().first) : (nil, halves.last)
        var (date, seconds, parts) = (CivilTime?.none, 0, DateParts())
        if let dateText {
            let numbers = dateText.split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 3, (0...9999).contains(numbers[0]),
                let day = CivilTime(year: numbers[0], month: numbers[1], day: numbers[2])
            else { return nil }
            (date, parts) = (day, .date)
        }
        if let timeText {
            let numbers = timeText.split(separator: ":").compactMap { Double($0.prefix { $0.isNumber || $0 == "." }) }
            guard numbers.count >= 2, numbers.allSatisfy({ $0 < 1e6 }) else { return nil }
            let rest = numbers.count > 2 ? numbers[2] : 0
            seconds = Int((numbers[0] * 3600 + numbers[1] * 60 + rest).rounded())
            parts.formUnion([.hour, .minute])
        }
        self.init(date, seconds: seconds, parts: parts)
    }
}
