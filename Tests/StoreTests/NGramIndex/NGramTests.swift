import Testing

@testable import Indexes

@Suite("N-grams")
struct NGramTests {
    /// Returns the n-grams of the third line of a text, which is not a title, without marks.
    private func ngrams(of text: String) -> Set<NGram> { allNGrams(of: "\n\n" + text).filter { !$0.hasMark } }

    private func allNGrams(of text: String) -> Set<NGram> {
        var ngrams: Set<NGram> = []
        Array(text.utf8).withUnsafeBytes { $0.forEachNGram { ngram, _ in ngrams.insert(ngram) } }
        return ngrams
    }

    private func marks(of text: String) -> [String] {
        let signs: [UInt64: String] = [0: "", 1: "<", 2: "|"]
        var marks: [String] = []
        for ngram in allNGrams(of: text) where ngram.hasMark {
            let scalars = (0..<3).map { (ngram.code >> UInt64(21 * $0)) & 0x1F_FFFF }
            marks.append(scalars.map { signs[$0] ?? String(Unicode.Scalar(UInt32($0))!) }.joined())
        }
        return marks.sorted()
    }

    @Test func titlesBeginWithMarks() {
        #expect(marks(of: "ada-l\nada b") == ["<a", "<ad", "|b", "|l"])
        #expect(marks(of: "\n@x") == ["<@", "<@x", "|x"])
        #expect(marks(of: "\n\n").isEmpty)
        #expect(marks(of: "a\nb cd") == ["<a", "<b", "|c", "|cd"])
    }

    @Test func wholeTitlesHaveTags() {
        let tags = { (text: String) in Set(allNGrams(of: text).filter(\.isTag)) }
        let title = { (text: String) in Array(text.utf8).withUnsafeBytes { NGram(title: $0) } }
        #expect(tags("ada\nada b\nlab\n\u{1}ada bee\n\u{2}labs") == Set(["ada", "ada b", "ada bee"].map(title)))
        #expect(tags("\n김 민수") == [title("김 민수")])
        #expect(tags("\n\nlab").isEmpty)
        #expect(title("ada b") != title("ada c"))
    }

    @Test func wordsOfOtherLinesBeginWithMarks() {
        #expect(marks(of: "\n\nlab (new)\n\u{2}c++") == ["|c", "|c+", "|la", "|l", "|n", "|ne"].sorted())
        #expect(marks(of: "\n\nx\n\u{1}ab") == ["<a", "<ab", "|x"])
    }

    @Test func nGramsAreUpToThreeConsecutiveCharacters() {
        #expect(ngrams(of: "anna") == Set(["a", "n", "an", "nn", "na", "ann", "nna"].map(ngram)))
        #expect(ngrams(of: "김민") == Set(["김", "민", "김민"].map(ngram)))
        #expect(
            ngrams(of: "🧑🏽‍🎨")
                == Set(["🧑", "🏽", "\u{200D}", "🎨"].map(ngram)).union(
                    [ngram("🧑🏽"), ngram("🏽\u{200D}"), ngram("\u{200D}🎨"), ngram("🧑🏽\u{200D}"), ngram("🏽\u{200D}🎨")]))
    }

    @Test(arguments: ["ab\n\ncd", "ab cd", "ab\tcd"]) func noNGramSpansWhiteSpace(_ text: String) {
        #expect(ngrams(of: text) == Set(["a", "b", "ab", "c", "d", "cd"].map(ngram)))
    }

    @Test(arguments: [[0xFF, 0xFE], [0xE2, 0x82], [0x80], [0xF8, 0x88, 0x80, 0x80, 0x80]] as [[UInt8]])
    func bytesThatAreNotTextAreHarmless(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { $0.forEachNGram { _, _ in } }
    }
}

extension NGram {
    fileprivate var hasMark: Bool {
        !isTag && (0..<3).contains { (1...2).contains((code >> UInt64(21 * $0)) & 0x1F_FFFF) }
    }
}
