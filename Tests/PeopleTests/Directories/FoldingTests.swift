import Base
import People
import TestSupport
import Testing

@Suite("Folding")
struct FoldingTests {
    @Test(arguments: [
        ("Mojombo", "mojombo"), ("STRASSE", "straße"), ("ẞ", "ss"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("É", "e\u{301}"),
        ("한", "\u{1112}\u{1161}\u{11ab}"), ("i\u{307}", "İ"), ("ﬁ", "FI"), ("Å", "\u{212B}"), ("ǅ", "Ǆ"),
    ])
    func equivalentTextsFoldAlike(_ left: String, _ right: String) {
        #expect(Array(left.folded.utf8) == Array(right.folded.utf8))
    }

    @Test(arguments: [("a", "b"), ("e", "é"), ("ı", "ĳ"), ("김", "기")])
    func differentTextsFoldDifferently(_ left: String, _ right: String) {
        #expect(left.folded != right.folded)
    }

    @Test(arguments: [
        "Straße", "İstanbul", "ΣΣ ς", "x\u{302}\u{323}", "\u{1112}\u{1161}", "ŉ", "ΐ", "ǰ", "ՙև", "A\u{30A}", "🇰🇷👩‍👩‍👧", "",
    ])
    func foldingAgainChangesNothing(_ text: String) {
        #expect(Array(text.folded.folded.utf8) == Array(text.folded.utf8))
    }

    @Test func bytesFoldLikeStrings() {
        for text in ["Mojombo", "Straße", "", "김민준", "A\u{30A}", "0-_~"] {
            let buffer = ByteBuffer()
            let slice = buffer.append(folding: text)
            #expect(Array(buffer.bytes[slice]) == Array(text.folded.utf8))
        }
    }

    @Test func aLetterFoldsTheSameAloneAndBesideAnyOther() {
        var random = SplitMix(walk: 7)
        let scalars = (0x0B..<0x3100).compactMap(Unicode.Scalar.init) + "김각가힣中一鿿\u{11A8}\u{3099}\u{301}😀".unicodeScalars
        let buffer = ByteBuffer()
        for scalar in scalars {
            let others = (0..<3).map { _ in scalars[Int.random(in: scalars.indices, using: &random)] }
            for text in [[scalar], [others[0], scalar, others[1]], [scalar, others[2], "\u{327}"]] {
                var string = String.UnicodeScalarView()
                string.append(contentsOf: text)
                buffer.removeAll()
                _ = buffer.append(folding: String(string))
                #expect(Array(buffer.bytes) == Array(String(string).folded.utf8), "\(text)")
            }
        }
    }

    @Test func foldedTextIsOneLine() {
        let buffer = ByteBuffer()
        let slice = buffer.append(folding: "Ä\nB")
        #expect(Array(buffer.bytes[slice]) == Array("ä b".utf8))
    }

    @Test func sortKeysAreCutBetweenCharacters() {
        let long = Array(String(repeating: "가", count: 200).utf8)
        #expect(long.withUnsafeBytes { $0.sortText.count } == 128 * 3)
        let ascii = Array(String(repeating: "a", count: 128).utf8)
        #expect(ascii.withUnsafeBytes { $0.sortText.count } == 128)
    }
}
