import Base

/// The classes of octets in the grammars of RFC 9110 and RFC 9112.
extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")

    @inline(__always) var isDigit: Bool { self &- 48 < 10 }
    @inline(__always) var isLetter: Bool { (self | 0x20) &- 97 < 26 }
    @inline(__always) var isBlank: Bool { self == .space || self == .tab }
    @inline(__always) var isControl: Bool { self < 0x20 || self == 0x7F }

    /// `tchar` (RFC 9110 §5.6.2), looked up in a bitmap: letters, digits and ``!#$%&'*+-.^_`|~``.
    @inline(__always) var isTokenCharacter: Bool {
        if self < 64 { return (0x03FF_6CFA_0000_0000 as UInt64) >> UInt64(self) & 1 == 1 }
        if self < 128 { return (0x57FF_FFFF_C7FF_FFFE as UInt64) >> UInt64(self & 63) & 1 == 1 }
        return false
    }

    /// `VCHAR`, `obs-text`, space or tab (RFC 9110 §5.5).
    @inline(__always) var isFieldCharacter: Bool { !isControl || self == .tab }

    /// The value of a hexadecimal digit.
    @inline(__always) var hexadecimalValue: UInt8? {
        if isDigit { return self &- 48 }
        let letter = (self | 0x20) &- 97
        return letter < 6 ? letter + 10 : nil
    }

    /// The lower-case form of an ASCII letter, or the byte itself.
    @inline(__always) var lowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
}

extension UnsafeRawBufferPointer {
    /// The bytes without the white space around them.
    var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// The bytes read as a decimal number, or `nil` if any byte is not a digit or the number does not fit into `Int`.
    var decimal: Int? { Int(decimalDigits: self) }

    /// Calls `body` with every element of a comma-separated list without quoted strings, including empty elements (RFC
    /// 9110 §5.6.1). It stops when `body` returns `false`.
    @usableFromInline func forEachListElement(_ body: (UnsafeRawBufferPointer) -> Bool) {
        var start = 0
        for index in 0...count where index == count || self[index] == UInt8(ascii: ",") {
            guard body(UnsafeRawBufferPointer(rebasing: self[start..<index]).trimmed) else { return }
            start = index + 1
        }
    }
}
