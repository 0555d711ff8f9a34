import Foundation
import People
import Publishing
import Testing

@testable import Importers

/// Takes what identifies people.
private final class IdentitySink: RecordSink {
    private(set) var identities: [String] = []

    func take(_ record: RawRecord, at place: @autoclosure () -> String) {
        if case .object(_, let uid) = record { identities.append(uid) }
    }
    func reject(_ rejection: Rejection) {}
    func note(_ text: String) {}
    func describe(_ layout: FileLayout, _ header: CSVHeader?) {}
}

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
        #expect(user.name == "Jürgen Groß")
        let more = user.more ?? ""
        for part in [
            "\"https://example.org/jg\"", "\"Title\":\"Leiter der Technik\"", "[\"Technik\",\"Vorstand\"]",
            "Zoë, Dr. Maß",
        ] {
            #expect(more.contains(part), "\(more)")
        }
        for part in ["secret", "U1NIQX", "jg@", "S-AB", "\"uid\""] { #expect(!more.contains(part), "\(more)") }
        #expect(
            notes.contains("1 entry is not a person") && notes.contains("1 disabled or locked account left out"),
            "\(notes)")
        #expect(notes.contains("1 value in other files (:<) not read: search without -t or -tt"))
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

    /// An entry of a person with further lines.
    private func person(_ name: String, _ lines: String...) -> String {
        "dn: cn=\(name),ou=people,dc=example,dc=org\nobjectClass: inetOrgPerson\ncn: \(name)\n"
            + lines.map { $0 + "\n" }.joined() + "\n"
    }

    @Test(arguments: [
        ("uid=jroe42,ou=people", nil), ("mail=boss@example.org,ou=people", nil), ("employeeNumber=900417,dc=x", nil),
        ("cn=jroe,dc=x", nil), ("cn=1017,dc=x", nil), ("CN=Bea Boss,dc=x", "Bea Boss"),
        ("cn=Bo Day,ou=people,dc=example,dc=org", "Bo Day"), ("cn=Gone Gus,ou=people,dc=example,dc=org", nil),
    ])
    func aManagerIsAPersonOfTheFileOrAName(_ manager: String, _ name: String?) throws {
        _ = try run(
            person("Ann Lee", "manager: \(manager)") + person("Bo Day") + person("Gone Gus", "nsAccountLock: TRUE"))
        let more = try #require(writer.sorted.first { $0.name == "Ann Lee" }).more ?? ""
        #expect(more == (name.map { #"{"Manager":"\#($0)"}"# } ?? ""))
    }

    @Test(arguments: [
        ("msExchHideFromAddressLists: TRUE", "1 person hidden from address lists left out"),
        ("userAccountControl: 514", "1 disabled or locked account left out"),
        ("nsAccountLock: true", "1 disabled or locked account left out"),
        ("pwdAccountLockedTime: 000001010000Z", "1 disabled or locked account left out"),
        ("loginDisabled: TRUE", "1 disabled or locked account left out"),
        ("ds-pwp-account-disabled: true", "1 disabled or locked account left out"),
        ("nsRoleDN: cn=nsManagedDisabledRole,dc=x", "1 disabled or locked account left out"),
        ("msDS-UserAccountDisabled: TRUE", "1 disabled or locked account left out"),
        ("userAccountControl: 2080", "1 account of a machine, service or trust left out"),
        ("sAMAccountName: OTHER$", "1 account of a machine, service or trust left out"),
        ("isCriticalSystemObject: TRUE", "1 account of a machine, service or trust left out"),
        ("objectClass: msDS-GroupManagedServiceAccount", "1 account of a machine, service or trust left out"),
        ("displayName: HealthMailbox-01", "1 account of a machine, service or trust left out"),
        ("nsAccountLock: TRUE ", "1 disabled or locked account left out"),
        ("accountExpires: 132223104000000000", "1 expired account left out"),
        ("shadowExpire: 18000", "1 expired account left out"),
        ("sambaKickoffTime: 1500000000", "1 expired account left out"),
        ("krbPrincipalExpiration: 20200101000000Z", "1 expired account left out"),
    ])
    func whoIsNotToBeShownIsLeftOutAndCounted(_ line: String, _ note: String) throws {
        let (summary, notes, _) = try run(person("Ann Lee", "userAccountControl: 512") + person("Bo Day", line))
        #expect(writer.sorted.map(\.name) == ["Ann Lee"])
        #expect(notes.contains(note) && summary.progress.rejected == 0, "\(notes)")
        #expect(!notes.contains { $0.hasPrefix("no entry says") })
    }

    @Test(arguments: [
        "accountExpires: 0", "accountExpires: 9223372036854775807", "shadowExpire: -1", "shadowExpire: 90000",
        "krbPrincipalExpiration: 99991231000000Z", "lockoutTime: 132223104000000000", "loginShell: /bin/false",
    ])
    func peopleWhoseAccountsAreGoodAreShown(_ line: String) throws {
        _ = try run(person("Ann Lee", line))
        #expect(writer.sorted.map(\.name) == ["Ann Lee"] && writer.sorted[0].more == nil)
    }

    @Test func aSearchWithoutTheStateOfAccountsIsNotedOnce() throws {
        let notes = try run(person("Ann Lee") + person("Bo Day")).notes
        #expect(notes.count { $0.hasPrefix("no entry says whether its account is disabled") } == 1)
    }

    @Test func aNumberOrAnAccountIsNoName() throws {
        let (summary, _, _) = try run(
            """
            dn: uid=1,dc=x
            objectClass: inetOrgPerson
            cn: 1290000053
            givenName: Ann
            sn: Lee
            employeeNumber: 1290000053

            dn: uid=2,dc=x
            objectClass: inetOrgPerson
            cn: bday
            givenName: Bo
            sn: Day

            dn: uid=3,dc=x
            objectClass: inetOrgPerson
            cn: cfox
            uid: cfox

            dn: uid=4,dc=x
            objectClass: inetOrgPerson
            cn: 42


            """)
        #expect(Set(writer.sorted.map(\.name)) == ["Ann Lee", "Bo Day"])
        #expect(summary.progress.rejected == 0)
        #expect(
            summary.progress.losses.lines == [
                "2 people left out, because they have no name, or only an address, a number or an account: line 14, line 19"
            ])
    }

    /// The name, the columns of the first person, and what identifies them.
    @Test(arguments: [
        ("dn: CN=Lee\\, Ann,CN=Users,DC=x\nobjectClass: user\nmail: a@x.org\n", "Ann Lee", ""),
        ("dn: uid=al+cn=Zo\\C3\\AB Lee,ou=x\nobjectClass: person\n", "Zoë Lee", ""),
        ("dn: cn=Ann Lee,ou=x\nmail: a@x.org\n", "Ann Lee", ""),
        (
            "dn: uid=al,ou=x\nobjectClass: person\ncommonName: Ann Lee\nlocalityName: Bonn\norganizationName: Acme\n",
            "Ann Lee", #"{"Organization":"Acme","Location":"Bonn"}"#
        ),
        (
            "dn: uid=al,ou=x\nobjectClass: person\ngn: Ann\nsurname: Lee\n2.5.4.12: Head\n", "Ann Lee",
            #"{"First name":"Ann","Last name":"Lee","Title":"Head"}"#
        ),
        (
            "dn: uid=al,ou=x\nobjectClass: person\ncn: 相川 健\nsn;lang-ja;phonetic: あいかわ\ngivenName;phonetic: けん\n",
            "相川 健", #"{"Phonetic name":"あいかわ けん"}"#
        ),
        (
            "dn: cn=Ann Lee,ou=x\nobjectClass: person\nmsDS-PhoneticDisplayName: Li An\n", "Ann Lee",
            #"{"Phonetic name":"Li An"}"#
        ),
    ])
    func namesAreFoundWhereServersWriteThem(_ entry: String, _ name: String, _ more: String) throws {
        let (summary, notes, error) = try run(entry + "\n")
        #expect(writer.sorted.map(\.name) == [name] && error == "" && summary.progress.rejected == 0, "\(notes)")
        #expect(writer.sorted.first?.more ?? "" == more)
    }

    @Test func theBranchThatEverybodyIsInIsNoDepartment() throws {
        let ann = "dn: uid=a, OU=People,dc=x\nobjectClass: person\ncn: Ann Lee\nou: People\nou: Sales\n\n"
        let bob = "dn: uid=b,ou=People,dc=x\nobjectClass: person\ncn: Bo Day\nou: people\n\n"
        let summary = try run(ann + bob).summary
        #expect(writer.sorted.map { $0.more ?? "" } == [#"{"Department":"Sales"}"#, ""])
        #expect(summary.schema?.survey.headings.contains("Department") == true)
    }

    @Test func aDepartmentThatIsNotEverybodysIsOne() throws {
        let ann = "dn: uid=a,ou=Law,dc=x\nobjectClass: person\ncn: Ann Lee\nou: Law\n\n"
        _ = try run(ann + "dn: uid=b,ou=Sales,dc=x\nobjectClass: person\ncn: Bo Day\n\n")
        #expect(writer.sorted.map { $0.more ?? "" } == [#"{"Department":"Law"}"#, ""])
    }

    @Test(arguments: [
        "dn: cn=Ann Lee,dc=x\nobjectClass: person\ndn: cn=Bo Day,dc=x\nobjectClass: person\n",
        "\u{FEFF}dn: cn=Ann Lee,dc=x\nobjectClass: person\n\n\u{FEFF}version: 1\ndn: cn=Bo Day,dc=x\nobjectClass: person\n",
        "dn: cn=Ann Lee,dc=x\nobjectClass: person\nsearch: 2\nresult: 0 Success\ncontrol: 1.2 false\n\n# page 2\ndn: cn=Bo Day,dc=x\n# a\n comment\nobjectClass: person\n",
    ])
    func entriesFollowEachOtherInAnyWay(_ text: String) throws {
        let (summary, _, error) = try run(text)
        #expect(writer.sorted.map(\.name) == ["Ann Lee", "Bo Day"] && error == "")
        #expect(summary.schema?.withheld == [] && summary.progress.rejected == 0)
    }

    @Test func aFailedSearchIsNoticedBehindAnEntry() throws {
        let error = try run("dn: cn=Ann Lee,dc=x\nobjectClass: person\nresult: 4 Size limit exceeded\n").error
        #expect(error.hasPrefix("the search ended with \"4 Size limit exceeded\""))
    }

    @Test func valuesInFilesAreCountedAndTheirPeopleRejected() throws {
        let (summary, notes, _) = try run(
            person("Ann Lee") + "dn: uid=a,dc=x\nobjectClass: person\ncn:< file:///tmp/cn\nuid: a\n\n")
        #expect(notes.contains("1 value in other files (:<) not read: search without -t or -tt"))
        #expect(summary.progress.rejected == 1 && writer.sorted.map(\.name) == ["Ann Lee"])
    }

    @Test func oneAccountInTwoBranchesIsTwoPeopleAndAMoveIsNone() throws {
        func entry(_ branch: String, _ account: String, _ id: String = "") -> String {
            "dn: uid=\(account),ou=\(branch),dc=x\nobjectClass: person\nuid: \(account)\ncn: Ann Lee\n\(id)\n"
        }
        let identities = { (text: String) in
            let (entries, sink) = (EntryIndex(), IdentitySink())
            for isCollecting in [true, false] {
                var reader =
                    isCollecting ? LDIFReader(collecting: entries) : LDIFReader(entries, photos: nil)
                try Array(text.utf8).withUnsafeBytes { try reader.read($0, into: sink) }
                try reader.finish(into: sink)
            }
            return sink.identities
        }
        #expect(Set(try identities(entry("Law", "al") + entry("Sales", "al"))).count == 2)
        #expect(try identities(entry("Law", "al")) == identities(entry("Sales", "al")))
        let id = "entryUUID: 1c0fdcba\n"
        #expect(try identities(entry("Law", "al", id) + entry("Sales", "al")) == ["1c0fdcba", "al"])
    }

    @Test func aFieldThatReadsAWithheldColumnSaysSo() throws {
        let path = try folder.write(Array("Name,Gehalt\nAnn Lee,10\nBo Day,20\n".utf8), to: "staff.csv")
        var settings = ImportSettings()
        settings.edits.map = [SettingsEdits.Mapping(key: "title", template: "Gehalt")]
        let summary = ImportRun(writer: writer).run(FileSource(path: path, settings: settings))
        #expect(
            summary.schema?.advice.contains(
                "--map title=…: nothing is stored, because Gehalt is withheld; --publish Gehalt shows it") == true)
    }

    @Test func aMapToTheLoginShowsTheAccount() throws {
        let path = try folder.write(
            Array("dn: uid=al,dc=x\nobjectClass: person\ncn: Ann Lee\nuid: al\n\n".utf8), to: "l.ldif")
        var settings = ImportSettings()
        settings.edits.map = [SettingsEdits.Mapping(key: "login", template: "uid")]
        let summary = ImportRun(writer: writer).run(FileSource(path: path, settings: settings))
        #expect(writer.sorted.map(\.login) == ["al"] && summary.schema?.withheld == [])
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
