import Base
import Foundation

extension String {
    /// The form in which logins, names and search words are compared and sorted: without case, and in normal form C, so
    /// that letters match whether they were typed as one code point or several.
    ///
    /// It is lowercased, uppercased and lowercased again: only that makes `ẞ`, `ß` and `ss` equal, and `ς` and `σ`.
    public var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        return precomposedStringWithCanonicalMapping.lowercased().uppercased().lowercased()
            .precomposedStringWithCanonicalMapping
    }

    /// The letters without the marks on them.
    var withoutMarks: String {
        String(
            decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                $0.properties.generalCategory != .nonspacingMark
            })
    }
}

extension ByteBuffer {
    /// Appends the folded `text`, scalar by scalar. Returns `false`, with a part of it appended, if the result may be
    /// wrong.
    ///
    /// Most names consist of scalars that fold independently of their neighbours. Foundation's normalization takes a
    /// microsecond for a name with one accent, which is a fifth of the time an import has for a user.
    func append(foldingScalars text: UnsafeRawBufferPointer) -> Bool {
        var isFolded = false
        // A scalar of two bytes may become seven bytes, and whole words are stored.
        append(upTo: text.count * 4 + 8) { room in
            var written = 0
            var index = 0
            while index < text.count {
                let byte = text[index]
                if byte < 0x80 {
                    room[written] = byte.lowercased
                    written += 1
                    index += 1
                    continue
                }
                let (value, length) = text.shortScalar(at: index)
                if FoldedScalars.isItself(value) {
                    for offset in 0..<3 { room[written + offset] = text[index + offset] }
                    written += 3
                } else {
                    let entry = FoldedScalars.entry(value)
                    if entry == 0 { break }
                    room.storeBytes(of: entry.littleEndian, toByteOffset: written, as: UInt64.self)
                    written += Int(entry >> 56)
                }
                index += length
            }
            isFolded = index == text.count
            return written
        }
        return isFolded
    }
}

/// The folded forms of scalars that neither compose with a neighbour nor are reordered (UAX #15).
enum FoldedScalars {
    /// All scalars with two bytes in UTF-8 (Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic), and further ones of
    /// Latin, as in Vietnamese, and of Greek.
    private static let scalars = Array(0..<0x800) + Array(0x1E00..<0x2000)
    /// For each scalar, the folded UTF-8 in the low bytes and its length in the highest; 0 for combining marks.
    private static let table: [UInt64] = scalars.map { value in
        guard value >= 0x80, let scalar = Unicode.Scalar(value),
            scalar.properties.canonicalCombiningClass == .notReordered
        else { return 0 }
        let folded = String(scalar).folded.utf8
        guard folded.count < 8 else { return 0 }
        return folded.enumerated().reduce(UInt64(folded.count) << 56) {
            $0 | UInt64($1.element) << (8 * UInt64($1.offset))
        }
    }

    @inline(__always) static func entry(_ scalar: Int) -> UInt64 {
        if scalar < 0x800 { return table[scalar] }
        return (0x1E00..<0x2000).contains(scalar) ? table[scalar - 0x1E00 + 0x800] : 0
    }

    /// Returns whether a scalar is its own folded form: kana, Han, Hangul syllables, dashes and quotes.
    @inline(__always) static func isItself(_ scalar: Int) -> Bool {
        switch scalar {
        // Excludes the voicing marks at U+3099, which compose.
        case 0x2010...0x2027, 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC...0x30FE, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
            return true
        default: return false
        }
    }
}

extension ByteBuffer {
    /// Appends the form of `text` that is compared, searched and sorted by: folded, and on one line.
    public func append(folding text: String) -> ByteSlice { text.withBytes { append(folding: $0) } }

    /// Appends the same form of UTF-8 text, which must not be in this buffer unless there is room for the result.
    public func append(folding text: UnsafeRawBufferPointer) -> ByteSlice {
        let start = count
        if !append(foldingScalars: text) {
            truncate(to: start)
            append(utf8: String(decoding: text, as: UTF8.self).folded)
        }
        for index in start..<count where base.load(fromByteOffset: index, as: UInt8.self) == UInt8(ascii: "\n") {
            base.storeBytes(of: UInt8(ascii: " "), toByteOffset: index, as: UInt8.self)
        }
        return ByteSlice(offset: start, count: count - start)
    }
}

extension UnsafeRawBufferPointer {
    /// The prefix of this folded text that orders compare, of at most ``Cursor/maxTextScalars``.
    public var sortText: UnsafeRawBufferPointer {
        guard count > Cursor.maxTextScalars else { return self }
        var scalars = 0
        for index in 0..<count where self[index] & 0xC0 != 0x80 {
            if scalars == Cursor.maxTextScalars { return UnsafeRawBufferPointer(rebasing: self[..<index]) }
            scalars += 1
        }
        return self
    }
}
