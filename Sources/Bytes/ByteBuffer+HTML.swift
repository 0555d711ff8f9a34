extension ByteBuffer {
    /// Appends `bytes` so that they show as text wherever HTML takes text or a quoted attribute value.
    ///
    /// Eight bytes at a time are copied and, in one word, searched for the five that need an entity: text without
    /// any costs little more than copying it.
    public func append(escapingHTML bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count + Self.wordSize)
        var offset = 0
        while offset + Self.wordSize <= bytes.count {
            let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let plain = append(plainPartOf: word, upTo: Self.wordSize)
            offset += plain
            if plain < Self.wordSize {
                append(entityFor: bytes[offset], before: bytes.count - offset)
                offset += 1
            }
        }
        append(escapingHTML: tail(of: bytes, from: offset), count: bytes.count - offset)
    }

    /// The same for the last, up to seven, bytes: the low ones of `word`.
    private func append(escapingHTML word: UInt64, count: Int) {
        var (word, left) = (word, count)
        while left > 0 {
            let plain = append(plainPartOf: word, upTo: left)
            if plain == left { return }
            append(entityFor: UInt8(truncatingIfNeeded: word >> (plain * 8)), before: left)
            word >>= (plain + 1) * 8
            left -= plain + 1
        }
    }

    /// Appends the first bytes of `word`, at most `limit`, that need no entity; answers how many there are.
    @inline(__always) private func append(plainPartOf word: UInt64, upTo limit: Int) -> Int {
        // Always the whole word: what is too much is overwritten by what comes next.
        base.storeBytes(of: word.littleEndian, toByteOffset: length, as: UInt64.self)
        let special = word.bytesSpecialInHTML
        let plain = special == 0 ? limit : special.trailingZeroBitCount / 8
        length += plain
        return plain
    }

    /// Appends what stands for `byte`, and keeps room for `left` more bytes and a word.
    private func append(entityFor byte: UInt8, before left: Int) {
        switch byte {
        case UInt8(ascii: "&"): append("&amp;")
        case UInt8(ascii: "<"): append("&lt;")
        case UInt8(ascii: ">"): append("&gt;")
        case UInt8(ascii: "\""): append("&quot;")
        default: append("&#39;")
        }
        reserve(left + Self.wordSize)
    }

    private static var wordSize: Int { 8 }

    /// The up to seven bytes from `offset` on, the first in the lowest place.
    private func tail(of bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in stride(from: bytes.count - 1, through: offset, by: -1) { word = word << 8 | UInt64(bytes[index]) }
        return word
    }
}

extension UInt64 {
    /// The high bit of each byte that is one of `&`, `'`, `"`, `<`, `>`; exact up to the first, from the low end.
    fileprivate var bytesSpecialInHTML: UInt64 {
        // `&` and `'` differ in one bit, as do `<` and `>`: three tests do for five.
        let ampersandOrApostrophe = (self | 0x0101_0101_0101_0101).bytesEqual(to: 0x2727_2727_2727_2727)
        let angle = (self | 0x0202_0202_0202_0202).bytesEqual(to: 0x3E3E_3E3E_3E3E_3E3E)
        let quote = bytesEqual(to: 0x2222_2222_2222_2222)
        return ampersandOrApostrophe | angle | quote
    }

    /// The high bit of each byte that is the same as in `pattern`; exact up to the first, from the low end.
    private func bytesEqual(to pattern: UInt64) -> UInt64 {
        let difference = self ^ pattern
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }
}
