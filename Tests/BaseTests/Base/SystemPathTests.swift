import Base
import Testing

@Suite("Names of files")
struct SystemPathTests {
    /// Latin-1, a broken end, a surrogate in UTF-8, bytes that UTF-8 never has, and the scalars that stand for bytes.
    @Test(arguments: [
        "Zoë 김.csv".utf8.map { $0 }, [], Array("M".utf8) + [0xFC] + Array("ller.csv".utf8), [0xC3], [0xE2, 0x82, 0x2F],
        [0xED, 0xB3, 0xBC], [0xFF, 0xFE, 0x80], Array("\u{10F7FC}\u{10F780}\u{10F77F}\u{10F800}".utf8),
        [0xF4, 0x8F, 0x9F, 0xFC], Array("a\u{301}".utf8) + [0x80] + Array("\u{301}".utf8),
    ])
    func theBytesOfANameAreKept(_ bytes: [UInt8]) {
        let path = bytes.map(CChar.init(bitPattern:)) + [0]
        let text = String(systemPath: path)
        #expect(text.systemPath == path)
        #expect(text.hasNameBytes || text == String(decoding: bytes, as: UTF8.self))
    }

    @Test func otherBytesAreReadable() {
        let path = "M\u{FC}l'l\\e\u{1B}r.csv".unicodeScalars.map { CChar(truncatingIfNeeded: $0.value) } + [0]
        let text = String(systemPath: path)
        #expect(text.printable == #"M\xFCl'l\e\u{1b}r.csv"# && text.printableLines == text.printable)
        #expect(text.shellWord == #"$'M\xFCl\'l\\e\x1Br.csv'"#)
        #expect(text.withoutNameBytes == "M\u{FFFD}l'l\\e\u{1B}r.csv")
    }
}
