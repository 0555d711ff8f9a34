extension Int64 {
    /// Converts a validated JSON number, or returns `nil` if it is not an integer of 64 bits.
    init?(json bytes: UnsafeRawBufferPointer) {
        // Most numbers.
        if let digits = Int64(decimalDigits: bytes) {
            self = digits
            return
        }
        self = 0
        let end = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? bytes.count
        let point = bytes[..<end].firstIndex(of: UInt8(ascii: ".")) ?? end
        guard let last = bytes[..<end].lastIndex(where: { $0.digit ?? 0 > 0 }) else { return }
        let power = Self.exponent(bytes[end...].dropFirst()) + (last < point ? point - 1 - last : point - last)
        // 10^20 does not fit into 64 bits.
        guard (0..<20).contains(power) else { return nil }
        let sign: Int64 = bytes.first == UInt8(ascii: "-") ? -1 : 1
        for byte in bytes[...last] {
            if let digit = byte.digit, !append(digit * sign) { return nil }
        }
        for _ in 0..<power where !append(0) { return nil }
    }

    /// Appends a decimal digit, which has the sign of the number. Returns `false` if the number does not fit.
    private mutating func append(_ digit: Int64) -> Bool {
        let (tenfold, overflow) = multipliedReportingOverflow(by: 10)
        let (sum, carry) = tenfold.addingReportingOverflow(digit)
        self = sum
        return !overflow && !carry
    }

    /// Reads the exponent after `e`, limited to ±1,000,000.
    private static func exponent(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let value = bytes.lazy.compactMap(\.digit).reduce(0) { Swift.min($0 * 10 + $1, 1_000_000) }
        return Int(bytes.first == UInt8(ascii: "-") ? -value : value)
    }
}

extension UInt8 {
    @inline(__always) var digit: Int64? { isDigit ? Int64(self &- 48) : nil }
}
