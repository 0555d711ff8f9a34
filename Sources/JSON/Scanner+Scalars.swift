import Base

extension Scanner {
    /// Skips a string, including its quotes. Returns whether it has escapes.
    mutating func skipString() throws(JSONError) -> Bool {
        let start = position
        var hasEscapes = false
        position += 1
        while true {
            skipPlainBytes()
            guard position < bytes.count else {
                throw JSONError(offset: start, message: "expected the closing quote of a string, found the end")
            }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            case 0..<0x20: throw unexpected("a control character escaped")
            case 0x80...: try skipMultibyte()
            default: position += 1
            }
        }
    }

    /// Skips eight bytes at a time while all of them are ASCII and none is a quote, a backslash or a control character.
    @inline(__always) private mutating func skipPlainBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            // The high bit of a byte is set if the byte is below 0x20, is a quote or backslash, or had its high bit set
            // already. A borrow can only corrupt bytes above the first such byte.
            let found =
                (word &- ones &* 0x20) | ((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones) | word
            let marks = found & (ones &* 0x80)
            if marks != 0 {
                position += marks.trailingZeroBitCount >> 3
                return
            }
            position += 8
        }
    }

    private mutating func skipEscape() throws(JSONError) {
        position += 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard next.isHexDigit else { throw unexpected("four hexadecimal digits") }
                position += 1
            }
        default: throw unexpected("one of \"\\/bfnrtu after a backslash")
        }
    }

    private mutating func skipMultibyte() throws(JSONError) {
        let length = bytes.utf8SequenceLength(at: position)
        if length == 0 { throw unexpected("UTF-8") }
        position += length
    }

    /// Skips a number, `true`, `false` or `null`, and returns its kind.
    mutating func skipLiteral() throws(JSONError) -> JSONValue.Kind {
        switch next {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber()
            return .number
        case UInt8(ascii: "t"):
            try skip("true")
            return .bool
        case UInt8(ascii: "f"):
            try skip("false")
            return .bool
        case UInt8(ascii: "n"):
            try skip("null")
            return .null
        default: throw unexpected("a value")
        }
    }

    private mutating func skip(_ word: StaticString) throws(JSONError) {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, UnsafeRawBufferPointer(rebasing: bytes[position..<end]).equals(word) else {
            throw unexpected("a value")
        }
        position = end
    }

    /// RFC 8259 §6: no leading zeros, no leading plus, digits on both sides of the point.
    private mutating func skipNumber() throws(JSONError) {
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
        if takeIfNext(UInt8(ascii: ".")) { try skipDigits() }
        if next | 0x20 == UInt8(ascii: "e") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONError) {
        guard next.digit != nil else { throw unexpected("a digit") }
        while next.digit != nil { position += 1 }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { digit != nil || (self | 0x20) &- 97 < 6 }
}

extension UnsafeRawBufferPointer {
    /// Returns the length of the well-formed UTF-8 sequence at `index` (Unicode 16, table 3-7), or 0 if it is not
    /// well-formed.
    func utf8SequenceLength(at index: Int) -> Int {
        let first = self[index]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0..<0x80: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return 0
        }
        guard index + length <= count, second.contains(self[index + 1]) else { return 0 }
        for offset in 2..<Swift.max(length, 2) where self[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
