import Foundation
import People
import Testing

@testable import Importers

@Suite("LDIF")
struct LDIFTests {
    let folder: TemporaryFolder
    let writer = MemoryWriter()

    init() throws { folder = try TemporaryFolder() }

    private func run(_ text: String) throws -> (summary: ImportSummary, notes: [String], error: String) {
        var notes: [String] = []
        let path = try folder.write(Array(text.utf8), to: "people.ldif")
        let summary = ImportRun(writer: writer).run(FileSource(path: path)) { event in
            if case .note(let note) = event { notes.append(note) }
        }
        guard case .failed(let error) = summary.end else { return (summary, notes, "") }
        return (summary, notes, "\(error)")
    }

    @Test func entriesBecomePeople() throws {
        let (summary, notes, error) = try run(
            """
            # a comment
              that goes on
            version: 1

            dn: uid=jg,ou=people,dc=example,dc=org
            objectClass: inetOrgPerson
            uid: jg
            cn:: SsO8cmdlbiBHcm/Dnw==
            sn;lang-de: Groß
            title: Leiter der
              Technik
            ou: Technik
            ou: Vorstand
            manager: cn=Zoë\\, Dr. Maß,ou=people,dc=example,dc=org
            labeledURI: https://example.org/jg My page
            mail: jg@example.org
            userPassword:: e1NTSEF9c2VjcmV0
            jpegPhoto:< file:///etc/passwd
            carLicense: S-AB 1

            dn: cn=printers,dc=example,dc=org
            objectClass: groupOfNames
            cn: printers

            dn: uid=old,dc=example,dc=org
            objectClass: person
            cn: Old
            userAccountControl: 514

            # search result
            result: 0 Success

            """)
        #expect(error == "")
        #expect(summary.progress.users == 1)
        let user = try #require(writer.sorted.first)
        #expect(user.name == "Jürgen Groß" && user.htmlURL == "https://example.org/jg")
        let more = user.more ?? ""
        for part in ["\"Title\":\"Leiter der Technik\"", "[\"Technik\",\"Vorstand\"]", "Zoë, Dr. Maß"] {
            #expect(more.contains(part), "\(more)")
        }
        for part in ["secret", "U1NIQX", "jg@", "S-AB", "\"uid\""] { #expect(!more.contains(part), "\(more)") }
        #expect(notes.contains("1 entry is not a person") && notes.contains("1 disabled account left out"), "\(notes)")
        #expect(notes.contains("1 value in other files (:<) not read"))
        #expect(summary.schema?.withheld == ["uid", "mail", "carlicense"])
    }

    @Test func photosAndNamesOfManagersAreRead() throws {
        let photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 20)).base64EncodedString()
        let path = try folder.write(
            Array(
                """
                dn: uid=ann,ou=people,dc=example,dc=org
                objectClass: person
                cn: Ann Lee
                title;lang-de: Leiterin
                title;lang-en: Head
                manager: UID=zm, ou=people,dc=example,dc=org
                thumbnailPhoto:: \(photo)
                jpegPhoto:: \(photo)

                dn: uid=zm,ou=people,dc=example,dc=org
                objectClass: person
                cn: Zoë Maß

                """.utf8), to: "photos.ldif")
        let source = FileSource(path: path)
        let summary = ImportRun(writer: writer).run(source)
        let ann = try #require(writer.sorted.first { $0.name == "Ann Lee" })
        #expect(ann.more?.contains(#""Manager":"Zoë Maß""#) == true, "\(ann.more ?? "")")
        #expect(ann.more?.contains(#""Title":"Head""#) == true, "\(ann.more ?? "")")
        let found = try #require(summary.photos.first)
        #expect(summary.photos.count == 1 && found.name == "Ann Lee")
        #expect(try source.openPhotos()?.read(found.path).prefix(4) == [0xFF, 0xD8, 0xFF, 0xE0])
        #expect(ann.more?.contains("Photo") == false && ann.avatarURL == nil)
    }

    @Test func changesAndCutListsAreRefused() throws {
        #expect(
            try run("dn: cn=a\nchangetype: modify\n").error
                == "line 2: expected entries, found changes to entries (changetype)")
        let cut = try run("dn: cn=a\ncn: Ann\n\nsearch: 2\nresult: 4 Size limit exceeded\n")
        #expect(cut.error.hasPrefix("the search ended with \"4 Size limit exceeded\""))
        #expect(try run("dn: ou=x\nou: x\n").error == "expected entries of people, found none")
    }

    @Test func damagedLettersAreRefused() throws {
        let path = try folder.write(Array("Name,Stadt\nJÃ¼rgen GroÃŸ,KÃ¶ln\nAnn,Bonn\n".utf8), to: "people.csv")
        let summary = ImportRun(writer: writer).run(FileSource(path: path))
        guard case .failed(let error) = summary.end else {
            Issue.record("the file was taken")
            return
        }
        #expect("\(error)".hasPrefix("people.csv: \"JÃ¼rgen GroÃŸ\" is probably \"Jürgen Groß\" in UTF-8"), "\(error)")
        let options = FileSource.Options(encoding: .utf8)
        #expect(ImportRun(writer: writer).run(FileSource(path: path, options: options)).progress.users == 2)
        let right = try folder.write(Array("Name,Stadt\nJürgen Groß,Köln\nÃ‰ric,Bonn\nZoë,Kæl\n".utf8), to: "right.csv")
        #expect(ImportRun(writer: writer).run(FileSource(path: right)).progress.users == 3)
    }
}
