import Base
import People
import Testing

@Suite("Parts of a text that match a search")
struct MatchedTextTests {
    private func marked(_ text: String, _ search: String, language: String = "und") -> String {
        let matched = MatchedText(SearchWords(search), language: language)
        return text.withBytes { bytes in
            var result = ""
            var end = 0
            for range in matched.ranges(in: bytes) {
                result += String(decoding: bytes[end..<range.lowerBound], as: UTF8.self)
                result += "[" + String(decoding: bytes[range], as: UTF8.self) + "]"
                end = range.upperBound
            }
            return result + String(decoding: bytes[end...], as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("Anna Ann", "ann", "[Ann]a [Ann]"), ("Hanne Sturm", "STURM ann", "H[ann]e [Sturm]"),
        ("Anna", "anna ann nna", "[Anna]"), ("Anna", "zoe", "Anna"), ("", "a", ""), ("a", "", "a"),
        ("Ana Banana", "ana", "[Ana] B[ana]na"), ("ANNE (ann) O'Neill", "u (ANN)", "ANNE [(ann)] O'Neill"),
    ])
    func wordsAreFoundInAnyCaseAndOverlappingOnesAreJoined(_ text: String, _ search: String, _ expected: String) {
        #expect(marked(text, search) == expected)
    }

    @Test(arguments: [
        ("Jürgen Groß", "gross", "Jürgen [Groß]"), ("Jürgen Groß", "jurg", "[Jürg]en Groß"),
        ("Åsa Öberg", "asa oberg", "[Åsa] [Öberg]"), ("Re\u{301}mi", "rémi", "[Re\u{301}mi]"),
        ("Rémi", "Re\u{301}mi", "[Rémi]"), ("Re\u{301}mi", "remi", "[Re\u{301}mi]"),
        ("Łukasz", "luk", "[Łuk]asz"), ("Encyclopædia", "paed", "Encyclo[pæd]ia"), ("O'Neill", "oneill", "[O'Neill]"),
        ("O’Neill", "o'neill", "[O’Neill]"), ("ナカムラ", "なか", "[ナカ]ムラ"), ("ΝΊΚΟΣ", "κος", "ΝΊ[ΚΟΣ]"),
        ("김민준", "민", "김[민]준"),
    ])
    func aMatchInLooseFormLeadsBackToWholeCharacters(_ text: String, _ search: String, _ expected: String) {
        #expect(marked(text, search) == expected)
    }

    @Test(arguments: [
        ("Anna Müller", "mueller", "und", "Anna [Müller]"), ("Zoe Mueller", "muller", "de", "Zoe [Mueller]"),
        ("Eva Sueß", "suss", "de", "Eva [Sueß]"), ("Ana Buečar", "bucar", "de", "Ana [Buečar]"),
        ("Zoe Mueller", "muller", "fr", "Zoe Mueller"), ("Øyvind", "oeyv", "und", "[Øyv]ind"),
        ("김민수", "ㄱㅁㅅ", "ko", "[김민수]"), ("김 민수", "ㅁㅅ", "ko", "김 [민수]"), ("김민수", "김미", "ko", "[김민]수"),
        ("김민수", "김ㅁ", "ko", "[김민]수"), ("김민수", "김미나", "ko", "김민수"),
    ])
    func otherSpellingsAndInitialsMatchToo(_ text: String, _ search: String, _ language: String, _ expected: String) {
        #expect(marked(text, search, language: language) == expected)
    }
}
