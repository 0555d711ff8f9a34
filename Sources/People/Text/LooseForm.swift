import Base
import Foundation

/// The loose form of texts, in which searches look: without case, accents, apostrophes and invisible characters, with
/// `ß` as `ss`, `ø` as `o` and so on, katakana as hiragana, on one line, and with single spaces between words.
///
/// It depends on no language. Digits, punctuation and the marks of Indic scripts and Thai stay.
///
/// Most texts are converted scalar by scalar by a table; only a text with a scalar that may combine with its neighbour
/// takes Foundation's normalization.
public enum LooseForm {
    /// Changes whenever the loose form of any text changes, or the layout of ``SearchedText``, of the orders that every
    /// directory has, or of the search index. Stores then derive all of these again.
    public static let version = 4

    /// Latin letters without a decomposition.
    static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "þ": "th",
        "ŋ": "n", "ŧ": "t",
    ]
}

extension String {
    /// The loose form: see ``LooseForm``.
    public var loose: String {
        let buffer = ByteBuffer(capacity: utf8.count * 4 + 8)
        let slice = buffer.append(loose: self)
        return String(decoding: buffer.bytes[slice], as: UTF8.self)
    }
}

extension ByteBuffer {
    /// Appends the loose form of `text`.
    public func append(loose text: String) -> ByteSlice {
        var text = text
        return text.withUTF8 { append(loose: UnsafeRawBufferPointer($0)) }
    }

    /// Appends the loose form of UTF-8 text, which must not be in this buffer unless there is room for the result:
    /// four times its length, and 8 bytes more.
    public func append(loose text: UnsafeRawBufferPointer) -> ByteSlice {
        let start = count
        if !append(looseScalars: text) {
            let loose = LooseScalars.normalized(String(decoding: text, as: UTF8.self))
            truncate(to: start)
            appendWords(of: loose)
        }
        if count == start, text.count > 0 {
            // Only apostrophes or invisible characters: they are all there is to find.
            appendWords(of: String(decoding: text, as: UTF8.self).folded)
        }
        return ByteSlice(offset: start, count: count - start)
    }

    /// Appends `text` with single spaces instead of white space and control characters.
    private func appendWords(of text: String) {
        let start = count
        for scalar in text.unicodeScalars {
            if LooseScalars.isSpace(scalar) {
                if count > start, bytes[count - 1] != 0x20 { append(0x20) }
            } else {
                append(utf8: String(scalar))
            }
        }
        if count > start, bytes[count - 1] == 0x20 { truncate(to: count - 1) }
    }

    /// Appends the loose form of `text`, scalar by scalar. Returns `false`, with a part of it appended, if the result
    /// may be wrong.
    private func append(looseScalars text: UnsafeRawBufferPointer) -> Bool {
        var isLoose = false
        append(upTo: text.count * 4 + 8) { room in
            var written = 0
            var index = 0
            while index < text.count {
                let byte = text[index]
                if byte &- 0x21 < 0x5E {
                    // Visible ASCII.
                    index += 1
                    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") { continue }
                    room[written] = byte &- 65 < 26 ? byte | 0x20 : byte
                    written += 1
                    continue
                }
                if byte < 0x80 {
                    index += 1
                    if written > 0, room[written - 1] != 0x20 {
                        room[written] = 0x20
                        written += 1
                    }
                    continue
                }
                let (value, length) = text.shortScalar(at: index)
                if LooseScalars.isItself(value) {
                    for offset in 0..<3 { room[written + offset] = text[index + offset] }
                    written += 3
                } else {
                    let entry = LooseScalars.entry(value)
                    if entry == 0 { break }
                    if entry == LooseScalars.space {
                        if written > 0, room[written - 1] != 0x20 {
                            room[written] = 0x20
                            written += 1
                        }
                    } else {
                        room.storeBytes(of: entry.littleEndian, toByteOffset: written, as: UInt64.self)
                        written += Int(entry >> 56) - 1
                    }
                }
                index += length
            }
            isLoose = index == text.count
            if written > 0, room[written - 1] == 0x20 { written -= 1 }
            return written
        }
        return isLoose
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the scalar of two or three bytes at `index`; 0 for any other.
    @inline(__always) func shortScalar(at index: Int) -> (value: Int, length: Int) {
        let isShort = self[index] < 0xE0
        let length = isShort ? 2 : 3
        guard index + length <= count, self[index] < 0xF0 else { return (0, length) }
        let value = Int(self[index] & (isShort ? 0x1F : 0x0F)) << 6 | Int(self[index + 1] & 0x3F)
        return (isShort ? value : value << 6 | Int(self[index + 2] & 0x3F), length)
    }
}
