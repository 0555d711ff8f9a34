import Base
import People
import Template
import Testing

@testable import Site

@Suite("Languages of the interface")
struct LanguageTests {
    private func language(_ code: LanguageCode) -> Language { Languages.builtIn[code] }

    @Test(arguments: LanguageCode.allCases)
    func everyTemplateCompilesInEveryLanguage(_ code: LanguageCode) throws {
        _ = try Language(code, .builtIn, or: code == .en ? nil : .english)
    }

    @Test(arguments: LanguageCode.allCases)
    func everyCatalogueIsComplete(_ code: LanguageCode) throws {
        let catalogue = try Catalogue(Assets.builtIn.catalogues(code.rawValue), code, or: nil)
        for key in MessageKey.allCases { #expect(catalogue["\(key)"] != nil, "\(code): \(key)") }
        #expect(catalogue.messages.count == MessageKey.allCases.count)
    }

    /// A language must have a form for each of its categories, except those of fractions and of whole millions.
    @Test(arguments: LanguageCode.allCases)
    func pluralsHaveAllFormsOfTheLanguage(_ code: LanguageCode) throws {
        let language = language(code)
        let categories = Set([0, 1, 2, 3, 11, 100].map(language.category)).subtracting([.other, .zero])
        guard case .forms(let forms)? = language.catalogue["peopleCount"] else {
            Issue.record("peopleCount has no forms")
            return
        }
        #expect(categories.isSubset(of: forms.categories), "\(code)")
    }

    @Test(arguments: [
        (LanguageCode.en, ["0 people", "1 person", "2 people", "3 people", "11 people", "100 people"]),
        (.fr, ["0 personne", "1 personne", "2 personnes", "3 personnes", "11 personnes", "100 personnes"]),
        (.de, ["0 Personen", "1 Person", "2 Personen", "3 Personen", "11 Personen", "100 Personen"]),
        (.ko, ["0명", "1명", "2명", "3명", "11명", "100명"]),
        (.ar, ["لا أحد", "شخص واحد", "شخصان", "3 أشخاص", "11 شخصًا", "100 شخص"]),
    ])
    func nounsFollowTheNumber(_ code: LanguageCode, _ expected: [String]) throws {
        let language = language(code)
        #expect([0, 1, 2, 3, 11, 100].map { language.text(.peopleCount, ["count": .number($0)]) } == expected)
    }

    @Test(arguments: [
        (LanguageCode.en, "1,234", "-12,345", "1,234.5"), (.ko, "1,234", "-12,345", "1,234.5"),
        (.de, "1.234", "-12.345", "1.234,5"), (.fr, "1\u{202F}234", "-12\u{202F}345", "1\u{202F}234,5"),
        (.es, "1234", "-12.345", "1234,5"), (.ja, "1,234", "-12,345", "1,234.5"), (.zh, "1,234", "-12,345", "1,234.5"),
        (.ar, "1,234", "-12,345", "1,234.5"),
    ])
    func numbersAreGrouped(_ code: LanguageCode, _ short: String, _ long: String, _ decimal: String) throws {
        let numbers = language(code).numbers
        #expect([numbers.text(1234), numbers.text(-12_345), numbers.text(1234.5)] == [short, long, decimal])
        #expect(
            [numbers.text(0), numbers.text(999), numbers.text(-0.5)].map { $0.filter { $0.isNumber } } == [
                "0", "999", "05",
            ])
        #expect(numbers.text(1_000_001).filter(\.isNumber) == "1000001")
    }

    @Test(arguments: [
        (LanguageCode.en, "5 April 2018"), (.ko, "2018년 4월 5일"), (.de, "5. April 2018"), (.fr, "5 avril 2018"),
        (.es, "5 de abril de 2018"), (.ja, "2018年4月5日"), (.zh, "2018年4月5日"), (.ar, "5 أبريل، 2018"),
    ])
    func daysAreInTheOrderOfTheLanguage(_ code: LanguageCode, _ expected: String) throws {
        let day = CivilTime(year: 2018, month: 4, day: 5, hour: 0, minute: 0, second: 0)
        #expect(language(code).days.text(day) == expected)
    }

    @Test(arguments: [
        ("en", LanguageCode.en), ("EN-gb", .en), ("zh-Hant-TW", .zh), ("ar-EG", .ar), ("ko_KR", .ko), ("pt", nil),
        ("e", nil), ("", nil), ("eng", nil), ("und", nil),
    ])
    func tagsAreLookedUpByTheirLanguage(_ tag: String, _ expected: LanguageCode?) {
        let bytes = Array(tag.utf8)
        #expect(LanguageCode(range: bytes.span) == expected)
    }

    @Test func scriptsGetTheirMessagesExceptInEnglish() throws {
        #expect(language(.en).listWords.isEmpty && language(.en).elementWords.isEmpty)
        #expect(language(.ko).elementWords.contains(#""again":"다시 시도""#) && language(.ko).listWords.contains("findAll"))
    }

    @Test func builtInLabelsAreTranslatedAndOthersStay() throws {
        let german = language(.de)
        #expect(german.text(builtInLabel: "Department") == "Abteilung")
        #expect(german.text(builtInLabel: "Favourite cheese") == "Favourite cheese")
        #expect(german.text(builtInLabel: "Place") == german.text(.roleLocation))
        for role in FieldRole.allCases { #expect(Language.labels[role.label] != nil, "\(role)") }
    }
}
