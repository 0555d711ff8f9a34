import Base
import Glibc

/// A number as spreadsheets show it: at most 15 decimal digits.
struct DecimalNumber {
    private(set) var isNegative: Bool
    /// The digits from the first that is not zero to the last; none for zero.
    private var significant: [UInt8]
    /// The number of digits before the point; negative if zeros follow the point.
    private var point: Int

    /// - Parameter value: A number that is finite, as those of ``read(_:)`` are.
    init(_ value: Double) {
        isNegative = value < 0
        var text = [CChar](repeating: 0, count: 32)
        let count = text.count
        // One digit before the point and 14 after it.
        _ = withVaList([abs(value)]) { vsnprintf(&text, count, "%.14e", $0) }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let exponent = bytes.firstIndex(of: UInt8(ascii: "e")) ?? bytes.endIndex
        significant = bytes[..<exponent].filter(\.isDigit).map { $0 - 48 }
        point = 1 + (Int(String(decoding: bytes[exponent...].dropFirst(), as: UTF8.self)) ?? 0)
        trim()
    }

    /// Reads a number as workbooks write it; `nil` for all else that a C library takes for one, such as `0x1F`, `nan`
    /// and `1,5`. White space may surround it.
    static func read(_ text: ByteBuffer) -> Double? {
        let isDecimal = text.bytes.allSatisfy { byte in
            switch byte {
            // Digits, `+`, `-`, `.`, `E`, `e`.
            case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
            default: byte.isWhitespace
            }
        }
        guard isDecimal else { return nil }
        let count = text.count
        text.append(0)
        defer { text.truncate(to: count) }
        return text.base.withMemoryRebound(to: CChar.self, capacity: count + 1) { start in
            var end: UnsafeMutablePointer<CChar>?
            let number = strtod(start, &end)
            guard let end, end > start, number.isFinite else { return nil }
            return text.bytes[(end - start)..<count].allSatisfy(\.isWhitespace) ? number : nil
        }
    }

    /// Multiplies by a power of ten.
    mutating func shift(by places: Int) { if !significant.isEmpty { point += places } }

    /// Rounds to `decimals` digits after the point, halves away from zero: on the digits that people see, not on the
    /// binary number.
    mutating func round(toDecimals decimals: Int) {
        let kept = point + decimals
        if kept >= significant.count { return }
        let roundsUp = kept >= 0 && significant[kept] >= 5
        // A zero in front, which goes again, takes what nines carry.
        significant = [0] + significant.prefix(max(0, kept))
        point += 1
        if roundsUp {
            let index = significant.lastIndex { $0 < 9 } ?? 0
            significant.removeLast(significant.count - 1 - index)
            significant[index] += 1
        }
        trim()
    }

    private mutating func trim() {
        while significant.last == 0 { significant.removeLast() }
        while significant.first == 0 {
            significant.removeFirst()
            point -= 1
        }
        if significant.isEmpty { (point, isNegative) = (0, false) }
    }

    /// The digits before and behind the point in ASCII, without zeros that mean nothing.
    var digits: (whole: [UInt8], decimals: [UInt8]) {
        // A number of 300 digits comes from no list of people.
        let point = min(max(point, -64), 320)
        let digit = { (index: Int) in 48 + (significant.indices.contains(index) ? significant[index] : 0) }
        return ((0..<max(point, 0)).map(digit), (point..<max(significant.count, point)).map(digit))
    }

    /// Appends the number without any format.
    func append(to buffer: ByteBuffer) {
        if isNegative { buffer.append(UInt8(ascii: "-")) }
        let (whole, decimals) = digits
        buffer.append(whole.isEmpty ? [UInt8(ascii: "0")] : whole)
        if decimals.isEmpty { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(decimals)
    }
}
