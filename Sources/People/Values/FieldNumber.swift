import Base
import Foundation

/// Reads numbers as people write them.
public enum FieldNumber {
    /// Reads a number in one of the notations of ``FieldFormat/numbers``, or without thousands separators and with a
    /// decimal point if `format` is `nil`. Returns `nil` for anything else.
    public static func read(_ text: UnsafeRawBufferPointer, _ format: String?) -> Double? {
        guard let notation = Notation(format), (1...64).contains(text.count) else { return nil }
        // Whole numbers need no text.
        if let number = Int64(decimalDigits: text) { return Double(number) }
        var digits: [UInt8] = []
        digits.reserveCapacity(text.count)
        guard normalize(text, notation, into: &digits) else { return nil }
        let number = Double(String(decoding: digits, as: UTF8.self))
        return number?.isFinite == true ? number : nil
    }

    /// Returns an integer that sorts like the number `text`, with a decimal point and no thousands separators.
    public static func sortKey(_ text: UnsafeRawBufferPointer) -> Int64? { read(text, nil).map(sortKey) }

    /// Returns an integer that sorts like `number`: its bits, or, below zero, the negative of those of its amount.
    static func sortKey(_ number: Double) -> Int64 {
        let bits = Int64(bitPattern: number.bitPattern)
        return bits < 0 ? .min &- bits : bits
    }

    /// Returns the whole number whose sort key is `key`, or `nil` if there is none.
    static func wholeNumber(ofSortKey key: Int64) -> Int64? {
        Int64(exactly: Double(bitPattern: UInt64(bitPattern: key < 0 ? .min &- key : key)))
    }

    struct Notation {
        var point: UInt8
        /// The thousands separator, or 0 without one; a space stands for all spaces.
        var separator: UInt8

        init?(_ format: String?) {
            switch format {
            case nil, FieldFormat.plain: (point, separator) = (UInt8(ascii: "."), 0)
            case "1.234,5": (point, separator) = (UInt8(ascii: ","), UInt8(ascii: "."))
            case "1,234.5": (point, separator) = (UInt8(ascii: "."), UInt8(ascii: ","))
            case "1 234,5": (point, separator) = (UInt8(ascii: ","), UInt8(ascii: " "))
            default: return nil
            }
        }

        /// The length of the thousands separator that `rest` begins with; 0 for anything else.
        func separatorLength(_ rest: UnsafeRawBufferPointer) -> Int {
            guard separator != 0, let first = rest.first else { return 0 }
            if first == separator { return 1 }
            guard separator == UInt8(ascii: " ") else { return 0 }
            // The no-break space, and the narrow one.
            return rest.starts(with: "\u{A0}") ? 2 : rest.starts(with: "\u{202F}") ? 3 : 0
        }
    }

    /// Appends the number in Swift's notation. Each thousands separator must precede a group of three digits.
    private static func normalize(
        _ text: UnsafeRawBufferPointer, _ notation: Notation, into digits: inout [UInt8]
    ) -> Bool {
        var rest = text
        func drop(_ count: Int) { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        /// Takes the digits that come next, and returns how many there are.
        func takeDigits() -> Int {
            let found = rest.prefix { $0.isDigit }
            digits.append(contentsOf: found)
            drop(found.count)
            return found.count
        }
        // U+2212 is a minus sign, too.
        if let amount = rest.removingPrefix("-") ?? rest.removingPrefix("\u{2212}") {
            digits.append(UInt8(ascii: "-"))
            rest = amount
        } else if rest[0] == UInt8(ascii: "+") {
            drop(1)
        }
        let whole = takeDigits()
        var separator = notation.separatorLength(rest)
        guard separator == 0 ? whole > 0 : (1...3).contains(whole) else { return false }
        while separator > 0 {
            drop(separator)
            if takeDigits() != 3 { return false }
            separator = notation.separatorLength(rest)
        }
        if rest.first == notation.point {
            digits.append(UInt8(ascii: "."))
            drop(1)
            if takeDigits() == 0 { return false }
        }
        // JSON's exponents
        if notation.separator == 0, let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            digits.append(contentsOf: rest)
            return rest.dropFirst().allSatisfy { $0.isDigit || "-+".utf8.contains($0) }
        }
        return rest.isEmpty
    }
}

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
            let last = (28...31).compactMap({ days(year: year, month: months.upperBound, day: $0) }).last
        else { return nil }
        return Int64(first)...Int64(last)
    }

    static func days(year: Int, month: Int, day: Int) -> Int? {
        (1...9999).contains(year) ? CivilTime(year: year, month: month, day: day)?.daysSince1970 : nil
    }

    package struct Numbers {
        private(set) var values = (0, 0, 0)
        private var digits = (0, 0, 0)
        /// The character after the first number.
        package private(set) var separator: UInt8 = 0

        /// Whether the year comes first: it has four digits.
        package var isYearFirst: Bool { digits.0 == 4 }
        /// The year, if it comes last. Two digits mean 1970 to 2069.
        var lastYear: Int? {
            switch digits.2 {
            case 4: values.2
            case 2: values.2 + (values.2 < 70 ? 2000 : 1900)
            default: nil
            }
        }

        package init?(_ text: UnsafeRawBufferPointer) {
            guard (6...40).contains(text.count) else { return nil }
            var index = 0
            guard let first = Self.number(text, &index) else { return nil }
            if index < text.count { separator = text[index] }
            guard Self.skipSeparator(text, &index, or: "年", "년"), let second = Self.number(text, &index),
                Self.skipSeparator(text, &index, or: "月", "월"), let third = Self.number(text, &index)
            else { return nil }
            values = (first.value, second.value, third.value)
            digits = (first.digits, second.digits, third.digits)
            guard digits.1 <= 2, (isYearFirst ? digits.2 : digits.0) <= 2, Self.isEnd(text, index) else { return nil }
        }

        private static func number(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> (value: Int, digits: Int)? {
            let start = index
            var value = 0
            while index < text.count, text[index].isDigit, index - start < 4 {
                value = value * 10 + Int(text[index] &- 48)
                index += 1
            }
            return index == start ? nil : (value, index - start)
        }

        /// Skips `.`, `/`, `-` or one of two units, with any spaces after it.
        private static func skipSeparator(
            _ text: UnsafeRawBufferPointer, _ index: inout Int, or unit: StaticString, _ other: StaticString
        ) -> Bool {
            guard index < text.count else { return false }
            switch text[index] {
            case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"): index += 1
            default:
                let rest = UnsafeRawBufferPointer(rebasing: text[index...])
                guard rest.starts(with: unit) || rest.starts(with: other) else { return false }
                index += 3
            }
            while index < text.count, text[index] == 0x20 { index += 1 }
            return true
        }

        /// Returns whether a date may end at `index`: the text does, or a unit or a time of day follows.
        private static func isEnd(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
            if index == text.count { return true }
            let rest = UnsafeRawBufferPointer(rebasing: text[index...])
            if rest.starts(with: "日") || rest.starts(with: "일") { return rest.count == 3 }
            // Korean dates end with a full stop.
            if text[index] == UInt8(ascii: ".") { return index + 1 == text.count }
            guard text[index] == UInt8(ascii: "T") || text[index] == 0x20, index + 5 < text.count else { return false }
            return text[index + 1].isDigit && text[(index + 1)...].contains(UInt8(ascii: ":"))
        }
    }
}
