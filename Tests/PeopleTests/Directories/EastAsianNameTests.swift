import Testing

@testable import People

@Suite("Names in the scripts of East Asia")
struct EastAsianNameTests {
    @Test(arguments: [
        ("정", true), ("佐々木", true), ("ブラウン", true), ("やまだ", true), ("欧阳", true), ("Kim", false), ("", false),
        ("정 A", false), ("李-王", false), ("Ли", false),
    ])
    func onlyTheirLettersMakeThem(_ name: String, _ isPart: Bool) {
        #expect(EastAsianName.isPart(name) == isPart)
    }

    @Test(arguments: [
        ("정서연", "정", ["서연정"]), ("渡辺 直美子", "渡辺", ["渡辺直美子", "直美子渡辺"]), ("Anna Müller", "Müller", []),
        ("李", "李", []), ("直美子 渡辺", "渡辺", []), ("李娜", "", []),
    ])
    func theyAreFoundInBothOrders(_ name: String, _ last: String, _ variants: [String]) {
        #expect(EastAsianName.variants(of: name, last: last) == variants)
    }
}
