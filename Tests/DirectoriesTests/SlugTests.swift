import Directories
import Testing

@Suite("Slugs")
struct SlugTests {
    @Test(arguments: ["a", "github", "rust-team", "3d_artists", "9", String(repeating: "a", count: 64)])
    func validSlugsAreAccepted(_ text: String) { #expect(Slug(text)?.text == text) }

    @Test(arguments: ["", "-a", "_a", "A", "é", "a b", "a/b", "a.b", "a\n", String(repeating: "a", count: 65)])
    func invalidSlugsAreRejected(_ text: String) { #expect(Slug(text) == nil) }
}
