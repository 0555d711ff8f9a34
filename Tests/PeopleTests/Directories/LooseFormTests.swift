import Base
import Foundation
import People
import Testing

@Suite("The loose form")
struct LooseFormTests {
    @Test(arguments: [
        ("Ada Lovelace", "ada lovelace"), ("Müller", "muller"), ("MÜLLER", "muller"), ("Mu\u{308}ller", "muller"),
        ("Groß", "gross"), ("GROẞ", "gross"), ("Åsa Öberg", "asa oberg"), ("Æsir Œuvre", "aesir oeuvre"),
        ("Øyvind Łukasz Đorđe", "oyvind lukasz dorde"), ("Þór Ðuro", "thor duro"), ("Ħamrun Ŋaŋ Ŧuk", "hamrun nan tuk"),
        ("Nguyễn Thị Thùy Dương", "nguyen thi thuy duong"), ("Ἀλέξανδρος Σοφός", "αλεξανδροσ σοφοσ"),
        ("Алёна Йод", "алена иод"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"), ("أحمد آل", "احمد ال"),
        ("ﬁn Ⅳ ½", "fin iv 1⁄2"), ("ＡＢＣ１２", "abc12"),
    ])
    func lettersLoseCaseAndMarks(_ text: String, _ loose: String) { #expect(text.loose == loose) }

    @Test func theFourLettersIAreOne() { #expect("İIıi".loose == "iiii") }

    @Test(arguments: [
        "O'Brien", "O’Brien", "O´Brien", "O`Brien", "Oʼbrien", "O\u{ad}Brien", "O\u{200b}Brien", "O\u{feff}brien",
    ])
    func apostrophesAndInvisibleCharactersAreDropped(_ text: String) { #expect(text.loose == "obrien") }

    @Test(arguments: [
        ("カナ", "かな"), ("ｶﾅ", "かな"), ("ｶﾞｶﾞ", "がが"), ("ガ", "が"), ("カ\u{3099}", "が"), ("ヽヾ", "ゝゞ"),
        ("サーバー", "さーばー"), ("かな", "かな"), ("が", "が"),
    ])
    func kanaAreHiragana(_ text: String, _ loose: String) { #expect(text.loose == loose) }

    @Test(arguments: [
        ("김민수", "김민수"), ("김민수".decomposedStringWithCanonicalMapping, "김민수"), ("ㄱㅁㅅ", "ㄱㅁㅅ"), ("김ㅁ", "김ㅁ"), ("ㅏㄱ", "ㅏㄱ"),
        ("\u{1100}\u{1106}", "ㄱㅁ"), ("ﾡ", "ㄱ"),
    ])
    func hangulIsComposed(_ text: String, _ loose: String) { #expect(text.loose == loose) }

    @Test(arguments: ["हिन्दी", "ไทยเด็ก", "தமிழ்", "李娜", "山田太郎", "😀", "c++", "x-y_z.9", "\u{915}\u{93c}"])
    func otherTextsStay(_ text: String) { #expect(text.loose == text) }

    @Test(arguments: [
        (" a  b ", "a b"), ("a\tb\u{a0}\u{3000}c\n", "a b c"), ("a\u{1}b", "a b"), ("a\u{2028}b\u{85}c", "a b c"),
        ("", ""), (" ", ""), ("é  \u{300}b", "e b"),
    ])
    func whiteSpaceIsOneSpace(_ text: String, _ loose: String) { #expect(text.loose == loose) }

    /// Otherwise nobody could find somebody who calls himself like that.
    @Test(arguments: ["'", "’", "\u{3164}", "\u{200b}"])
    func aTextOfDroppedCharactersKeepsThem(_ text: String) { #expect(text.loose == text.folded) }

    @Test func theFormOfALooseTextIsItself() {
        for value in UInt32(0)..<0x20000 {
            guard let scalar = Unicode.Scalar(value), value != 10 else { continue }
            let loose = "a\(scalar)b".loose
            #expect(loose.loose == loose, "U+\(String(value, radix: 16))")
        }
    }

    /// The table and the conversion of whole texts give the same: U+0E48, a mark of Thai, needs the latter.
    @Test func theTableAgreesWithNormalization() {
        for value in UInt32(0x20)..<0x10000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let alone = "a\(scalar)b".loose
            let beside = "\u{e01}\u{e48} a\(scalar)b".loose
            #expect(beside == "\u{e01}\u{e48} " + alone, "U+\(String(value, radix: 16))")
        }
    }

    @Test func textsAreAppendedToWhatIsThere() {
        let buffer = ByteBuffer()
        buffer.append("x ")
        let slice = buffer.append(loose: " É ")
        #expect(String(buffer) == "x e")
        #expect(String(decoding: buffer.bytes[slice], as: UTF8.self) == "e")
    }
}
