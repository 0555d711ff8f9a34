extension ByteBuffer {
    /// Appends UTF-8 `bytes` so that they show as text wherever HTML takes text or a quoted attribute value. Characters
    /// that no HTML document may contain become U+FFFD: noncharacters, and control characters other than tab, line feed
    /// and carriage return (HTML, "preprocessing the input stream").
    ///
    /// Eight bytes at a time are copied and, in one word, searched for those that may need a replacement: text without
    /// any costs little more than copying it.
    public func append(escapingHTML bytes: UnsafeRawBufferPointer) { append(bytes, escapesMarkup: true) }

    /// Appends markup as it is, but for the characters that no HTML document may contain.
    public func append(markup bytes: UnsafeRawBufferPointer) { append(bytes, escapesMarkup: false) }

    @inline(__always) private func append(_ bytes: UnsafeRawBufferPointer, escapesMarkup: Bool) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count + Self.wordSize)
        var offset = 0
        while offset < bytes.count {
            let left = bytes.count - offset
            let word =
                left >= Self.wordSize
                ? UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                : tail(of: bytes, from: offset)
            // Always the whole word: what is too much is overwritten by what comes next.
            base.storeBytes(of: word.littleEndian, toByteOffset: length, as: UInt64.self)
            let special = escapesMarkup ? word.bytesSpecialInHTML | word.bytesUnfitForHTML : word.bytesUnfitForHTML
            let plain = min(special == 0 ? Self.wordSize : special.trailingZeroBitCount / 8, left)
            length += plain
            offset += plain
            if plain < min(left, Self.wordSize) { offset += appendSpecial(bytes, at: offset, escapesMarkup) }
        }
    }

    /// Appends what stands for the character at `offset`, and keeps room for the rest and a word. Returns how many
    /// bytes of `bytes` that is.
    private func appendSpecial(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ escapesMarkup: Bool) -> Int {
        var count = 1
        switch bytes[offset] {
        case UInt8(ascii: "&") where escapesMarkup: append("&amp;")
        case UInt8(ascii: "<") where escapesMarkup: append("&lt;")
        case UInt8(ascii: ">") where escapesMarkup: append("&gt;")
        case UInt8(ascii: "\"") where escapesMarkup: append("&quot;")
        case UInt8(ascii: "'") where escapesMarkup: append("&#39;")
        case let byte:
            count = bytes.lengthOfUnfitCharacter(at: offset)
            if count > 0 { append("\u{FFFD}") } else { append(byte) }
            count = max(count, 1)
        }
        reserve(bytes.count - offset - count + Self.wordSize)
        return count
    }

    private static var wordSize: Int { 8 }

    /// Returns the bytes from `offset` on, at most seven, with the first one in the lowest byte.
    private func tail(of bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in stride(from: bytes.count - 1, through: offset, by: -1) { word = word << 8 | UInt64(bytes[index]) }
        return word
    }
}

extension UnsafeRawBufferPointer {
    /// How many bytes the character at `offset` has if no HTML document may contain it; 0 for all others.
    fileprivate func lengthOfUnfitCharacter(at offset: Int) -> Int {
        func byte(_ index: Int) -> UInt8 { offset + index < count ? self[offset + index] : 0 }
        switch self[offset] {
        case 0x09, 0x0A, 0x0D: return 0
        case 0..<0x20, 0x7F: return 1
        // U+0080 to U+009F
        case 0xC2: return 0x80...0x9F ~= byte(1) ? 2 : 0
        // U+FDD0 to U+FDEF, U+FFFE, U+FFFF
        case 0xEF:
            let isArabic = byte(1) == 0xB7 && 0x90...0xAF ~= byte(2)
            return isArabic || byte(1) == 0xBF && 0xBE...0xBF ~= byte(2) ? 3 : 0
        // The last two of every other plane
        case 0xF0...0xF4:
            return byte(1) & 0x0F == 0x0F && byte(2) == 0xBF && 0xBE...0xBF ~= byte(3) ? 4 : 0
        default: return 0
        }
    }
}

extension UInt64 {
    /// The high bit of each byte that is one of `&`, `'`, `"`, `<`, `>`. It is exact only up to the first, from the low
    /// end.
    fileprivate var bytesSpecialInHTML: UInt64 {
        // `&` and `'` differ in one bit, and so do `<` and `>`: three tests are enough for five characters.
        let ampersandOrApostrophe = (self | 0x0101_0101_0101_0101).bytesEqual(to: 0x2727_2727_2727_2727)
        let angle = (self | 0x0202_0202_0202_0202).bytesEqual(to: 0x3E3E_3E3E_3E3E_3E3E)
        let quote = bytesEqual(to: 0x2222_2222_2222_2222)
        return ampersandOrApostrophe | angle | quote
    }

    /// The high bit of each byte that may begin a character which no HTML document may contain; exact up to the first,
    /// from the low end.
    fileprivate var bytesUnfitForHTML: UInt64 {
        let highs: UInt64 = 0x8080_8080_8080_8080
        let controls = (self &- 0x2020_2020_2020_2020) & ~self & highs
        let ascii = controls | bytesEqual(to: 0x7F7F_7F7F_7F7F_7F7F)
        if self & highs == 0 { return ascii }
        // No UTF-8 text contains more than F4, so that four bits tell F0 to F4.
        let fourBytes = (self & 0xF0F0_F0F0_F0F0_F0F0).bytesEqual(to: 0xF0F0_F0F0_F0F0_F0F0)
        return ascii | bytesEqual(to: 0xC2C2_C2C2_C2C2_C2C2) | bytesEqual(to: 0xEFEF_EFEF_EFEF_EFEF) | fourBytes
    }

    /// The high bit of each byte that is the same as in `pattern`; exact up to the first, from the low end.
    private func bytesEqual(to pattern: UInt64) -> UInt64 {
        let difference = self ^ pattern
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }
}

/// HTML character references, as in the text of Stack Exchange's API. They are decoded once: `&amp;amp;` becomes
/// `&amp;`.
public enum HTMLEntities {
    /// Appends the decoded UTF-8 `bytes`. It decodes only the references that the API's encoder produces (numbers, and
    /// the names of HTML's special characters) and copies anything else unchanged.
    public static func append(decoding bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        var rest = bytes
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            buffer.append(UnsafeRawBufferPointer(rebasing: rest[..<ampersand]))
            rest = UnsafeRawBufferPointer(rebasing: rest[ampersand...])
            // 10: the longest reference is &#1114111;
            if let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(UnsafeRawBufferPointer(rebasing: rest[1..<end]))
            {
                buffer.append(utf8: String(scalar))
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            } else {
                buffer.append(UInt8(ascii: "&"))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
            }
        }
        buffer.append(rest)
    }

    private static func scalar(_ name: UnsafeRawBufferPointer) -> Unicode.Scalar? {
        if name.equals("amp") { return "&" }
        if name.equals("lt") { return "<" }
        if name.equals("gt") { return ">" }
        if name.equals("quot") { return "\"" }
        if name.equals("apos") { return "'" }
        if name.equals("nbsp") { return "\u{A0}" }
        guard name.first == UInt8(ascii: "#") else { return nil }
        let digits = String(decoding: name.dropFirst(), as: UTF8.self).lowercased()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}
