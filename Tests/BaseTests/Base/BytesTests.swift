import Base
import Testing

@Suite("Lent bytes")
struct BytesTests {
    @Test func partsHaveIndexesFromZero() {
        let text = "  ada lovelace"
        let name = text.bytes.drop { $0 == 0x20 }
        let texts = [String(name), String(name[4...]), String(name.prefix { $0 != 0x20 }), String(name.dropFirst(99))]
        #expect(texts == ["ada lovelace", "lovelace", "ada", ""])
        let (space, a, l) = (UInt8(ascii: " "), UInt8(ascii: "a"), UInt8(ascii: "l"))
        let places = [
            name.firstIndex(of: space), name.lastIndex(of: a), name.firstIndex(of: a, from: 1),
            name.firstIndex(of: "love"), name[4...].firstIndex(of: l),
        ]
        #expect(places == [3, 9, 2, 4, 0])
    }

    @Test func beginningsAndEndsAreComparedWhole() {
        let path = "/users/ada.vcf"
        let beginnings = [path.bytes.starts(with: "/users/"), path.bytes[..<3].starts(with: "/users/")]
        #expect(beginnings == [true, false])
        let ends = [path.bytes.ends(with: ".vcf"), "vcf".bytes.ends(with: ".vcf")]
        #expect(ends == [true, false])
        let equals = [path.bytes.equals(path.bytes), path.bytes.equals("/users/ada")]
        #expect(equals == [true, false])
    }

    @Test(arguments: ["a", "é", "가", "😀", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"])
    func scalarsAreDecoded(_ text: String) {
        var index = 0
        let scalar = text.bytes.scalar(at: &index)
        #expect(scalar == text.unicodeScalars.first)
        #expect(index == text.utf8.count)
    }

    @Test(arguments: [
        [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
    ])
    func illFormedBytesAreNoScalar(_ bytes: [UInt8]) {
        var index = 0
        let scalar = bytes.span.scalar(at: &index)
        #expect(scalar == nil)
        #expect(index == 0)
    }
}
