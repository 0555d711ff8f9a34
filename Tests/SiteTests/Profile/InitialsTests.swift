import Base
import Testing

@testable import Site

@Suite("Initials")
struct InitialsTests {
    private func initials(_ name: String, _ kind: AccountKind = .person) -> String {
        let buffer = ByteBuffer()
        name.withUTF8Bytes { buffer.append(initialsOf: $0, of: kind) }
        return String(buffer)
    }

    @Test(arguments: [
        ("Ada Lovelace", "AL"), ("ada", "A"), ("Jean-Luc van den Berg", "JB"), ("김 민수", "민수"), ("Éloïse Ørsted", "ÉØ"),
        ("😀", "😀"), ("  spaced   out ", "SO"), ("(the) [bot]", "TB"), ("42", "4"), ("Hēmi ʻĀina", "HĀ"), ("-_-", ""),
        ("", ""), ("नमस्ते", "न"),
    ])
    func initialsAreTakenFromTheName(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
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
            name.withUTF8Bytes { buffer.append(initialsOf: $0) }
            let found = String(buffer)
            // A capital of several characters, such as that of ß, would be one too many.
            let capital = initial.map { $0.uppercased().count == 1 ? $0.uppercased() : String($0) } ?? ""
            if found != capital { Issue.record("U+\(String(scalar.value, radix: 16)) and “\(rest)”: “\(found)”") }
        }
    }

    @Test(arguments: [
        ("강다은", "다은"), ("김민", "김민"), ("김", "김"), ("남궁예린", "예린"), ("남궁민", "궁민"), ("박하늘별", "하늘"), ("김 민수", "민수"),
        ("민수 김", "민수"),
        ("황보 은비", "은비"), ("김민수 Kim", "김K"), ("Kim 민수", "K민"), ("김민수2", "김"),
    ])
    func koreanInitialsAreTheGivenName(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test func initialsOfKoreanOrganisationsAreTheFirstSyllables() {
        #expect(initials("한빛연구소", .organization) == "한빛")
        #expect(initials("배포 로봇", .software) == "배포")
    }

    @Test(arguments: [
        ("أحمد منصور", "أ"), ("سلمى حداد", "س"), ("کیان رضایی", "ک"), ("Dana دانة", "Dد"), ("נועה כהן", "נכ"),
    ])
    func arabicInitialsAreOneLetter(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    /// Their address has at most 64 bytes.
    @Test(arguments: ["ßen ßon", "ŉa ǰb", "Z\(String(repeating: "\u{321}", count: 99)) Q", "👩🏽‍🚀 🏳️‍🌈", "ﬃ ﬁ"])
    func initialsAreAtMostTwoCharacters(_ name: String) {
        let found = initials(name)
        #expect(!found.isEmpty && found.count <= 2 && found.utf8.count <= 64, "\(found)")
        #expect(InitialsDrawing(letters: found, hue: 0) != nil)
    }
}
