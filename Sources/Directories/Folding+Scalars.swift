import Bytes

extension ByteBuffer {
    /// Appends `text` folded, scalar by scalar; answers `false`, with some of it appended, where that may not be right.
    ///
    /// Most names are of scalars that fold each for itself, whatever stands beside them. Foundation's normalization takes
    /// a microsecond for a name with one accent in it, which is a fifth of what an import has for a person.
    func append(foldingScalars text: UnsafeRawBufferPointer) -> Bool {
        var isFolded = false
        // A scalar of two bytes may become seven; whole words are stored.
        append(upTo: text.count * 4 + 8) { room in
            var written = 0
            var index = 0
            while index < text.count {
                let byte = text[index]
                if byte < 0x80 {
                    room[written] = byte &- 65 < 26 ? byte | 0x20 : byte
                    written += 1
                    index += 1
                } else if byte < 0xE0, index + 1 < text.count {
                    let entry = FoldedScalars.entry(byte, text[index + 1])
                    if entry == 0 { break }
                    room.storeBytes(of: entry.littleEndian, toByteOffset: written, as: UInt64.self)
                    written += Int(entry >> 56)
                    index += 2
                } else if index + 2 < text.count, FoldedScalars.isItself(byte, text[index + 1], text[index + 2]) {
                    for offset in 0..<3 { room[written + offset] = text[index + offset] }
                    written += 3
                    index += 3
                } else {
                    break
                }
            }
            isFolded = index == text.count
            return written
        }
        return isFolded
    }
}

/// What scalars fold to that neither compose with a neighbour nor change their order (UAX #15).
enum FoldedScalars {
    /// Latin, Greek and Cyrillic: all that UTF-8 writes in two bytes below Armenian.
    private static let end: UInt32 = 0x530
    /// The folded UTF-8 in the low bytes, how many there are in the highest; 0 for combining marks.
    private static let table: [UInt64] = (0..<end).map { value in
        guard let scalar = Unicode.Scalar(value), scalar.properties.canonicalCombiningClass == .notReordered else {
            return 0
        }
        let folded = String(scalar).folded.utf8
        guard folded.count < 8 else { return 0 }
        return folded.enumerated().reduce(UInt64(folded.count) << 56) {
            $0 | UInt64($1.element) << (8 * UInt64($1.offset))
        }
    }

    /// The entry of the scalar that two bytes of UTF-8 write.
    @inline(__always) static func entry(_ first: UInt8, _ second: UInt8) -> UInt64 {
        let value = Int(first & 0x1F) << 6 | Int(second & 0x3F)
        return value < table.count && first >= 0xC2 && second & 0xC0 == 0x80 ? table[value] : 0
    }

    /// Whether three bytes write a scalar that is its own folded form: kana, Han, Hangul syllables, dashes and quotes.
    @inline(__always) static func isItself(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        guard first & 0xF0 == 0xE0, second & 0xC0 == 0x80, third & 0xC0 == 0x80 else { return false }
        switch UInt32(first & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F) {
        // Without the marks of voicing at U+3099, which compose.
        case 0x2010...0x2027, 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC...0x30FE, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
            return true
        default: return false
        }
    }
}
