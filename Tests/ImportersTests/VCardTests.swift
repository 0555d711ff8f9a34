import People
import Testing

@testable import Importers

@Suite("vCards (RFC 6350)")
struct VCardTests {
    private func cards(_ pieces: [ArraySlice<UInt8>], language: String = "und") -> MemorySink {
        var names = ColumnNames()
        names.map(.name, to: "FN")
        return read(pieces, names: names, language: language)
    }

    private func cards(_ text: String, language: String = "und") -> MemorySink {
        cards([Array(text.utf8)[...]], language: language)
    }

    static let book = """
        BEGIN:VCARD\r
        VERSION:4.0\r
        FN:Anna Müller\r
        N:Müller;Anna;;Dr.;\r
        ORG:Example\\, Inc.;Sales;North\r
        TITLE:Head of \r
         Sales\r
        CATEGORIES:Swift,Rust\\, and more\r
        NOTE:One line\\nand a\\;nother\r
        URL:https://example.org/anna\r
        item1.TEL;TYPE="cell,voice";PREF=1:tel:+49 30 1234\r
        EMAIL;TYPE=work:anna@example.org\r
        LANG:de\r
        END:VCARD\r
        \r
        begin:vcard\r
        version:3.0\r
        fn:김민\r
         수\r
        n:김;민수;;;\r
        adr;type=home:;;Street 1;Town;;12345;Land\r
        bday:1990-01-01\r
        end:vcard\r

        """

    @Test func cardsBecomePeople() {
        let sink = cards(Self.book)
        #expect(sink.rejections.isEmpty && sink.users.map(\.name) == ["Anna Müller", "김민수"], "\(sink.rejections)")
        let more = sink.users.first?.more ?? ""
        for member in [
            #""ORG":"Example, Inc.""#,
            #""Department":"Sales, North""#, #""TITLE":"Head of Sales""#, #""CATEGORIES":["Swift","Rust, and more"]"#,
            #""NOTE":"One line\nand a;nother""#, #""TEL":"+49 30 1234""#, #""Languages":["de"]"#,
        ] {
            #expect(more.contains(member), "\(member) in \(more)")
        }
        #expect(!more.contains("anna@"))
    }

    @Test(arguments: [1, 2, 7, 100]) func anySplitGivesTheSameCards(_ length: Int) {
        let bytes = Array(Self.book.utf8), whole = cards(Self.book)
        let parts = cards(
            stride(from: 0, to: bytes.count, by: length).map { bytes[$0..<min($0 + length, bytes.count)] })
        #expect(parts.users == whole.users && parts.rejections == whole.rejections)
    }

    /// RFC 6350 §3.2 says characters; older programs cut at bytes.
    @Test func aFoldInsideACharacterIsUndone() {
        let bytes =
            Array("BEGIN:VCARD\nVERSION:3.0\nFN:M".utf8) + [0xC3, 0x0A, 0x20, 0xBC] + Array("ller\nEND:VCARD\n".utf8)
        #expect(cards([bytes[...]]).users.map(\.name) == ["Müller"])
    }

    @Test func anInlinePhotoOfAnySizeIsNotKept() {
        let data = "/9j/4AAQSkZJRg" + String(repeating: "A", count: 3 << 20)
        let folded = stride(from: 0, to: data.utf8.count, by: 75).map { offset in
            String(decoding: data.utf8.dropFirst(offset).prefix(75), as: UTF8.self)
        }.joined(separator: "\n ")
        let sink = cards("BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nPHOTO;ENCODING=b;TYPE=JPEG:\(folded)\nEND:VCARD\n")
        #expect(sink.users.count == 1 && sink.rejections.isEmpty && sink.users.first?.more?.contains("/9j") != true)
    }

    /// As Android, Samsung and Outlook export them.
    @Test(arguments: [
        ("N:Müller;Anna", "Anna Müller"), ("N:김;민수", "김민수"), ("N:Lee;Ann;Q.;Dr.;Jr.", "Dr. Ann Q. Lee Jr."),
        ("N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Anna", "Anna Müller"),
        ("FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=EA=B9=80=EB=AF=\n=BC=EC=88=98", "김민수"),
        ("FN;ENCODING=QUOTED-PRINTABLE:J=C3=BC=\r\nrgen\r", "Jürgen"),
        ("FN;ENCODING=QUOTED-PRINTABLE:J=C3=BC=\r\r\nrgen=\r\n\r", "Jürgen"),
        ("FN:J\u{FC}r\r\n\tgen", "Jürgen"),
        ("FN;QUOTED-PRINTABLE:Anna M=FCller", "Anna Müller"),
        ("FN;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=8ER=93c=91=BE=98Y", "山田太郎"),
        ("FN;ENCODING=QUOTED-PRINTABLE:Ann=20=\nLee", "Ann Lee"),
        ("FN;ENCODING=quoted-printable:1+1=2", "1+1=2"),
    ])
    func namesOfVersion21AreRead(_ line: String, _ name: String) {
        let sink = cards("BEGIN:VCARD\nVERSION:2.1\n\(line)\nTEL;CELL;VOICE:+49 30 1\nEND:VCARD\n")
        #expect(sink.rejections.isEmpty && sink.users.map(\.name) == [name], "\(sink.users) \(sink.rejections)")
    }

    @Test(arguments: ["\n\u{FEFF}", "\u{FEFF}", "", "\r", "\r\n\r\n", "\r\r\n"])
    func filesJoinedInAnyWayHaveAllCards(_ joint: String) {
        let card = { (name: String) in
            "BEGIN:VCARD|VERSION:3.0|FN:\(name)|NOTE:one| two|END:VCARD".replacing(
                "|", with: joint.isEmpty ? "\n" : joint
            )
            .replacing("\u{FEFF}", with: joint == "\u{FEFF}" ? "\n" : "")
        }
        let sink = cards(card("Ann") + joint + card("Bo") + joint + card("Cy"))
        #expect(sink.users.map(\.name) == ["Ann", "Bo", "Cy"] && sink.rejections.isEmpty, "\(sink.rejections)")
    }

    /// RFC 6350 §5.4.
    @Test func oneOfSeveralNamesCounts() {
        func name(_ lines: String, _ language: String = "und") -> [String?] {
            cards("BEGIN:VCARD\nVERSION:4.0\n\(lines)\nEND:VCARD\n", language: language).users.map(\.name)
        }
        let two = "FN;ALTID=1;LANGUAGE=ja:山田 太郎\nFN;ALTID=1;LANGUAGE=en:Taro Yamada"
        #expect(name(two) == ["山田 太郎"] && name(two, "en") == ["Taro Yamada"] && name(two, "en-GB") == ["Taro Yamada"])
        #expect(name("FN:Ann\nFN;PREF=1:Ann Lee") == ["Ann Lee"] && name("FN:Ann\nFN;TYPE=pref:Ann Lee") == ["Ann Lee"])
    }

    /// The lines of a card with the name Ann Lee, and what is read of them and what is not.
    @Test(arguments: [
        // A `mailto:` address does not count as a website.
        ("URL:mailto:ann@example.org\nURL:tel:+4930\nURL:https://a.example/", #""https://a.example/""#, "ann@"),
        ("TITLE;ENCODING=QUOTED-PRINTABLE:Head=0D=0Aof M=C3=BCnchen", #""TITLE":"Head\nof München""#, "="),
        // Outlook ends data with an empty line, and old phones do not indent it.
        ("PHOTO;TYPE=JPEG;ENCODING=BASE64:\n /9j/4AAQSkZJRg\n AAAA\n\nTITLE:Boss", #""TITLE":"Boss""#, "/9j"),
        ("PHOTO;TYPE=JPEG;ENCODING=BASE64:\n/9j/4AAQSkZJRg\nAAAA\n\nTITLE:Boss", #""TITLE":"Boss""#, "/9j"),
        // A card within a card is nobody.
        ("AGENT:\nBEGIN:VCARD\nN:Day;Bo\nEND:VCARD\nTITLE:Boss", #""TITLE":"Boss""#, "Bo\\b"),
        // Readings sort names.
        ("SORT-STRING:Aikawa", #""SORT-AS":"Aikawa""#, "\n"),
        ("X-PHONETIC-FIRST-NAME:けん\nX-PHONETIC-LAST-NAME:あいかわ", #""SORT-AS":"あいかわ けん""#, "\n"),
        ("SOUND;X-IRMC-N;CHARSET=UTF-8:あいかわ;けん", #""SORT-AS":"あいかわ けん""#, "\n"),
        (#"N;SORT-AS="Aikawa,Ken":Lee;Ann;;;"#, #""SORT-AS":"Aikawa Ken""#, "\n"),
        // An address with another label is not the website.
        (
            "item1.URL:https://blog.example\nitem1.X-ABLabel:Blog\nitem2.URL:https://ann.example\n"
                + "item2.X-ABLabel:_$!<HomePage>!$_", #""URL":"https://ann.example""#, #""URL":"https://blog"#
        ),
    ])
    func linesOfACardAreReadOrNot(_ lines: String, _ member: String, _ absent: String) {
        for version in lines.hasPrefix("N;") || lines.hasPrefix("item") ? ["3.0"] : ["2.1", "3.0"] {
            let sink = cards("BEGIN:VCARD\nVERSION:\(version)\nFN:Ann Lee\n\(lines)\nEND:VCARD\n")
            #expect(sink.users.map(\.name) == ["Ann Lee"] && sink.rejections.isEmpty, "\(sink.rejections)")
            let more = sink.users.first?.more ?? ""
            #expect(more.contains(member) && !more.contains(absent), "\(version): \(more)")
        }
    }

    @Test(arguments: [
        ("FN:Acme\nORG:Acme", "1 card of groups or organizations left out"),
        ("N:;;;;\nORG:Acme;Sales", "1 card of groups or organizations left out"),
        ("FN:Acme Ltd\nX-ABShowAs:COMPANY", "1 card of groups or organizations left out"),
        ("FN:Team\nKIND:group", "1 card of groups or organizations left out"),
        ("FN:Ann\nCLASS:PRIVATE", "1 private card left out"), ("FN:Ann\nCLASS:confidential", "1 private card left out"),
        ("TEL:1", "1 card without a name left out"),
    ])
    func otherCardsAreLeftOutAndCounted(_ lines: String, _ note: String) {
        let sink = cards("BEGIN:VCARD\nVERSION:3.0\n\(lines)\nEND:VCARD\n" + Self.book)
        #expect(sink.users.count == 2 && sink.rejections.isEmpty && sink.notes == [note])
    }

    @Test func damagedCardsAreRejectedAndTheOthersRead() {
        let good = "BEGIN:VCARD\nVERSION:4.0\nFN:Ann\nEND:VCARD\n"
        let cut = cards(good + "BEGIN:VCARD\nVERSION:4.0\nFN:Bo\n" + good + "BEGIN:VCARD\nFN:Cy")
        #expect(cut.users.count == 2)
        #expect(
            cut.rejections == [
                "line 5: expected END:VCARD, found another BEGIN:VCARD",
                "line 12: expected END:VCARD, found the end of the file",
            ])
        let macs = cards("BEGIN:VCARD\rFN:Ann\rEND:VCARD\r\rBEGIN:VCARD\rFN:Bo")
        #expect(macs.users.count == 1)
        #expect(macs.rejections == ["line 5: expected END:VCARD, found the end of the file"])
        let large = cards("BEGIN:VCARD\nFN:Bo\nNOTE:\(String(repeating: "x", count: 2 << 20))\nEND:VCARD\n" + good)
        #expect(large.users.count == 1 && large.rejections == ["line 1: expected a card of at most 1 MiB, found more"])
    }

    /// Address books fold a picture, or a note with one, into several hundred thousand lines. In quadratic time, this
    /// would take minutes.
    @Test func aVeryLongFoldedLineTakesLinearTime() {
        let fold = String(repeating: "x", count: 75) + "\n "
        for head in ["NOTE:", "NOTE"] {
            let sink = cards(
                "BEGIN:VCARD\nFN:Ann\n\(head)" + String(repeating: fold, count: 100_000)
                    + "\nEND:VCARD\nBEGIN:VCARD\nFN:Bo\nEND:VCARD\n")
            #expect(sink.users.map(\.name) == ["Bo"])
            #expect(sink.rejections == ["line 1: expected a card of at most 1 MiB, found more"])
        }
    }
}
