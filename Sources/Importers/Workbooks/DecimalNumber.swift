import Base
import Glibc

/// A number as spreadsheets show it: at most 15 decimal digits.
struct DecimalNumber {
    private(set) var isNegative: Bool
    /// The digits from the first that is not zero to the last; none for zero.
    private var digits: [UInt8]
    /// The number of digits before the point; negative if zeros follow the point.
    private var point: Int

    init?(_ value: Double) {
        guard value.isFinite else { return nil }
        isNegative = value < 0
        var text = [CChar](repeating: 0, count: 32)
        let count = text.count
        // One digit before the point and 14 after it.
        _ = withVaList([abs(value)]) { vsnprintf(&text, count, "%.14e", $0) }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let exponent = bytes.firstIndex(of: UInt8(ascii: "e")) ?? bytes.endIndex
        digits = bytes[..<exponent].filter { (48...57).contains($0) }.map { $0 - 48 }
        point = 1 + (Int(String(decoding: bytes[exponent...].dropFirst(), as: UTF8.self)) ?? 0)
        trim()
    }

    /// Reads a number as workbooks write it; `nil` for all else that a C library takes for one, such as `0x1F`, `nan`
    /// and `1,5`. White space may surround it.
    static func read(_ text: ByteBuffer) -> Double? {
        let isDecimal = text.bytes.allSatisfy { byte in
            byte &- 48 < 10 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                || byte | 0x20 == UInt8(ascii: "e") || byte.isBlank
        }
        guard isDecimal else { return nil }
        let count = text.count
        text.append(0)
        defer { text.truncate(to: count) }
        return text.base.withMemoryRebound(to: CChar.self, capacity: count + 1) { start in
            var end: UnsafeMutablePointer<CChar>?
            let number = strtod(start, &end)
            guard let end, end > start, number.isFinite else { return nil }
            return UnsafeRawBufferPointer(start: end, count: start + count - end).allSatisfy(\.isBlank) ? number : nil
        }
    }

    /// Multiplies by a power of ten.
    mutating func shift(by places: Int) { point += places }

    /// Rounds to `decimals` digits after the point, halves away from zero: on the digits that people see, not on the
    /// binary number.
    mutating func round(toDecimals decimals: Int) {
        let kept = point + decimals
        if kept >= digits.count { return }
        guard kept >= 0 else {
            digits = []
            return trim()
        }
        let roundsUp = digits[kept] >= 5
        digits.removeLast(digits.count - kept)
        if roundsUp {
            var index = digits.count - 1
            while index >= 0, digits[index] == 9 {
                digits[index] = 0
                index -= 1
            }
            if index >= 0 {
                digits[index] += 1
            } else {
                digits.insert(1, at: 0)
                point += 1
            }
        }
        trim()
    }

    private mutating func trim() {
        while digits.last == 0 { digits.removeLast() }
        while digits.first == 0 {
            digits.removeFirst()
            point -= 1
        }
        if digits.isEmpty { (point, isNegative) = (0, false) }
    }

    /// Appends the number without its sign, with at least `integers` digits before the point and `decimals` after it.
    func append(to buffer: ByteBuffer, integers: Int = 1, decimals: Int = 0) {
        // A number of 300 digits comes from no list of people.
        let point = min(max(point, -64), 320)
        for position in (point > integers ? 0 : point - integers)..<point { buffer.append(digit(at: position)) }
        let count = max(digits.count - point, decimals)
        if count <= 0 { return }
        buffer.append(UInt8(ascii: "."))
        for position in 0..<count { buffer.append(digit(at: point + position)) }
    }

    /// Returns the digit at an index of ``digits``, or a zero beside them.
    private func digit(at index: Int) -> UInt8 { 48 + (digits.indices.contains(index) ? digits[index] : 0) }
}
