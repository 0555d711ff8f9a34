import Base
import People
import TestSupport
import Testing

@testable import Importers

@Suite("Encodings")
final class EncodingTests: FileImport {
    private var names: [String] { writer.sorted.compactMap(\.name) }

    private func decide(_ text: String, _ converter: String) -> EncodingDetector.Decision {
        encoded(text, as: converter).withUnsafeBytes { bytes in
            EncodingDetector().decide(bytes)
        }
    }

    static let lists: [(String, TextEncoding, String)] = [
        ("windows-1252", .windows1252, "Vorname;Ort\nJürgen Groß;Köln\nÅsa Öberg;München\n"),
        ("windows-1252", .windows1252, "Nom;Prénom\nLefèvre;François\nDupont;Hélène\nMartin;Zoé\n"),
        ("macintosh", .macRoman, "Nom;Prénom\rLefèvre;François\rDupont;Hélène\rMartin;Zoé\r"),
        ("windows-1252", .windows1252, "Nombre;Apellidos\nJosé;Muñoz\nMaría;Peña\nIñigo;Núñez\n"),
        ("windows-1252", .windows1252, "Navn;Titel\nSøren Østergård;Chef\nÅse Kjær;Designer\nBjørn Sæther;Chef\n"),
        ("windows-1250", .windows1250, "Imię;Nazwisko\nŁukasz;Wójcik\nMałgorzata;Żak\nPaweł;Śliwa\n"),
        ("ISO-8859-2", .latin2, "Imię;Nazwisko\nŁukasz;Wójcik\nMałgorzata;Żak\nPaweł;Śliwa\n"),
        ("windows-1250", .windows1250, "Jméno;Příjmení\nJiří;Dvořák\nTomáš;Novák\nKateřina;Šťastná\n"),
        ("windows-1250", .windows1250, "Név;Beosztás\nErdős Pál;Mérnök\nKőszegi Ágnes;Könyvelő\n"),
        ("windows-1254", .windows1254, "Ad;Soyad;Görev\nGökçe;Yılmaz;Müdür\nÇağrı;Şahin;Yazılımcı\nİpek;Öztürk;\n"),
        ("windows-1257", .windows1257, "Vardas;Pavardė\nJonas;Žukauskas\nRūta;Šimkutė\nĄžuolas;Čiurlionis\n"),
        ("windows-1251", .windows1251, "Имя;Фамилия\nИван;Петров\nАнна;Смирнова\nОльга;Кузнецова\n"),
        ("KOI8-R", .koi8R, "Имя;Фамилия\nИван;Петров\nАнна;Смирнова\nОльга;Кузнецова\n"),
        ("windows-1253", .windows1253, "Όνομα;Επώνυμο\nΓιώργος;Παπαδόπουλος\nΜαρία;Νικολάου\n"),
        ("windows-949", .cp949, "이름,부서\n김민수,개발팀\n이서연,영업팀\n"),
        ("ibm-943_P15A-2003", .cp932, "氏名,部署\n佐藤 健,営業部\n鈴木 愛,開発部\n"),
        ("EUC-JP", .eucJP, "氏名,部署\n佐藤 健,営業部\n鈴木 愛,開発部\n"),
        ("gb18030", .gb18030, "姓名,部门\n李娜,销售部\n王伟,技术部\n"),
        ("Big5", .big5, "姓名,部門\n李娜,業務部\n王偉,技術部\n"),
        ("windows-1252", .windows1252, StaffList.english("José Núñez", "Zoë Smith")),
        ("windows-1252", .windows1252, StaffList.english("Bob – “Robert”", "5 €")),
        ("windows-1250", .windows1250, StaffList.english("Łukasz Żak")),
        ("windows-949", .cp949, StaffList.english("김민수", "이서연")),
        ("ibm-943_P15A-2003", .cp932, StaffList.english("佐藤 健", "鈴木 愛")),
        ("gb18030", .gb18030, StaffList.english("李娜", "王伟", "张敏")),
    ]

    @Test(arguments: lists)
    func theEncodingOfAShortListIsDetected(_ converter: String, _ encoding: TextEncoding, _ text: String) {
        #expect(decide(text, converter) == .certain(encoding))
    }

    /// Only the last character may be cut off.
    @Test func aFileThatEndsWithForeignLettersIsNotUTF8() throws {
        _ = try run(encoded("Name\nСмирнова", as: "windows-1251"))
        #expect(names == ["Смирнова"])
    }

    @Test func oneNameInTwoEncodingsIsNotGuessed() throws {
        guard case .ambiguous(let best, let other, line: 9) = decide(StaffList.english("李娜"), "gb18030") else {
            throw Failure("one Chinese name may be Korean or Japanese as well")
        }
        #expect(best == EncodingDetector.Reading(encoding: .gb18030, text: "李娜") && other.text != "李娜")
        let bytes = encoded(StaffList.english("李娜"), as: "gb18030")
        let error = try run(bytes).error
        #expect(error.hasPrefix("cannot tell the encoding of staff.csv: line 9 has \"李\" in GB18030 and "))
        #expect(error.contains("--encoding GB18030 or --encoding ") && names.isEmpty, "\(error)")
        #expect(try run(bytes, .init(encoding: .gb18030)).error.isEmpty && names.contains("李娜"))
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "gb18030", "UTF-8"])
    func aByteOrderMarkDeterminesTheEncoding(_ converter: String) throws {
        let result = try run(encoded("\u{FEFF}login,name\na,김민수 𝒳\n", as: converter))
        #expect(names == ["김민수 𝒳"] && result.error.isEmpty && result.notes.count == 1, "\(result)")
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE"])
    func utf16WithoutAMarkIsSeenByItsNULs(_ converter: String) throws {
        for text in ["login,name\na,김민수\n", "{\"login\":\"a\",\"name\":\"김민수\"}\n"] {
            let result = try run(encoded(text, as: converter))
            #expect(names == ["김민수"] && result.notes == ["staff.csv is read as \(converter)"])
        }
    }

    @Test func utf8IsReadAsItIs() throws {
        #expect(try run("login,name\na,김민수\nb,Müller\n").notes == ["staff.csv is read as UTF-8"])
        #expect(Set(names) == ["김민수", "Müller"])
    }

    @Test func aListGivesTheSamePeopleInEveryEncoding() throws {
        let lists = try [Array(StaffList.text.utf8), StaffList.windows1252, StaffList.utf16].map { bytes in
            let list = try FileImport()
            #expect(try list.run(bytes).summary.schema?.withheld == ["E-Mail", "Gehalt"])
            return list.people
        }
        #expect(lists[0].filter { !$0.contains("김민수") } == lists[1] && lists[1] == lists[2] && lists[2].count == 5)
    }

    @Test func aDamagedRowOfUTF8IsRejected() throws {
        let bytes = Array("login,name\na,Müller\nb,Jürgen\nc,Åsa\nd,".utf8) + [0xFC] + Array("x\n".utf8)
        let result = try run(bytes)
        #expect(names.count == 3 && result.notes.count == 1 && result.error.isEmpty)
    }

    @Test func undecodableBytesRejectTheirRow() throws {
        let bytes = encoded("login,name\na,김민수\n", as: "windows-949") + Array("b,".utf8) + [0xB0, 0x21, 0x0A]
        let rejections = try run(bytes, .init(encoding: .cp949)).rejections
        #expect(rejections == ["line 3: expected CP949, found other bytes"] && names == ["김민수"])
    }

    /// More than one chunk, so that characters are cut in two.
    @Test(arguments: ["windows-949", "UTF-16LE", "gb18030"])
    func largeFilesAreDecodedInPieces(_ converter: String) throws {
        let rows = (1...20_000).map { "user\($0),김민수 \($0) 가나다라마바사\n" }.joined()
        let result = try run(encoded("login,name\n" + rows, as: converter), .init(encoding: .init(named: converter)))
        #expect(names.count == 20_000 && result.error.isEmpty)
        #expect(names.allSatisfy { $0.hasPrefix("김민수 ") && $0.hasSuffix(" 가나다라마바사") })
    }

    @Test func piecesDecodeLikeTheWhole() throws {
        let text = "김민수 𝒳 é 漢字"
        for converter in ["UTF-16LE", "UTF-32BE", "gb18030"] {
            let encoding = try #require(TextEncoding(named: converter))
            let bytes = encoded(text, as: converter)
            for cut in 0...bytes.count {
                let decoder = try #require(TextConverter(encoding))
                let buffer = ByteBuffer()
                bytes.withUnsafeBytes { bytes in
                    let parts = [
                        UnsafeRawBufferPointer(rebasing: bytes[..<cut]),
                        UnsafeRawBufferPointer(rebasing: bytes[cut...]),
                    ]
                    decoder.append(decoding: parts[0], isLast: false, to: buffer)
                    decoder.append(decoding: parts[1], isLast: true, to: buffer)
                }
                #expect(String(buffer) == text)
            }
        }
    }

    @Test func binaryDataIsNotATable() throws {
        let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ ($0 >> 3)) }
        #expect(try run(bytes).error == "expected a list of people in staff.csv, found binary data")
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-8"])
    func aPageBehindAByteOrderMarkIsNotATable(_ converter: String) throws {
        let page = try run(encoded("\u{FEFF}\u{FEFF}\n<!DOCTYPE html><title>Team</title>", as: converter))
        #expect(page.error.hasPrefix("staff.csv is a web page"), "\(page.error)")
    }

    @Test func namesOfEncodingsAreUnderstood() {
        for name in ["windows-1252", "CP1252", "latin1", "ISO-8859-1", "ansi"] {
            #expect(TextEncoding(named: name) == .windows1252)
        }
        #expect(TextEncoding(named: "euc-kr") == .cp949 && TextEncoding(named: "Shift_JIS") == .cp932)
        #expect(TextEncoding(named: "GBK") == .gb18030 && TextEncoding(named: "utf8") == .utf8)
        #expect(TextEncoding(named: "cp850")?.name == "cp850")
        #expect(TextEncoding(named: "klingon") == nil && TextEncoding(named: "") == nil)
        for encoding in TextEncoding.candidates { #expect(TextConverter(encoding) != nil, "\(encoding.name)") }
    }
}

@Suite("Files that are not tables")
struct FileKindTests {
    static let kinds: [(FileKind?, [UInt8])] = [
        (.excel, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0]),
        (.protected, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + "EncryptedPackage".utf8.flatMap { [$0, 0] }),
        (.archive, Array("PK\u{3}\u{4}....people.csv".utf8)),
        (.pdf, Array("%PDF-1.7\n".utf8)),
        (.page, Array("\n<!DOCTYPE html><title>Team</title>".utf8)),
        (.page, Array("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">".utf8)),
        (.xml, Array("<?xml version=\"1.0\"?><people/>".utf8)),
        (.picture, [0xFF, 0xD8, 0xFF, 0xE0]),
        (nil, Array("login,name\n".utf8)),
        (nil, Array("<none>,name\n".utf8)),
        (nil, Array("PKs,name\n".utf8)),
    ]

    @Test(arguments: kinds)
    func theContentDeterminesTheKind(_ kind: FileKind?, _ bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { FileKind.found(in: $0) } == kind)
        if let kind { #expect(kind.advice("staff.xlsx").hasPrefix("staff.xlsx is ")) }
    }
}
