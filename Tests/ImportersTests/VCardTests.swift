import People
import Testing

@testable import Importers

@Suite("vCards (RFC 6350)")
struct VCardTests {
    private func cards(_ text: String, by length: Int? = nil) -> MemorySink {
        var names = ColumnNames()
        names.map(.name, to: "FN")
        let bytes = Array(text.utf8)
        guard let length else { return read([bytes[...]], names: names) }
        return read(
            stride(from: 0, to: bytes.count, by: length).map { bytes[$0..<min($0 + length, bytes.count)] },
            names: names)
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
        let (whole, parts) = (cards(Self.book), cards(Self.book, by: length))
        #expect(parts.users == whole.users && parts.rejections == whole.rejections)
    }

    /// RFC 6350 §3.2 says characters; older programs cut at bytes.
    @Test func aFoldInsideACharacterIsUndone() {
        let bytes =
            Array("BEGIN:VCARD\nVERSION:3.0\nFN:M".utf8) + [0xC3, 0x0A, 0x20, 0xBC] + Array("ller\nEND:VCARD\n".utf8)
        var names = ColumnNames()
        names.map(.name, to: "FN")
        #expect(read([bytes[...]], names: names).users.map(\.name) == ["Müller"])
    }

    @Test func anInlinePhotoOfAnySizeIsNotKept() {
        let data = "/9j/4AAQSkZJRg" + String(repeating: "A", count: 3 << 20)
        let folded = stride(from: 0, to: data.utf8.count, by: 75).map { offset in
            String(decoding: data.utf8.dropFirst(offset).prefix(75), as: UTF8.self)
        }.joined(separator: "\n ")
        let sink = cards("BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nPHOTO;ENCODING=b;TYPE=JPEG:\(folded)\nEND:VCARD\n")
        #expect(sink.users.count == 1 && sink.rejections.isEmpty && sink.users.first?.more?.contains("/9j") != true)
    }

    @Test func version21IsAClearError() {
        #expect(
            cards("BEGIN:VCARD\nVERSION:2.1\nN:Müller;Anna\nEND:VCARD\n").rejections == [
                "line 1: expected a card of vCard 3.0 or 4.0, found 2.1; export the contacts again as 3.0 or 4.0"
            ])
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
        let large = cards("BEGIN:VCARD\nFN:Bo\nNOTE:\(String(repeating: "x", count: 2 << 20))\nEND:VCARD\n" + good)
        #expect(large.users.count == 1 && large.rejections == ["line 1: expected a card of at most 1 MiB, found more"])
        #expect(cards("BEGIN:VCARD\nEND:VCARD\n").rejections == ["line 1: expected a login or a name, found neither"])
    }

    @Test func groupsAreNotPeople() {
        let sink = cards("BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:Team\nEND:VCARD\n")
        #expect(sink.users.isEmpty && sink.notes.contains("1 card of groups or organizations left out"))
    }

    /// Address books fold a picture, or a note with one, into several hundred thousand lines.
    @Test(.timeLimit(.minutes(1))) func aVeryLongFoldedLineTakesLinearTime() {
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
