import Foundation
import People
import Publishing
import Testing

@testable import Importers

/// Takes what identifies people.
private final class IdentitySink: RecordSink {
    private(set) var identities: [String] = []

    func take(_ record: SourceRecord, at place: @autoclosure () -> String) {
        if case .object(_, let uid, _) = record { identities.append(uid) }
    }
    func reject(_ rejection: Rejection) {}
    func note(_ text: String) {}
    func describe(_ layout: FileLayout, _ header: CSVHeader?) {}
}

@Suite("LDIF")
final class LDIFTests: FileImport {
    private func run(_ text: String) throws -> Imported { try run(text, as: "people.ldif") }

    @Test func entriesBecomePeople() throws {
        let imported = try run(
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
        #expect(imported.error == "" && people.count == 1 && people[0].hasPrefix("Jürgen Groß "))
        for part in [
            "\"https://example.org/jg\"", "\"Title\":\"Leiter der Technik\"", "[\"Technik\",\"Vorstand\"]",
            "Zoë, Dr. Maß",
        ] { #expect(people[0].contains(part)) }
        for part in ["secret", "U1NIQX", "jg@", "S-AB", "\"uid\""] { #expect(!people[0].contains(part)) }
        for note in [
            "1 entry is not a person", "1 disabled or locked account left out",
            "1 value in other files (:<) not read: search without -t or -tt",
        ] { #expect(imported.notes.contains(note)) }
        #expect(imported.summary.schema?.withheld == ["uid", "mail", "carlicense"])
    }

    @Test func photosAndNamesOfManagersAreRead() throws {
        let photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 20)).base64EncodedString()
        let path = try write(
            "photos.ldif",
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

            """)
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
        let imported = try run(person("Ann Lee", "userAccountControl: 512") + person("Bo Day", line))
        #expect(people == ["Ann Lee"] && imported.summary.progress.rejected == 0)
        #expect(imported.notes.contains(note) && !imported.notes.contains { $0.hasPrefix("no entry says") })
    }

    @Test(arguments: [
        "accountExpires: 0", "accountExpires: 9223372036854775807", "shadowExpire: -1", "shadowExpire: 90000",
        "krbPrincipalExpiration: 99991231000000Z", "lockoutTime: 132223104000000000", "loginShell: /bin/false",
    ])
    func peopleWhoseAccountsAreGoodAreShown(_ line: String) throws {
        _ = try run(person("Ann Lee", line))
        #expect(people == ["Ann Lee"])
    }

    @Test func aNumberOrAnAccountIsNoName() throws {
        let entries = [
            "cn: 1290000053\ngivenName: Ann\nsn: Lee\nemployeeNumber: 1290000053", "cn: bday\ngivenName: Bo\nsn: Day",
            "cn: cfox\nuid: cfox", "cn: 42",
        ]
        let text = entries.enumerated().map { "dn: uid=\($0),dc=x\nobjectClass: inetOrgPerson\n\($1)\n\n" }.joined()
        let progress = try run(text).summary.progress
        #expect(Set(writer.sorted.map(\.name)) == ["Ann Lee", "Bo Day"] && progress.rejected == 0)
        #expect(
            progress.losses.lines == [
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
        let imported = try run(entry + "\n")
        #expect(people == ["\(name) \(more)".trimmed] && imported.error == "" && imported.rejections == [])
    }

    @Test(arguments: [
        // A branch is a department if there are several, and not if everybody is in it.
        (
            "dn: uid=a, OU=People,dc=x\nobjectClass: person\ncn: Ann Lee\nou: People\nou: Sales\n\n"
                + "dn: uid=b,ou=People,dc=x\nobjectClass: person\ncn: Bo Day\nou: people\n\n", "Sales"
        ),
        (
            "dn: uid=a,ou=Law,dc=x\nobjectClass: person\ncn: Ann Lee\nou: Law\n\n"
                + "dn: uid=b,ou=Sales,dc=x\nobjectClass: person\ncn: Bo Day\n\n", "Law"
        ),
    ])
    func aDepartmentIsNotEverybodys(_ text: String, _ department: String) throws {
        #expect(try run(text).summary.schema?.survey.headings.contains("Department") == true)
        #expect(people == [#"Ann Lee {"Department":"\#(department)"}"#, "Bo Day"])
    }

    @Test(arguments: [
        "dn: cn=Ann Lee,dc=x\nobjectClass: person\ndn: cn=Bo Day,dc=x\nobjectClass: person\n",
        "\u{FEFF}dn: cn=Ann Lee,dc=x\nobjectClass: person\n\n\u{FEFF}version: 1\ndn: cn=Bo Day,dc=x\nobjectClass: person\n",
        "dn: cn=Ann Lee,dc=x\nobjectClass: person\nsearch: 2\nresult: 0 Success\ncontrol: 1.2 false\n\n# page 2\ndn: cn=Bo Day,dc=x\n# a\n comment\nobjectClass: person\n",
    ])
    func entriesFollowEachOtherInAnyWay(_ text: String) throws {
        let imported = try run(text)
        #expect(people == ["Ann Lee", "Bo Day"] && imported.error == "" && imported.rejections == [])
        #expect(imported.summary.schema?.withheld == [])
    }

    /// RFC 2849 §2.c.
    @Test func aTabContinuesNoLine() throws {
        let imported = try run(
            "dn: cn=Ann,dc=x\nobjectClass: person\ncn: Ann\n\t Lee\n\n"
                + "dn: cn=Bo,dc=x\nobjectClass: person\ncn: Bo\n  Day\n")
        #expect(people == ["Ann", "Bo Day"])
        #expect(imported.rejections == ["line 4: expected an attribute and a colon"])
    }

    @Test func oneAccountInTwoBranchesIsTwoPeopleAndAMoveIsNone() throws {
        func entry(_ branch: String, _ account: String, _ id: String = "") -> String {
            "dn: uid=\(account),ou=\(branch),dc=x\nobjectClass: person\nuid: \(account)\ncn: Ann Lee\n\(id)\n"
        }
        let identities = { (text: String) in
            let (entries, sink) = (EntryIndex(), IdentitySink())
            for isCollecting in [true, false] {
                var reader = LDIFReader(entries, isCollecting: isCollecting)
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

    @Test func aSearchWithoutTheStateOfAccountsIsNotedOnce() throws {
        let notes = try run(person("Ann Lee") + person("Bo Day")).notes
        #expect(notes.count { $0.hasPrefix("no entry says whether its account is disabled") } == 1)
    }

    @Test func aFieldThatReadsAWithheldColumnSaysSoOrShowsTheAccount() throws {
        let pay = try run("Name,Gehalt\nAnn Lee,10\nBo Day,20\n", as: "staff.csv") {
            $0.map = [SettingsEdits.Assignment(key: "title", text: "Gehalt")]
        }
        let advice = "--map title=…: nothing is stored, because Gehalt is withheld; --publish Gehalt shows it"
        #expect(pay.summary.schema?.advice.contains(advice) == true)
        let entry = "dn: uid=al,dc=x\nobjectClass: person\ncn: Cy Fox\nuid: al\n\n"
        let summary = try run(entry, as: "l.ldif") {
            $0.map = [SettingsEdits.Assignment(key: "login", text: "uid")]
        }.summary
        #expect(writer.sorted.map(\.login).contains("al") && summary.schema?.withheld == [])
    }

    @Test(arguments: [
        ("dn: cn=a\nchangetype: modify\n", "line 2: expected entries, found changes to entries (changetype)"),
        (
            "dn: cn=a\ncn: Ann\n\nsearch: 2\nresult: 4 Size limit exceeded\n",
            "the search ended with \"4 Size limit exceeded\""
        ),
        (
            "dn: cn=Ann Lee,dc=x\nobjectClass: person\nresult: 4 Size limit exceeded\n",
            "the search ended with \"4 Size limit exceeded\""
        ), ("dn: ou=x\nou: x\n", "expected entries of people, found none"),
    ])
    func changesAndCutListsAreRefused(_ text: String, _ error: String) throws {
        #expect(try run(text).error.hasPrefix(error))
    }

    @Test func valuesInFilesAreCountedAndTheirPeopleRejected() throws {
        let imported = try run(
            person("Ann Lee") + "dn: uid=a,dc=x\nobjectClass: person\ncn:< file:///tmp/cn\nuid: a\n\n")
        #expect(imported.notes.contains("1 value in other files (:<) not read: search without -t or -tt"))
        #expect(imported.rejections.count == 1 && people == ["Ann Lee"])
    }

    @Test func damagedLettersAreRefused() throws {
        let text = "Name,Stadt\nJÃ¼rgen GroÃŸ,KÃ¶ln\nAnn,Bonn\n"
        let error = try run(text, as: "people.csv").error
        #expect(error.hasPrefix("people.csv: \"JÃ¼rgen GroÃŸ\" is probably \"Jürgen Groß\" in UTF-8"))
        #expect(try run(text, as: "people.csv", .init(encoding: .utf8)).summary.progress.users == 2)
        let right = "Name,Stadt\nJürgen Groß,Köln\nÃ‰ric,Bonn\nZoë,Kæl\n"
        #expect(try run(right, as: "right.csv").summary.progress.users == 3)
    }
}
