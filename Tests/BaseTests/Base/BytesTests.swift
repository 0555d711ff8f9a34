import Base
import Testing

@Suite("Lent bytes")
struct BytesTests {
    @Test func partsHaveIndexesFromZero() {
        let text = Array("  ada lovelace".utf8)
        let name = text.span.drop { $0 == 0x20 }
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
        let (path, end) = (Array("/users/ada.vcf".utf8), Array("vcf".utf8))
        let beginnings = [path.span.starts(with: "/users/"), path.span[..<3].starts(with: "/users/")]
        #expect(beginnings == [true, false])
        let ends = [path.span.ends(with: ".vcf"), end.span.ends(with: ".vcf")]
        #expect(ends == [true, false])
        let equals = [path.span.equals(path.span), path.span.equals("/users/ada")]
        #expect(equals == [true, false])
    }

    @Test(arguments: ["a", "é", "가", "😀", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"])
    func scalarsAreDecoded(_ text: String) {
        let bytes = Array(text.utf8)
        var index = 0
        let scalar = bytes.span.scalar(at: &index)
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
