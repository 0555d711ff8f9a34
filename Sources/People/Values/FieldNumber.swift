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

    /// Returns an integer that sorts like `number`.
    static func sortKey(_ number: Double) -> Int64 {
        let bits = Int64(bitPattern: (number == 0 ? 0 : number).bitPattern)
        return bits < 0 ? bits ^ .max : bits
    }

    /// The characters of a notation.
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
    }

    /// Appends the number in Swift's notation. Each thousands separator must precede a group of three digits.
    private static func normalize(
        _ text: UnsafeRawBufferPointer, _ notation: Notation, into digits: inout [UInt8]
    ) -> Bool {
        var index = 0
        // U+2212, a minus sign
        if text.count > 3, text[0] == 0xE2, text[1] == 0x88, text[2] == 0x92 {
            digits.append(UInt8(ascii: "-"))
            index = 3
        } else if text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
            if text[0] == UInt8(ascii: "-") { digits.append(text[0]) }
            index = 1
        }
        var whole = 0
        /// The digits since the last separator; `nil` before the first one.
        var group: Int?
        while index < text.count {
            let byte = text[index]
            let separator = separatorLength(text, index, notation)
            if byte &- 48 < 10 {
                digits.append(byte)
                whole += 1
                if let count = group { group = count + 1 }
                index += 1
            } else if separator > 0 {
                guard group == nil ? (1...3).contains(whole) : group == 3 else { return false }
                group = 0
                index += separator
            } else {
                break
            }
        }
        guard whole > 0, group == nil || group == 3 else { return false }
        if index == text.count { return true }
        if text[index] == notation.point {
            digits.append(UInt8(ascii: "."))
            let start = index + 1
            index = start
            while index < text.count, text[index] &- 48 < 10 {
                digits.append(text[index])
                index += 1
            }
            if index == start { return false }
        }
        // JSON's exponents
        if index < text.count, notation.separator == 0, text[index] | 0x20 == UInt8(ascii: "e") {
            digits.append(contentsOf: text[index...])
            return text[(index + 1)...].allSatisfy {
                $0 &- 48 < 10 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
            }
        }
        return index == text.count
    }

    private static func separatorLength(_ text: UnsafeRawBufferPointer, _ index: Int, _ notation: Notation) -> Int {
        if notation.separator == 0 { return 0 }
        if text[index] == notation.separator { return 1 }
        guard notation.separator == UInt8(ascii: " ") else { return 0 }
        // U+00A0, and U+202F, the narrow one
        if text[index] == 0xC2, index + 1 < text.count, text[index + 1] == 0xA0 { return 2 }
        let isNarrow =
            text[index] == 0xE2 && index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] == 0xAF
        return isNarrow ? 3 : 0
    }
}
