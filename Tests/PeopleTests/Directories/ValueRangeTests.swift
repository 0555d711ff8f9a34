import Testing

@testable import People
@testable import Publishing

@Suite("Ranges of numbers and dates")
struct ValueRangeTests {
    private let resolved: ShownSettings = {
        var settings = DirectorySettings()
        var (joined, score, budget) = (
            FieldSettings(key: "joined", from: "a"), FieldSettings(key: "score", from: "b"),
            FieldSettings(key: "budget", from: "c")
        )
        (joined.type, score.type, budget.type) = (.date, .number, .number)
        settings.own.fields = [joined, score, budget, FieldSettings(key: "team", from: "d")]
        settings.own.sorts = ["joined", "team"]
        settings.own.filters = ["score", "team"]
        return ResolvedSettings(settings).shown
    }()

    @Test func aValueIsFoundByAnySpelling() {
        let index = ValueIndex(["Köln", "Koln", "Straße", "É\u{301}a"])
        #expect(index.index(of: "Koln") == 1 && index.index(of: "KÖLN") == 0 && index.index(of: "koln") == 1)
        #expect(index.index(of: "STRASSE") == 2 && index.index(of: "kóln") == nil)
        // The first of several equal ones.
        #expect(index.index(of: "kóln", isLoose: true) == 0 && index.index(of: "x", isLoose: true) == nil)
    }

    private typealias Days = (text: String, first: Int64, last: Int64)

    /// 2020-01-01 is day 18262. The type is named, because inferring it takes the compiler seconds.
    private static let days: [Days] = [
        ("2020", 18262, 18627), ("2020-02", 18293, 18321), ("2020-2", 18293, 18321), ("2020-01-01", 18262, 18262),
        ("2020/01/02", 18263, 18263), ("2020..2021", 18262, 18992), ("2020-12..2021-01-31", 18597, 18658),
        ("2020..", 18262, .max - 1), ("..2020", .min + 1, 18627), ("1969-12", -31, -1),
    ]

    @Test(arguments: days)
    func aYearOrAMonthStandsForAllItsDays(text: String, first: Int64, last: Int64) {
        #expect(ValueRange(text, of: Filter("joined"), in: resolved)?.numbers == first...last)
        #expect(ValueRange(text, of: Filter("joined"), in: resolved)?.text == text)
    }

    @Test(arguments: [
        "", "..", "x", "2020...2021", "2020..2019", "20", "20200", "2020-13", "2020-02-30", "2020-00", "1..2", "2020-",
        "-2020", "2020-01-01-01", "01.02.2020", "2020..x", "2020-012345",
    ])
    func anythingElseIsNoRangeOfDates(text: String) {
        #expect(ValueRange(text, of: Filter("joined"), in: resolved) == nil)
    }

    @Test func numbersAreComparedAsNumbers() throws {
        let score = Filter("score")
        func contains(_ text: String, _ value: String) throws -> Bool {
            let number = try #require(resolved.fields[1].sortNumber(ofFilterValue: value))
            return try #require(ValueRange(text, of: score, in: resolved)).numbers.contains(number)
        }
        #expect(try contains("9..10.5", "10") && contains("9..10.5", "10.5") && !contains("9..10.5", "10.51"))
        #expect(try contains("-5..", "-5") && contains("-5..", "1e9") && !contains("-5..", "-5.1"))
        #expect(try contains("..0", "-1e3") && contains("10", "10.0") && !contains("10", "11"))
        for text in ["", "..", "a", "1..2..3", "5..1", "1,5", "1 000", "..x"] {
            #expect(ValueRange(text, of: score, in: resolved) == nil, "\(text)")
        }
    }

    @Test func onlyFiltersAndOrdersHaveRanges() {
        let filters = ["joined", "score", "budget", "team", "id", "nope"].map { Filter($0) }
        #expect(filters.map { resolved.hasRanges($0) } == [true, true, false, false, false, false])
    }
}
