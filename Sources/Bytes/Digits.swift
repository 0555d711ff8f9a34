extension Int {
    /// The number with commas between groups of three digits: `1,234,567`.
    public var grouped: String {
        var digits = String(magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }
}

extension FixedWidthInteger {
    /// Reads a number written in decimal digits alone: no sign, no space. Returns `nil` for anything else, and for a
    /// number that does not fit.
    public init?(decimalDigits bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return nil }
        var number: Self = 0
        for byte in bytes {
            guard byte &- 48 < 10 else { return nil }
            let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Self(truncatingIfNeeded: byte &- 48))
            if overflow || carry { return nil }
            number = sum
        }
        self = number
    }
}
