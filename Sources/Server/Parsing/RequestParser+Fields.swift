import Base

/// `*( field-line CRLF ) CRLF` (RFC 9112 §5).
extension HeadScanner {
    mutating func scanFields(into head: inout RequestHead) throws(Stop) {
        var rules = FieldRules()
        while try byte() != .carriageReturn {
            if head.fields.count == limits.maxFields {
                throw .refused(.requestHeaderFieldsTooLarge, "The request has more than \(limits.maxFields) fields.")
            }
            let name = try scanFieldName()
            let value = try scanFieldValue()
            head.fields.append(.init(name: name, value: value))
            try rules.note(name: bytes[name], value: bytes[value], at: value, in: &head)
        }
        try takeLineEnd()
        try rules.finish(&head)
    }

    private mutating func scanFieldName() throws(Stop) -> ByteSlice {
        let start = position
        // Counting in a local variable halves the cost.
        var end = start
        while end + 8 <= bytes.count {
            let others = Self.others(in: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            if others != 0 {
                end += others.trailingZeroBitCount / 8
                break
            }
            end += 8
        }
        while end < bytes.count, bytes[end].isTokenCharacter { end += 1 }
        position = end
        let byte = try byte()
        // §5.1: white space before the colon must be rejected. §5.2: a line that starts with it is folded, which is
        // obsolete.
        if byte.isBlank {
            throw .bad(
                position == start
                    ? "A field must not be folded over several lines."
                    : "The colon must follow the field name directly.")
        }
        guard byte == UInt8(ascii: ":"), position > start else {
            throw .bad("A field must be a name, a colon and a value.")
        }
        position += 1
        return ByteSlice(start..<(position - 1))
    }

    /// Returns the highest bit of each of eight bytes that is neither a letter nor a hyphen. Most names have no others.
    @inline(__always) private static func others(in bytes: UInt64) -> UInt64 {
        let eight = UInt64(littleEndian: bytes)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // Sums of seven bits: no byte carries into the next one.
        let lowercase = (eight | ones &* 0x20) & ~highs
        let letters = (lowercase &+ ones &* (0x80 - 0x61)) & ~(lowercase &+ ones &* (0x80 - 0x7B))
        let notHyphens = ((eight ^ ones &* 0x2D) & ~highs) &+ ~highs
        return (~letters & notHyphens | eight) & highs
    }

    private mutating func scanFieldValue() throws(Stop) -> ByteSlice {
        while try byte().isBlank { position += 1 }
        let start = position
        try skipFieldCharacters()
        guard bytes[position] == .carriageReturn else {
            throw .bad("A field value must not hold control characters, and its line must end in CR LF.")
        }
        var end = position
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        try takeLineEnd()
        return ByteSlice(start..<end)
    }

    /// Skips to the first byte that no field value may contain, eight bytes at a time where possible.
    private mutating func skipFieldCharacters() throws(Stop) {
        while true {
            while position + 8 <= bytes.count {
                let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                let controls = Self.controls(in: eight)
                if controls != 0 {
                    position += controls.trailingZeroBitCount / 8
                    break
                }
                position += 8
            }
            guard try byte().isFieldCharacter else { return }
            position += 1
        }
    }

    /// Returns the highest bit of each of eight bytes that is 0x7F or below 0x20. Bytes above the first such
    /// byte may be marked wrongly.
    @inline(__always) private static func controls(in eight: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let delete = eight ^ (ones &* 0x7F)
        return ((eight &- ones &* 0x20) & ~eight | (delete &- ones) & ~delete) & highs
    }
}
