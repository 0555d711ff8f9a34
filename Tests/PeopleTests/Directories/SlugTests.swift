import People
import Testing

@Suite("Slugs")
struct SlugTests {
    @Test(arguments: ["a", "github", "rust-team", "3d_artists", "9", String(repeating: "a", count: 64)])
    func validSlugsAreAccepted(_ text: String) { #expect(Slug(text)?.text == text) }

    @Test(arguments: ["", "-a", "_a", "A", "é", "a b", "a/b", "a.b", "a\n", String(repeating: "a", count: 65)])
    func invalidSlugsAreRejected(_ text: String) { #expect(Slug(text) == nil) }

    @Test(arguments: [
        ("Our Team.csv.gz", "our-team"), ("Köln.csv", "koeln"), ("Ko\u{308}ln.csv", "koeln"), ("Ärzte", "aerzte"),
        ("Straße", "strasse"), ("Łódź", "lodz"), ("Ångström", "aangstroem"), ("Ærøskøbing", "aeroeskoebing"),
        ("Œuvre", "oeuvre"), ("Þór Đuro ıI", "thor-duro-ii"), ("équipe", "equipe"), ("e\u{301}quipe", "equipe"),
        ("_team_1", "team_1"), ("München 2", "muenchen-2"), ("팀-a", "a"),
    ])
    func namesOfFilesBecomeSlugs(_ name: String, _ slug: String) { #expect(Slug(importName: name)?.text == slug) }

    @Test func aNameWithoutLatinLettersMakesNoSlug() { #expect(Slug(importName: "팀.csv") == nil) }

    @Test(arguments: [
        ("our-speakers.csv", "Our speakers"), ("Köln_2026.xlsx", "Köln 2026"), ("팀.csv", "팀"), ("a.b.csv.gz", "A"),
        ("-.csv", nil),
    ])
    func namesOfFilesBecomeTitlesInWords(_ name: String, _ title: String?) {
        #expect(Slug.title(ofFile: name) == title)
    }

    @Test func theSlugOfEarlierVersionsIsKnown() { #expect(Slug(earlierImportName: "Köln.csv")?.text == "k-ln") }
}
