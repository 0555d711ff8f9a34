import Testing

@testable import NGramIndex

@Suite("N-grams")
struct NGramTests {
    private func ngrams(of text: String) -> Set<NGram> {
        var ngrams: Set<NGram> = []
        Array(text.utf8).withUnsafeBytes { $0.forEachNGram { ngram, _ in ngrams.insert(ngram) } }
        return ngrams
    }

    private func ngram(_ text: String) -> NGram { NGram(Array(text.unicodeScalars)) }

    @Test func nGramsAreUpToThreeConsecutiveCharacters() {
        #expect(ngrams(of: "anna") == Set(["a", "n", "an", "nn", "na", "ann", "nna"].map(ngram)))
        #expect(ngrams(of: "김민") == Set(["김", "민", "김민"].map(ngram)))
        #expect(
            ngrams(of: "🧑🏽‍🎨")
                == Set(["🧑", "🏽", "\u{200D}", "🎨"].map(ngram)).union(
                    [ngram("🧑🏽"), ngram("🏽\u{200D}"), ngram("\u{200D}🎨"), ngram("🧑🏽\u{200D}"), ngram("🏽\u{200D}🎨")]))
    }

    @Test(arguments: ["ab\ncd", "ab cd", "ab\tcd"]) func noNGramSpansWhiteSpace(_ text: String) {
        #expect(ngrams(of: text) == Set(["a", "b", "ab", "c", "d", "cd"].map(ngram)))
    }

    @Test(arguments: [[0xFF, 0xFE], [0xE2, 0x82], [0x80], [0xF8, 0x88, 0x80, 0x80, 0x80]] as [[UInt8]])
    func bytesThatAreNotTextAreHarmless(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { $0.forEachNGram { _, _ in } }
    }
}
