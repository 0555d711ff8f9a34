import Base

extension ByteBuffer {
    /// Appends the UTF-8 `text` as a JSON string, in quotes.
    ///
    /// Besides the characters that JSON requires to be escaped, it escapes `<`, `>`, `&` and the line separators U+2028
    /// and U+2029, so that the result can be inserted into HTML and scripts.
    public func append(jsonString text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            let length = text.lengthToEscape(at: index)
            if length == 0 {
                index += 1
                continue
            }
            append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
            appendEscaped(length == 1 ? UInt16(text[index]) : 0x2000 | UInt16(text[index + 2] & 0x3F))
            index += length
            start = index
        }
        append(UnsafeRawBufferPointer(rebasing: text[start...]))
        append(UInt8(ascii: "\""))
    }

    /// Appends `text` as a JSON string, in quotes.
    public func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: UnsafeRawBufferPointer($0)) }
    }

    /// Appends the JSON value `value` without the white space between its tokens. The value must have been validated.
    public func append(compactJSON value: UnsafeRawBufferPointer) {
        var isInString = false
        var start = 0
        var index = 0
        while index < value.count {
            let byte = value[index]
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte.isJSONWhitespace {
                append(UnsafeRawBufferPointer(rebasing: value[start..<index]))
                start = index + 1
            }
            index += 1
        }
        append(UnsafeRawBufferPointer(rebasing: value[start...]))
    }

    private func appendEscaped(_ unit: UInt16) {
        append(UInt8(ascii: "\\"))
        switch unit {
        case 0x22, 0x5C: append(UInt8(unit))
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append(UInt8(ascii: "u"))
            append(hexadecimal: UInt64(unit), digits: 4)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the length in bytes of the character at `index` if it must be escaped, or 0.
    @inline(__always) fileprivate func lengthToEscape(at index: Int) -> Int {
        switch self[index] {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            1
        case 0xE2 where index + 2 < count && self[index + 1] == 0x80 && self[index + 2] & 0xFE == 0xA8: 3
        default: 0
        }
    }
}
