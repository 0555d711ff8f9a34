import People
import Testing

@Suite("Names in texts")
struct NameFinderTests {
    @Test(arguments: [
        ("Anna Müller", "Anna Müller", true), ("Anna Müller", "reports to ANNA MULLER.", true),
        ("Anna Müller", "Müller, Anna (HR)", true), ("Anna Müller", "Anna Mullerson", false),
        ("Anna Müller", "Joanna Müller", false), ("Anna Müller", "Anna Maria Müller", false),
        ("Anna Müller", "anna-müller", true), ("Anna", "Annabel", false), ("Anna", "met Anna.", true),
        ("Anna Maria Groß", "gross anna maria", true), ("김민수", "김민수님", true), ("김민수", "김민", false),
        ("Jean-Luc Picard", "Picard Jean Luc", true), ("", "Anna", false), ("…", "…", false),
    ])
    func aNameIsFoundWithAnyCaseAndAccents(_ name: String, _ text: String, _ isFound: Bool) {
        #expect(NameFinder(["Zoe", name]).find(in: text) == (isFound ? [1] : []))
    }

    @Test func severalNamesAreFoundAtOnce() {
        #expect(NameFinder(["Anna Kim", "Bo Li", "Anna Li"]).find(in: "Anna Li, Bo Li and Anna Lim") == [1, 2])
    }
}
