extension Int64 {
    /// Converts a validated JSON number, or returns `nil` if it is not an integer of 64 bits.
    init?(json bytes: UnsafeRawBufferPointer) {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var number = Decimal()
        var index = isNegative ? 1 : 0
        /// The number that each digit adds to the exponent: 0 before the point.
        var place = 0
        while index < bytes.count {
            if let digit = bytes[index].digit {
                number.append(digit)
                number.exponent += place
            } else if bytes[index] == UInt8(ascii: ".") {
                place = -1
            } else {
                number.exponent += Decimal.exponent(UnsafeRawBufferPointer(rebasing: bytes[(index + 1)...]))
                break
            }
            index += 1
        }
        guard let magnitude = number.whole, magnitude <= (isNegative ? Int64.min : .max).magnitude else { return nil }
        self = isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
    }
}

/// A decimal number as a significand and a power of ten.
struct Decimal {
    private var significand: UInt64 = 0
    private var overflows = false
    /// The zeros that are held back until another digit follows, so that `1.000…` does not overflow.
    private var zeros = 0
    var exponent = 0

    mutating func append(_ digit: UInt64) {
        if digit == 0 {
            zeros += 1
            return
        }
        multiply(powerOfTen: zeros + 1)
        zeros = 0
        let (sum, overflow) = significand.addingReportingOverflow(digit)
        significand = sum
        overflows = overflows || overflow
    }

    /// The value, if it is an integer that fits into 64 bits.
    var whole: UInt64? {
        var result = self
        let power = exponent + zeros
        if significand == 0, !overflows { return 0 }
        guard power >= 0 else { return nil }  // The last digit of the significand is not zero.
        result.multiply(powerOfTen: power)
        return result.overflows ? nil : result.significand
    }

    private mutating func multiply(powerOfTen: Int) {
        if significand == 0 { return }
        // 10^20 does not fit into 64 bits.
        guard powerOfTen < 20 else {
            overflows = true
            return
        }
        for _ in 0..<powerOfTen {
            let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
            significand = product
            overflows = overflows || overflow
        }
    }

    /// Reads the exponent after `e`, limited to ±1,000,000.
    static func exponent(_ bytes: UnsafeRawBufferPointer) -> Int {
        var value = 0
        for byte in bytes {
            if let digit = byte.digit { value = min(value * 10 + Int(digit), 1_000_000) }
        }
        return bytes.first == UInt8(ascii: "-") ? -value : value
    }
}

extension UInt8 {
    @inline(__always) var digit: UInt64? { self &- 48 < 10 ? UInt64(self &- 48) : nil }
}
