import Base
import Testing

@Suite("Bytes that are searched")
struct SearchedBytesTests {
    /// Returns letters that look chosen at random.
    private func letters(_ count: Int, seed: UInt64) -> [UInt8] {
        let bits = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { 97 + UInt8(bits >> UInt64($0) & 1) }
    }

    /// Returns the offset as a search byte by byte finds it.
    private func expected(_ text: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= start + text.count else { return nil }
        return (start...(bytes.count - text.count)).first { bytes[$0..<($0 + text.count)].elementsEqual(text) }
    }

    /// Two letters only, so that beginnings of the text come often, at every place of a word of eight bytes.
    @Test func aTextIsFoundWhereItComesFirst() {
        for count in 0..<40 {
            let bytes = letters(count, seed: UInt64(count))
            for length in 1...5 {
                let text = letters(length, seed: UInt64(length * 100 + count))
                for start in 0...count {
                    let found = bytes.withUnsafeBytes { bytes in
                        text.withUnsafeBytes { bytes.offset(of: $0, from: start) }
                    }
                    #expect(found == expected(text, in: bytes, from: start), "\(text) in \(bytes) from \(start)")
                }
            }
        }
    }

    @Test func bytesThatDifferInOneBitAreOthers() {
        let bytes = Array("aaaaaaaabbbbbbbb".utf8)
        bytes.withUnsafeBytes { bytes in
            #expect(Array("`a".utf8).withUnsafeBytes { bytes.offset(of: $0) } == nil)
            #expect(Array("ab".utf8).withUnsafeBytes { bytes.offset(of: $0) } == 7)
            #expect(bytes.offset(of: UInt8(ascii: "b")) == 8)
            #expect(bytes.offset(of: UInt8(ascii: "a"), from: 8) == nil)
            #expect(bytes.offset(of: UInt8(ascii: "b"), from: 16) == nil)
        }
    }

    /// Bytes above 127 count as great, and a borrow from one byte to the next finds nothing.
    @Test func theFirstLesserByteIsFound() {
        let bytes: [UInt8] = [3, 0x80, 0xFF, 3, 3, 4, 0x83, 3, 3, 3]
        for count in 0...bytes.count {
            #expect(bytes.prefix(count).withUnsafeBytes { $0.offset(ofByteBelow: 3) } == nil)
            for place in 0..<count {
                for lesser: UInt8 in 0...2 {
                    var changed = Array(bytes.prefix(count))
                    changed[place] = lesser
                    #expect(changed.withUnsafeBytes { $0.offset(ofByteBelow: 3) } == place)
                    if place + 1 < count { changed[place + 1] = 0 }
                    #expect(changed.withUnsafeBytes { $0.offset(ofByteBelow: 3) } == place)
                }
            }
        }
    }
}
