import Base
import People
import Testing

@Suite("How well a text matches")
struct SearchMatchTests {
    private let anna = Text(
        "anna.m\nanna muller\nleiterin\nmunchen\n\u{1}anna mueller\n\u{2}muenchen", "anna.m\nanna müller")
    private let zoe = Text("\nzoe mueller\nfinanzen\n\u{1}zoe muller", "")
    private let kim = Text("\n김민수\n개발자\n\u{1}ᄀᄆᄉ", "")

    @Test(arguments: [
        ("anna.m", SearchMatch(.whole, isExact: true)), ("Anna Müller", SearchMatch(.whole, isExact: true)),
        ("anna muller", SearchMatch(.whole, isExact: false)), ("Anna Mueller", SearchMatch(.whole, isExact: false)),
        ("ann", SearchMatch(.beginning, isExact: true)), ("anna mü", SearchMatch(.beginning, isExact: true)),
        ("müller", SearchMatch(.words, isExact: true)), ("mueller", SearchMatch(.words, isExact: false)),
        ("müller anna", SearchMatch(.words, isExact: true)), ("münch", SearchMatch(.words, isExact: false)),
        ("munch", SearchMatch(.words, isExact: true)), ("muench", SearchMatch(.words, isExact: false)),
        ("m", SearchMatch(.words, isExact: true)), ("nna", SearchMatch(.elsewhere, isExact: true)),
        ("leiterin ller", SearchMatch(.elsewhere, isExact: true)), ("anna anna", SearchMatch(.words, isExact: true)),
    ])
    func latin(_ query: String, _ match: SearchMatch) { #expect(anna.match(query) == match) }

    /// The texts of all who have an `@` somewhere would be read to find those who have it there.
    @Test(arguments: ["@", "@home", "@ on", "."])
    func punctuationBeginsNoWord(_ query: String) {
        let text = Text("\nbo on call\nat work. @home", "")
        #expect(text.match(query) == SearchMatch(.elsewhere, isExact: true))
        #expect(text.match("home on") == SearchMatch(.words, isExact: true))
        #expect(Text("\n@home\n", "").match("@h") == SearchMatch(.beginning, isExact: true))
    }

    @Test(arguments: ["annam", "anna b", "mullermunchen", "anna.m anna x"])
    func nothing(_ query: String) { #expect(anna.match(query) == nil) }

    @Test func germanNamesMatchWithTheirUmlauts() {
        #expect(zoe.match("Mueller") == SearchMatch(.words, isExact: true))
        #expect(zoe.match("Müller") == SearchMatch(.words, isExact: false))
        #expect(zoe.match("muller") == SearchMatch(.words, isExact: false))
    }

    @Test(arguments: [
        ("김민수", SearchMatch(.whole, isExact: true)), ("김민", SearchMatch(.beginning, isExact: true)),
        ("김미", SearchMatch(.beginning, isExact: false)), ("김ㅁ", SearchMatch(.beginning, isExact: false)),
        ("민", SearchMatch(.elsewhere, isExact: true)), ("미", SearchMatch(.elsewhere, isExact: false)),
        ("ㄱㅁㅅ", SearchMatch(.whole, isExact: false)), ("ㄱㅁ", SearchMatch(.beginning, isExact: false)),
        ("ㅁㅅ", SearchMatch(.elsewhere, isExact: false)), ("개바", SearchMatch(.words, isExact: false)),
    ])
    func hangul(_ query: String, _ match: SearchMatch) { #expect(kim.match(query) == match) }

    @Test(arguments: ["김미나", "ㅁㅁ", "기민", "ㄱㅂㅈ", "미 김미나"])
    func onlyTheLastSyllableIsCompleted(_ query: String) { #expect(kim.match(query) == nil) }

    /// A keyboard joins the consonants: `ㅄ` is one letter.
    @Test func joinedInitialsAreTwo() {
        #expect(Text("\n박서준\n\u{1}ᄇᄉᄌ", "").match("ㅄㅈ") == SearchMatch(.whole, isExact: false))
    }

    @Test func wordsBeginAfterPunctuation() {
        let text = Text("jean-pierre\n(ann) o'neill\nc++ 日本・東京", "")
        for word in ["pierre", "ann", "neill", "c++", "東京", "日本"] {
            #expect(text.match(word)?.tier == .words, "\(word)")
        }
        for word in ["ierre", "nn", "京"] { #expect(text.match(word)?.tier == .elsewhere, "\(word)") }
    }

    @Test func titlesAreNotFields() {
        #expect(Text("x\ny\nsales", "").match("sales")?.tier == .words)
        #expect(Text("x\n\nsales", "").match("sales")?.tier == .words)
        #expect(Text("\nsales\n", "").match("sales")?.tier == .whole)
    }

    @Test func variantsDecideAboutExactness() {
        #expect(SearchWords("muller").needVariantsToMatchInexactly)
        #expect(!SearchWords("Müller").needVariantsToMatchInexactly)
        #expect(!SearchWords("김미").needVariantsToMatchInexactly)
        #expect(SearchWords("Müller").needVariantsToMatchExactly)
        #expect(SearchWords("o'neill").needVariantsToMatchExactly)
        #expect(!SearchWords("muller 김").needVariantsToMatchExactly)
    }

    /// Whatever is searched for, ``SearchedText/matches(_:)`` and ``SearchedText/match(_:)`` agree.
    @Test func bothMatchesAgree() {
        for text in [anna, zoe, kim] {
            for query in ["a", "mu", "mü", "ㄱ", "ㅁㅅ", "김", "미", "e z", "x", "zoe müller"] {
                #expect((text.match(query) != nil) == text.matches(query), "\(query)")
            }
        }
    }
}

private struct Text: Sendable {
    let text: String
    let exact: String

    init(_ text: String, _ exact: String) { (self.text, self.exact) = (text, exact) }

    func match(_ query: String) -> SearchMatch? { withText { $0.match(SearchWords(query)) } }

    func matches(_ query: String) -> Bool { withText { $0.matches(SearchWords(query).distinct) } }

    private func withText<Result>(_ body: (SearchedText) -> Result) -> Result {
        text.withBytes { text in exact.withBytes { body(SearchedText(text, exact: $0)) } }
    }
}
