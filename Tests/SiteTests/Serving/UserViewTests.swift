import Bytes
import Directories
import Testing

@testable import Site

@Suite("User views")
struct PersonTests {
    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("Jean-Luc van den Berg", "JB"), ("김 민수", "김민"), ("Éloïse Ørsted", "ÉØ"),
        ("😀", "😀"), ("  spaced   out ", "SO"), ("(the) [bot]", "TB"), ("42", "4"), ("Hēmi ʻĀina", "HĀ"), ("-_-", ""),
        ("", ""), ("नमस्ते", "न"),
    ])
    func initialsAreTakenFromTheName(_ name: String, _ expected: String) {
        let buffer = ByteBuffer()
        Array(name.utf8).withUnsafeBytes { buffer.append(initialsOf: $0) }
        #expect(String(buffer) == expected)
    }

    /// Alone, and followed by an accent or a letter.
    @Test(arguments: ["", "\u{301}", "x", "ה", "\u{200D}", "\u{FE0F}"])
    func initialsNeverSplitACharacter(_ rest: String) {
        let buffer = ByteBuffer()
        for scalar in (0x80..<0x1_0000).compactMap(Unicode.Scalar.init) {
            let name = String(Character(scalar)) + rest
            let initial = name.first {
                ($0.isLetter || $0.isNumber || $0.isSymbol)
                    && $0.unicodeScalars.first?.properties.generalCategory != .modifierLetter
            }
            buffer.removeAll()
            Array(name.utf8).withUnsafeBytes { buffer.append(initialsOf: $0) }
            let found = String(buffer)
            if found != initial?.uppercased() ?? "" {
                Issue.record("U+\(String(scalar.value, radix: 16)) and “\(rest)”: “\(found)”")
            }
        }
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (2971, "2,971"), (1_000_042, "1,000,042"), (-12345, "-12,345"),
        (Int64.min, "-9,223,372,036,854,775,808"),
    ])
    func numbersAreGrouped(_ number: Int64, _ expected: String) {
        let buffer = ByteBuffer()
        buffer.append(grouped: number)
        #expect(String(buffer) == expected)
    }

    @Test(arguments: [
        ("https://example.org/a?b=c", true), ("HTTP://EXAMPLE.ORG", true), ("javascript:alert(1)", false),
        ("//example.org", false),
        ("https://a b", false), ("https://a\n", false), ("data:text/html,x", false), ("", false), ("http://", false),
        ("https://a@b/", false), ("https://medium.com/@a", true),
    ])
    func onlyWebURLsAreLinked(_ url: String, _ isWebURL: Bool) {
        Array(url.utf8).withUnsafeBytes { #expect($0.isWebURL == isWebURL) }
    }
}
