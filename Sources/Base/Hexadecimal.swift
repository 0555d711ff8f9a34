extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits of the number, in lower case: two for a byte, eight for 32 bits.
    public var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension FixedWidthInteger {
    /// Reads hexadecimal digits in lower case, as many as the number has at most; `nil` for any other byte.
    @inlinable public init?(lowercaseHexadecimal digits: UnsafeRawBufferPointer) {
        self = 0
        for byte in digits {
            guard let digit = byte.hexadecimalValue, byte == byte.lowercased else { return nil }
            self = self << 4 | Self(digit)
        }
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII, in lower or upper case; `nil` for any other byte.
    @inlinable @inline(__always) public var hexadecimalValue: UInt8? {
        if isDigit { return self &- 48 }
        let letter = (self | 0x20) &- 97
        return letter < 6 ? letter + 10 : nil
    }

    /// Reads a byte from exactly two hexadecimal digits in ASCII.
    public init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 2, let high = digits.first?.hexadecimalValue,
            let low = digits.dropFirst().first?.hexadecimalValue
        else { return nil }
        self = high << 4 | low
    }
}
