import Base
import Testing

@Suite("Collation")
struct CollationTests {
    private func sorted(_ texts: [String], _ language: String) -> [String] {
        let collator = Collator(Collation(language))
        let keys = texts.map { ($0, collator.key(of: $0)) }
        return keys.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }

    private static let names = [
        "Zoe", "Åsa", "Émile", "Emil", "Øyvind", "Olaf", "Łukasz", "Lukas", "Anna 10", "Anna 9", "김민수",
    ]

    @Test func namesHaveTheOrderOfTheRoot() throws {
        let expected = ["Anna 9", "Anna 10", "Åsa", "Emil", "Émile", "Lukas", "Łukasz", "Olaf", "Øyvind", "Zoe", "김민수"]
        #expect(sorted(Self.names, "und") == expected)
        #expect(sorted(Self.names, "xx") == expected)
    }

    @Test func swedishLettersComeAfterZ() throws {
        let order = sorted(Self.names, "sv")
        #expect(order.prefix(2) == ["Anna 9", "Anna 10"])
        #expect(order.suffix(4) == ["Zoe", "Åsa", "Øyvind", "김민수"])
    }

    @Test func caseDoesNotCountAndAccentsDo() throws {
        let collator = Collator(Collation("de"))
        #expect(collator.key(of: "ANNA") == collator.key(of: "anna"))
        #expect(collator.key(of: "Müller") != collator.key(of: "Muller"))
    }

    @Test func partsAreComparedOneAfterTheOther() throws {
        let separator = String(decoding: Collation.separator, as: UTF8.self)
        let names = ["Groß|Zoe", "Großmann|Anna", "Groß|Anna"].map { $0.replacing("|", with: separator) }
        let order = sorted(names, "de").map { $0.replacing(separator, with: "|") }
        #expect(order == ["Groß|Anna", "Groß|Zoe", "Großmann|Anna"])
    }

    @Test func longTextsAndDamagedBytesHaveKeys() throws {
        let collator = Collator(Collation("und"))
        #expect(collator.key(of: String(repeating: "é가𝄞", count: 1000)).count == Collation.maxKeyBytes)
        // One scalar that compares as a sentence.
        #expect(collator.key(of: String(repeating: "\u{FDFA}", count: 1000)).count == Collation.maxKeyBytes)
        // U+FFFD has a key that begins with 255, which stands for no value in orders.
        #expect(collator.key(of: "\u{FFFD}x").first == 254)
        #expect(!collator.key(of: "").isEmpty)
    }

    @Test func theStampNamesLanguageAndVersions() throws {
        let stamp = Collation("de").stamp
        #expect(stamp.wholeMatch(of: /de-u-kn-true;\d+\.\d+;\d+\.\d+(\.\d+)*/) != nil, "\(stamp)")
        #expect(Collation(stamp: stamp) == Collation("de"))
        #expect(Collation(stamp: "de-u-kn-true;72.1;153.120") == nil)
        #expect(Collation(stamp: "loose") == nil)
        #expect(Collation("sv").stamp != stamp)
    }

    @Test(arguments: [
        ("en", "# A B C D E F G H I J K L M N O P Q R S T U V W X Y Z …"),
        ("und", "# A B C D E F G H I J K L M N O P Q R S T U V W X Y Z …"),
        ("de", "# A B C D E F G H I J K L M N O P Q R S T U V W X Y Z …"),
        ("sv", "# A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Å Ä Ö …"),
        ("ko", "# ㄱ ㄴ ㄷ ㄹ ㅁ ㅂ ㅅ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ …"), ("ja", "# あ か さ た な は ま や ら わ …"),
        ("ru", "# А Б В Г Д Е Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ы Э Ю Я …"),
        // No syllable of pinyin begins with I, U or V.
        ("zh", "# A B C D E F G H J K L M N O P Q R S T W X Y Z …"),
        ("xx", "# A B C D E F G H I J K L M N O P Q R S T U V W X Y Z …"),
    ])
    func lettersAreThoseOfTheLanguage(_ language: String, labels: String) throws {
        let index = try #require(Collation(language).index)
        #expect(index.letters.map(\.label).joined(separator: " ") == labels)
        let starts = index.letters.map(\.start)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func strokesAreNoLetters() { #expect(Collation("zh-Hant").index == nil) }

    @Test(arguments: [
        ("de", "Ärzte", "A"), ("de", "42", "#"), ("de", "Ωmega", "…"), ("de", "王伟", "…"), ("de", "김민수", "…"),
        ("sv", "Ärna", "Ä"), ("sv", "Zoe", "Z"), ("ko", "김민수", "ㄱ"), ("ko", "꽃", "ㄱ"), ("ko", "Anna", "…"),
        ("ja", "がくと", "か"), ("ja", "カナ", "か"), ("ja", "山田", "…"), ("ja", "わん", "わ"), ("ru", "Ёлка", "Е"),
        ("ru", "Anna", "…"), ("zh", "王伟", "W"), ("zh", "张三", "Z"), ("zh", "Anna", "…"), ("cs", "Chalupa", "CH"),
    ])
    func namesBelongToTheLetterTheyBeginWith(_ language: String, name: String, letter: String) throws {
        let index = try #require(Collation(language).index)
        let collator = Collator(Collation(language))
        let key = collator.key(of: name)
        let found = index.letters.last { !key.lexicographicallyPrecedes($0.start) }
        #expect(found?.label == letter)
    }
}
