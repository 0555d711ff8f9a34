import Base

/// Reads dates as people write them.
public enum FieldDate {
    /// Reads a date, in days since 1970-01-01. Dates that begin with the year (ISO 8601, `2019/03/01`, `2019年3月1日`)
    /// need no format; others have day, month and year in the order of `format` (`dmy`, `mdy`). A time after the date
    /// is ignored. Returns `nil` for anything else, and for days that do not exist.
    public static func read(_ text: UnsafeRawBufferPointer, _ format: String?) -> Int? {
        guard let numbers = Numbers(text) else { return nil }
        let (first, second, third) = numbers.values
        if numbers.isYearFirst { return days(year: first, month: second, day: third) }
        guard let year = numbers.lastYear else { return nil }
        switch format {
        case "dmy": return days(year: year, month: second, day: first)
        case "mdy": return days(year: year, month: first, day: second)
        default: return nil
        }
    }

    /// Reads a date that begins with the year, or a year, or a month such as `2020-05`. Returns all days that it stands
    /// for, in days since 1970-01-01.
    public static func days(_ text: UnsafeRawBufferPointer) -> ClosedRange<Int64>? {
        if let day = read(text, nil) { return Int64(day)...Int64(day) }
        let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64(decimalDigits: UnsafeRawBufferPointer(rebasing: $0)) }
        guard parts.count <= 2, numbers.count == parts.count, parts[0].count == 4, parts.last?.count ?? 0 <= 4 else {
            return nil
        }
        let year = Int(numbers[0])
        let months = numbers.count == 2 ? Int(numbers[1])...Int(numbers[1]) : 1...12
        guard let first = days(year: year, month: months.lowerBound, day: 1),
            let last = days(year: year, month: months.upperBound, day: 1)
        else { return nil }
        return Int64(first)...Int64(last + length(ofMonth: months.upperBound, year) - 1)
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year) else {
            return nil
        }
        let time = CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
        // Whole days: the division has no remainder.
        return time.secondsSince1970 / 86400
    }

    /// The three numbers of a date.
    struct Numbers {
        private(set) var values = (0, 0, 0)
        private var digits = (0, 0, 0)
        /// The character after the first number.
        private(set) var separator: UInt8 = 0

        /// Whether the year comes first: it has four digits.
        var isYearFirst: Bool { digits.0 == 4 }
        /// The year, if it comes last. Two digits mean 1970 to 2069.
        var lastYear: Int? {
            switch digits.2 {
            case 4: values.2
            case 2: values.2 + (values.2 < 70 ? 2000 : 1900)
            default: nil
            }
        }

        init?(_ text: UnsafeRawBufferPointer) {
            guard (6...40).contains(text.count) else { return nil }
            var index = 0
            guard let first = Self.number(text, &index) else { return nil }
            if index < text.count { separator = text[index] }
            guard Self.skipSeparator(text, &index, isFirst: true), let second = Self.number(text, &index),
                Self.skipSeparator(text, &index, isFirst: false), let third = Self.number(text, &index)
            else { return nil }
            values = (first.value, second.value, third.value)
            digits = (first.digits, second.digits, third.digits)
            guard digits.0 == 4 ? digits.1 <= 2 && digits.2 <= 2 : digits.0 <= 2 && digits.1 <= 2 else { return nil }
            guard Self.isEnd(text, index) else { return nil }
        }

        private static func number(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> (value: Int, digits: Int)? {
            let start = index
            var value = 0
            while index < text.count, text[index] &- 48 < 10, index - start < 4 {
                value = value * 10 + Int(text[index] &- 48)
                index += 1
            }
            return index == start ? nil : (value, index - start)
        }

        /// Skips `.`, `/` or `-`, with any spaces after it, or one of 年月 and 년월.
        private static func skipSeparator(_ text: UnsafeRawBufferPointer, _ index: inout Int, isFirst: Bool) -> Bool {
            guard index < text.count else { return false }
            switch text[index] {
            case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"): index += 1
            default:
                let units: [StaticString] = isFirst ? ["年", "년"] : ["月", "월"]
                guard units.contains(where: { text.has($0, at: index) }) else { return false }
                index += 3
            }
            while index < text.count, text[index] == 0x20 { index += 1 }
            return true
        }

        /// Returns whether a date may end at `index`: the text does, or a unit or a time of day follows.
        private static func isEnd(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
            if index == text.count { return true }
            for unit in ["日", "일"] as [StaticString] where text.has(unit, at: index) { return index + 3 == text.count }
            // Korean dates end with a full stop.
            if text[index] == UInt8(ascii: ".") { return index + 1 == text.count }
            guard text[index] == UInt8(ascii: "T") || text[index] == 0x20, index + 5 < text.count else { return false }
            return text[index + 1] &- 48 < 10 && text[(index + 1)...].contains(UInt8(ascii: ":"))
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func has(_ text: StaticString, at index: Int) -> Bool {
        index + text.utf8CodeUnitCount <= count
            && UnsafeRawBufferPointer(rebasing: self[index..<(index + text.utf8CodeUnitCount)]).equals(text)
    }
}
