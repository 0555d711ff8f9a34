extension ByteBuffer {
    /// Appends UTF-8 `bytes` so that they show as text wherever HTML takes text or a quoted attribute value. Characters
    /// that no HTML document may contain become U+FFFD: noncharacters, and control characters other than tab, line feed
    /// and carriage return (HTML, "preprocessing the input stream").
    ///
    /// Eight bytes at a time are copied and, in one word, searched for those that may need a replacement: text without
    /// any costs little more than copying it.
    public func append(escapingHTML bytes: Bytes) {
        bytes.withUnsafeBytes { append($0, escapesMarkup: true, isPadded: false) }
    }

    /// Appends a part of `bytes` in the same way; it must end at least ``padding`` bytes before their end. Most texts
    /// of a page are so short that it matters how their last bytes are read.
    public func append(escapingHTML bytes: Bytes, padded slice: ByteSlice) {
        precondition(Int(slice.offset) &+ Int(slice.count) &+ Self.padding <= bytes.count)
        bytes.withUnsafeBytes { append($0[slice], escapesMarkup: true, isPadded: true) }
    }

    /// Appends a part of `bytes`, which is markup, as it is, but for the characters that no HTML document may contain.
    public func append(markup bytes: Bytes, _ slice: ByteSlice) {
        bytes[slice].withUnsafeBytes { append($0, escapesMarkup: false, isPadded: false) }
    }

    @inline(__always)
    private func append(_ bytes: UnsafeRawBufferPointer, escapesMarkup: Bool, isPadded: Bool) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count &+ Self.wordSize)
        var offset = 0
        while offset < bytes.count {
            let left = bytes.count &- offset
            let word =
                isPadded || left >= Self.wordSize
                ? UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                : Self.lastBytes(source + offset, left)
            // Always the whole word: what is too much is overwritten by what comes next.
            (base + length).storeBytes(of: word.littleEndian, as: UInt64.self)
            var special = word.bytesUnfitForHTML | (escapesMarkup ? word.bytesSpecialInHTML : 0)
            // The bytes after a padded text do not count.
            if isPadded, left < Self.wordSize { special &= 1 &<< UInt64(truncatingIfNeeded: left &* 8) &- 1 }
            if special == 0 {
                length &+= min(left, Self.wordSize)
                offset &+= Self.wordSize
            } else {
                let plain = special.trailingZeroBitCount &>> 3
                length &+= plain
                offset &+= plain
                offset &+= appendSpecial(bytes, at: offset, escapesMarkup)
            }
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

    /// Returns the first `count` bytes, one to seven, with the first one in the lowest byte, and spaces above them.
    private static func lastBytes(_ source: UnsafeRawPointer, _ count: Int) -> UInt64 {
        var word: UInt64 = 0x2020_2020_2020_2020
        withUnsafeMutableBytes(of: &word) { $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: count)) }
        return UInt64(littleEndian: word)
    }
}

extension UnsafeRawBufferPointer {
    /// How many bytes the character at `offset` has if no HTML document may contain it; 0 for all others.
    fileprivate func lengthOfUnfitCharacter(at offset: Int) -> Int {
        var end = offset
        guard let scalar = utf8Scalar(at: &end) else { return 0 }
        return switch scalar.value {
        case 0x09, 0x0A, 0x0D: 0
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: end - offset
        // The last two of each plane.
        case let value where value & 0xFFFE == 0xFFFE: end - offset
        default: 0
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a byte is a control character of ASCII.
    public var hasControls: Bool {
        var index = 0
        while index &+ 8 <= count {
            if loadUnaligned(fromByteOffset: index, as: UInt64.self).bytesThatAreControls != 0 { return true }
            index &+= 8
        }
        return self[index...].contains { $0 < 0x20 || $0 == 0x7F }
    }
}

extension UInt64 {
    /// The high bit of each byte that is one of `&`, `'`, `"`, `<`, `>`, or `#`, which is rare and only copied more
    /// slowly. It is exact only up to the first, from the low end.
    @inline(__always)
    fileprivate var bytesSpecialInHTML: UInt64 {
        // `"`, `#`, `&` and `'` differ in two bits, `<` and `>` in one: two tests are enough for five characters.
        let quoteOrAmpersand = (self | 0x0505_0505_0505_0505).bytesEqual(to: 0x2727_2727_2727_2727)
        let angle = (self | 0x0202_0202_0202_0202).bytesEqual(to: 0x3E3E_3E3E_3E3E_3E3E)
        return quoteOrAmpersand | angle
    }

    /// The high bit of each byte that may begin a character which no HTML document may contain; exact up to the first,
    /// from the low end.
    @inline(__always)
    fileprivate var bytesUnfitForHTML: UInt64 {
        let ascii = bytesThatAreControls
        if self & 0x8080_8080_8080_8080 == 0 { return ascii }
        // No UTF-8 text contains more than F4, so that four bits tell F0 to F4.
        let fourBytes = (self & 0xF0F0_F0F0_F0F0_F0F0).bytesEqual(to: 0xF0F0_F0F0_F0F0_F0F0)
        return ascii | bytesEqual(to: 0xC2C2_C2C2_C2C2_C2C2) | bytesEqual(to: 0xEFEF_EFEF_EFEF_EFEF) | fourBytes
    }

    /// The high bit of each byte that is a control character of ASCII; exact up to the first, from the low end.
    @inlinable @inline(__always)
    public var bytesThatAreControls: UInt64 {
        (self &- 0x2020_2020_2020_2020) & ~self & 0x8080_8080_8080_8080 | bytesEqual(to: 0x7F7F_7F7F_7F7F_7F7F)
    }

    /// The high bit of each byte that is the same as in `pattern`; exact up to the first, from the low end.
    @inlinable @inline(__always)
    func bytesEqual(to pattern: UInt64) -> UInt64 {
        let difference = self ^ pattern
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }
}

/// HTML character references, as in the text of Stack Exchange's API. They are decoded once: `&amp;amp;` becomes
/// `&amp;`.
public enum HTMLEntities {
    /// Appends the decoded `text`. It decodes only the references that the API's encoder produces (numbers, and the
    /// names of HTML's special characters) and copies anything else unchanged.
    public static func append(decoding text: ByteBuffer, to buffer: ByteBuffer) {
        text.withBytes { text in
            var start = 0
            while let ampersand = text.firstIndex(of: UInt8(ascii: "&"), from: start) {
                buffer.append(text[start..<ampersand])
                // 10: the longest reference is &#1114111;
                let reference = text[ampersand..<min(ampersand + 10, text.count)]
                if let end = reference.firstIndex(of: UInt8(ascii: ";")), let scalar = scalar(reference[1..<end]) {
                    buffer.append(utf8: String(scalar))
                    start = ampersand + end + 1
                } else {
                    buffer.append(UInt8(ascii: "&"))
                    start = ampersand + 1
                }
            }
            buffer.append(text[start...])
        }
    }

    /// The character that a reference stands for: `amp`, `#38`, `#x26`; `nil` for any other name.
    public static func scalar(_ name: Bytes) -> Unicode.Scalar? {
        guard name.first == UInt8(ascii: "#") else { return names.first { name.equals($0.name) }?.scalar }
        let digits = String(name.dropFirst()).lowercased()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }

    private static let names: [(name: StaticString, scalar: Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("nbsp", "\u{A0}"),
    ]
}
