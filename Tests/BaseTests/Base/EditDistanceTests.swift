import Base
import Testing

@Suite("Distance between words")
struct EditDistanceTests {
    @Test(arguments: [
        ("jurgne", "jurgen", 1), ("muler", "muller", 1), ("mulller", "muller", 1), ("mukler", "muller", 1),
        ("anna", "anna", 0), ("", "", 0), ("", "a", 1), ("a", "", 1),
    ])
    func aMissingWrongOrSwappedLetterIsOne(_ left: String, _ right: String, _ distance: Int) {
        #expect(Array(left).distance(to: Array(right), atMost: 1) == distance)
        #expect(Array(right).distance(to: Array(left), atMost: 2) == distance)
    }

    @Test func theNearestNameIsFoundWithinItsLimit() {
        let nearest = { (text: String, limit: Int) in
            ["filters", "rows", "Search"].nearest(to: text) { _ in limit }
        }
        #expect(nearest("serach", 1) == "Search" && nearest("FLITERS", 1) == "filters" && nearest("row", 2) == "rows")
        #expect(nearest("serahc", 1) == nil && nearest("", 3) == nil)
        let long = String(repeating: "a", count: 100)
        #expect([long + "cc"].nearest(to: long + "b") { _ in 0 } == long + "cc")
    }

    @Test(arguments: [("anna", "bob"), ("anna", "annabel"), ("abcd", "badc"), ("", "ab")])
    func moreThanTheLimitIsNone(_ left: String, _ right: String) {
        #expect(Array(left).distance(to: Array(right), atMost: 1) == nil)
    }
}
