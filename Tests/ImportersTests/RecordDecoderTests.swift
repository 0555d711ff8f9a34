import Base
import People
import Publishing
import Testing

@testable import Importers

/// Returns what records become by the settings that `change` makes.
private func decoded(
    _ records: [String], _ source: SourceLayout, requiringIDs: Bool = false,
    _ change: (inout DirectorySettings) -> Void
) throws -> UserBatch {
    var settings = DirectorySettings()
    change(&settings)
    var decoder = RecordDecoder(names: ColumnNames(ImportSchema(ImportRequest(), settings, source)))
    decoder.requiresIDs = requiringIDs
    let batch = UserBatch()
    for record in records { try record.withBytes { try decoder.append(.object($0), to: batch) } }
    return batch
}

private func field(_ key: String, _ column: String, _ show: FieldVisibility?) -> FieldSettings {
    var field = FieldSettings(key: key, from: column)
    field.show = show
    return field
}

@Suite("Record shapes")
struct RecordShapeTests {
    /// The APIs of a server of Rollcall have initials in place of a picture.
    @Test func initialsAreNoPictureAndFacesStay() throws {
        let address = "https://people.example/team/pictures/initials/7/AB.svg"
        #expect(try user(#"{"id":1,"login":"a","avatar_url":"\#(address)"}"#).avatarURL == nil)
        #expect(try user(#"{"id":1,"login":"a","avatar_url":"/pictures/initials/7/%D8%B3.svg?s=80"}"#).avatarURL == nil)
        let face = "/pictures/faces/12.svg"
        #expect(try user(#"{"id":1,"login":"a","avatar_url":"\#(face)"}"#).avatarURL == face)
        #expect(try user(#"{"id":1,"login":"a","avatar_url":"/pictures/faces/0.svg"}"#).avatarURL == nil)
    }

    @Test func allContributorsHaveTheIDOfTheirAccount() throws {
        let entry = { (face: String) in
            #"{"login":"bo","avatar_url":"\#(face)","profile":"https://example.com/bo","contributions":["doc"]}"#
        }
        let bo = try user(entry("https://avatars.githubusercontent.com/u/77?v=4"))
        #expect(bo.id == 77 && !bo.generated.contains(.id))
        #expect(try user(entry("https://avatars2.githubusercontent.com/u/78")).id == 78)
        #expect(try user(entry("https://example.com/u/77")).generated.contains(.id))
        let other = #"{"login":"bo","avatar_url":"https://avatars.githubusercontent.com/u/77"}"#
        #expect(try user(other).generated.contains(.id))
    }

    static let records: [(json: String, user: User)] = [
        // GitHub, Stack Exchange, the Rick and Morty API.
        (
            #"{"login":"ada","id":4294967301,"node_id":"x","avatar_url":"https://example.com/a?v=4","type":"User"}"#,
            User(
                id: 4_294_967_301, login: "ada", avatarURL: "https://example.com/a?v=4",
                more: #"{"node_id":"x","type":"User"}"#)
        ),
        (
            #"{"badge_counts":{"gold": 1},"reputation":942,"user_type":"moderator","user_id":7,"#
                + #""link":"https://example.com/users/7?a=1&amp;b=2","profile_image":"https://example.com/i?s=1&amp;d=2","#
                + #""display_name":"Salvad&#243; &amp;amp; O&#39;Neil","location":"V&#228;st","website_url":""}"#,
            User(
                id: 7, login: "salvado-amp-oneil", name: "Salvadó &amp; O'Neil",
                avatarURL: "https://example.com/i?s=1&d=2",
                more: #"{"badge_counts":{"gold":1},"reputation":942,"user_type":"moderator","#
                    + #""link":"https://example.com/users/7?a=1\u0026b=2","location":"Väst","website_url":""}"#,
                generated: .login)
        ),
        // Entities are decoded once, however the ampersand is escaped.
        (
            #"{"user_id":1,"display_name":"Salvad\u0026#243;","about_me":"\u0026amp;","age":"\u0041"}"#,
            User(
                id: 1, login: "salvado", name: "Salvadó", more: #"{"about_me":"\u0026amp;","age":"\u0041"}"#,
                generated: .login)
        ),
        (
            #"{"id":1,"name":"Rick’s Clone","status":"Alive","species":"Human","type":"","#
                + #""image":"https://example.com/1.jpeg","url":"https://example.com/api/character/1"}"#,
            User(
                id: 1, login: "ricks-clone", name: "Rick’s Clone", avatarURL: "https://example.com/1.jpeg",
                more: #"{"status":"Alive","species":"Human","url":"https://example.com/api/character/1"}"#,
                generated: .login)
        ),
        // Other sources: entities are kept, as are nulls of columns that are not ours.
        (#"{"id":1,"login":"a","name":"Tom &amp; Co"}"#, User(id: 1, login: "a", name: "Tom &amp; Co")),
        (
            #"{"id":1,"login":"a","name":"","avatar_url":null,"html_url":"","type":null,"bio":null}"#,
            User(id: 1, login: "a", more: #"{"bio":null}"#)
        ),
        // Containers without anything that is stored vanish. E-mail addresses are not stored.
        (
            #"{"login":"a","id":1,"contact":{"email":"x"},"list":[{"email":"x"}],"deep":{"a":{"mail":"x"},"b":1},"#
                + #""empty":{},"none":[]}"#, User(id: 1, login: "a", more: #"{"deep":{"b":1},"empty":{},"none":[]}"#)
        ),
        (
            #"{"id":1,"login":"a","email":"a@x.org","E-Mail":"b@x.org","work_email":"c@x.org","Mail":"d@x.org"}"#,
            User(id: 1, login: "a")
        ),
        (
            #"{"id":1,"login":"a","contact":{"EMail":"a@x.org","site":"x","all":[{"mail":"b@x.org"},1]}}"#,
            User(id: 1, login: "a", more: #"{"contact":{"site":"x","all":[1]}}"#)
        ),
        // Names of members in other scripts and spellings.
        (
            #"{"ID":1,"Login":"a","Work-EMAIL 2":"x","Écrire un e-mail":"y","Écran":"z","e.mail":"m"}"#,
            User(id: 1, login: "a", more: #"{"Écran":"z"}"#)
        ),
    ]

    @Test(arguments: records) func recordsOfEveryServiceAreDecoded(_ json: String, _ expected: User) throws {
        #expect(try user(json) == expected)
    }

    @Test func listsOfContributionsAreKept() throws {
        let bo = try user(
            #"{"login":"bo","avatar_url":"https://x.org/b","profile":"http://x.org/bo","contributions":["doc", "code"]}"#
        )
        #expect(bo.more == #"{"profile":"http://x.org/bo","contributions":["doc","code"]}"#)
    }

    /// Whoever stores no other columns does not show people whom one of those in an export hides.
    @Test func aFlagCountsWhereNothingIsStored() throws {
        let records = [(1, "yes"), (2, "no")].map { id, secret in
            #"{"id":\#(id),"login":"a\#(id)","fields":{"Team":"A","Secret":"\#(secret)"}}"#
        }
        let batch = try decoded(records, .ownExport(.rollcall)) { settings in
            settings.own.others = .never
            settings.own.fields = [FieldSettings(key: "hidden", from: "Secret")]
        }
        batch.resolveAlone()
        #expect(batch.records.map(\.isHidden) == [true, false])
        #expect(batch.user(0).more == nil && batch.user(1).more == nil)
    }

    /// Nothing hides the name of a person from readers, so a private one is not even kept.
    @Test(arguments: [FieldVisibility.private, .never], [SourceLayout.service(.gitHub), .ownExport(.rollcall)])
    func aNameThatReadersMayNotSeeIsNotStored(_ visibility: FieldVisibility, _ source: SourceLayout) throws {
        let record = #"{"id":1,"login":"ada","name":"Secret","avatar_url":"https://x.org/secret"}"#
        let batch = try decoded([record], source) { settings in
            settings.own.fields = [field("name", "name", visibility), field("photo", "avatar_url", visibility)]
        }
        let photo = visibility == .private ? "https://x.org/secret" : nil
        #expect(batch.user(0) == User(id: 1, login: "ada", avatarURL: photo))
    }

    /// A record without a value in the column that is read instead would show the hidden one.
    @Test(arguments: [FieldVisibility.private, .never], ["\"Acme\"", "null"])
    func aHiddenColumnIsNoNameWhereAnotherIsRead(_ visibility: FieldVisibility, _ company: String) throws {
        let record = #"{"id":1,"login":"ada","name":"Secret","company":\#(company)}"#
        let batch = try decoded([record], .service(.gitHub)) { settings in
            settings.own.fields = [field("name", "company", nil), field("alias", "name", visibility)]
        }
        #expect(batch.user(0).name == (company == "null" ? nil : "Acme"))
        #expect(batch.user(0).more?.contains("Secret") != true)
    }

    /// A directory that was filled from a table may get people of a service, too: only the table's columns are hidden.
    @Test func theIdAndTheLoginOfAServiceCountAlthoughThoseOfATableWereWithheld() throws {
        func user(_ record: String) throws -> User {
            try decoded([record], .service(.gitHub), requiringIDs: true) { settings in
                settings.inferred.fields = [field("id", "ID", .never), field("login", "Username", .never)]
            }.user(0)
        }
        #expect(try user(#"{"id":1,"login":"ada","name":"Ada"}"#) == User(id: 1, login: "ada", name: "Ada"))
        #expect(throws: RecordError("expected an id, found none")) { try user(#"{"login":"ada","name":"Ada"}"#) }
    }

    /// The publisher's own column, which only looks like one of the export.
    @Test(arguments: [FieldVisibility.private, .never])
    func aPrivateNameInsideAnExportIsKept(_ visibility: FieldVisibility) throws {
        let record = #"{"id":1,"login":"ada","name":null,"fields":{"name":"Ada"}}"#
        let batch = try decoded([record], .ownExport(.rollcall)) { $0.own.fields = [field("name", "name", visibility)] }
        let more = visibility == .private ? #"{"name":"Ada"}"# : nil
        #expect(batch.user(0) == User(id: 1, login: "ada", more: more))
    }

    /// They are those of the directory that was exported, whatever columns of its source were called so.
    @Test func theIdAndTheLoginOfAnExportCountAlthoughTheSourcesAreHidden() throws {
        let record = #"{"id":1,"login":"ada","name":"Ada"}"#
        let batch = try decoded([record], .ownExport(.rollcall)) { settings in
            settings.own.fields = [field("id", "id", .never), field("login", "login", .never)]
        }
        #expect(batch.user(0) == User(id: 1, login: "ada", name: "Ada"))
    }

    @Test(
        arguments: [
            (#"{"id":1,"login":"a","secret":"yes","gone":"no"}"#, true),
            (#"{"id":1,"login":"a","secret":"no","gone":"yes"}"#, true),
            (#"{"id":1,"login":"a","secret":"no","fields":{"gone":"yes"}}"#, true),
            (#"{"id":1,"login":"a","secret":"no","gone":"no","fields":{"gone":"no"}}"#, false),
        ])
    func aPersonWhomOneOfSeveralColumnsHidesIsHidden(_ record: String, _ isHidden: Bool) throws {
        let batch = try decoded([record], .ownExport(.rollcall)) { settings in
            settings.own.fields = [field("hidden", "{secret}{gone}", nil)]
        }
        #expect(batch.records.map(\.isHidden) == [isHidden])
    }

    /// A gap between the places of the others would tell of them.
    @Test func hiddenPeopleWhoAreRejectedDoNotCountAmongTheOthers() throws {
        var own = Settings()
        own.fields = [field("hidden", "hidden", nil)]
        var decoder = RecordDecoder(
            names: ColumnNames(ImportSchema(ImportRequest(), DirectorySettings(own: own), .ownExport(.rollcall))))
        let batch = UserBatch()
        #expect(throws: RecordError.self) {
            try #"{"id":0,"login":"a","hidden":"yes"}"#.withBytes { try decoder.append(.object($0), to: batch) }
        }
        try #"{"id":2,"login":"b"}"#.withBytes { try decoder.append(.object($0), to: batch) }
        #expect(batch.records.map(\.place) == [1])
    }
}

@Suite("Generated ids and logins")
struct MadeIdentityTests {
    @Test func aLoginIdentifiesAUserInAnyCase() throws {
        let id = try user(#"{"login":"Grace","name":"G"}"#).id
        #expect(try user(#"{"name":"Other","login":"grace"}"#).id == id)
        #expect(try user(#"{"login":"Grace2"}"#).id != id)
    }

    @Test func withoutALoginTheNameIdentifiesUsers() throws {
        let one = try user(#"{"name":"Jo Li","city":"A","score":1}"#)
        #expect(one.login == "jo-li" && one.generated == [.id, .login])
        #expect(try user(#"{"name":"Jo Lu","city":"A","score":1}"#).id != one.id)
        #expect(try user(#"{"name":"Jo Li","city":"B","score":1}"#).id == one.id)
        #expect(try user(#"{"name":"Jo Li","city":"A","score":9}"#).id == one.id)
    }

    @Test(arguments: [
        ("Nguyễn “Tí” ひかり", "Nguyễn “Tí” ひかり"), ("\u{3000}山田\u{A0}太郎\u{2003}", "山田\u{A0}太郎"), ("a\u{2028}b", "a b"),
        ("\u{FEFF}a\u{85}b\u{9B}c", "a bc"), (" a ", "a"), ("£\u{200D}é", "£\u{200D}é"),
    ])
    func textIsOneLineWithoutControlCharacters(_ text: String, _ cleaned: String) throws {
        let name = try user("{\"id\":1,\"name\":\"\(text)\"}").name
        #expect(name.map { Array($0.unicodeScalars) } == Array(cleaned.unicodeScalars))
    }

    @Test func sipHashMatchesTheReferenceImplementation() {
        // The reference implementation's test vector for the 15 bytes 00…0E.
        let hash = [UInt8](0..<15).withUnsafeBytes {
            SipHash.hash($0, key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
        }
        #expect(hash == 0xA129_CA61_49BE_45E5)
    }
}

@Suite("Value checks")
struct RecordValueTests {
    @Test(
        arguments: [
            (#"{"id":"12","login":"a"}"#, 12), (#"{"id":1e3,"login":"a"}"#, 1000),
            (#"{"id":9223372036854775807,"login":"a"}"#, .max),
        ] as [(String, Int64)])
    func idsAre64BitIntegers(_ json: String, _ id: Int64) throws {
        #expect(try user(json).id == id)
    }

    @Test(arguments: [
        (#"{"id":0,"login":"a"}"#, "expected \"id\" to be a positive 64-bit integer, found \"0\""),
        (#"{"id":-1,"login":"a"}"#, "expected \"id\" to be a positive 64-bit integer, found \"-1\""),
        (#"{"id":1.5,"login":"a"}"#, "expected \"id\" to be a positive 64-bit integer, found \"1.5\""),
        (
            #"{"id":9223372036854775808,"login":"a"}"#,
            "expected \"id\" to be a positive 64-bit integer, found \"9223372036854775808\""
        ),
        (#"{"id":"x","login":"a"}"#, "expected \"id\" to be a positive 64-bit integer, found \"x\""),
        (#"{"id":1}"#, "expected a login or a name, found neither"),
        (#"{"id":1,"login":" \t"}"#, "expected a login or a name, found neither"),
        ("[1]", "expected an object, found \"[\" at byte 1"),
        ("{\"id\":1,}", "expected a key in quotes, found \"}\" at byte 9"),
    ])
    func invalidValuesAreRejectedWithAReason(_ json: String, _ reason: String) {
        #expect(throws: RecordError(reason)) { try user(json) }
    }

    @Test func lengthsAreLimitedInCharacters() throws {
        #expect(try user("{\"id\":1,\"login\":\"\(String(repeating: "é", count: 255))\"}").login.count == 255)
        #expect(throws: RecordError("expected \"login\" to have at most 255 characters, found more")) {
            try user("{\"id\":1,\"login\":\"\(String(repeating: "é", count: 256))\"}")
        }
        #expect(throws: RecordError.self) {
            try user("{\"id\":1,\"login\":\"a\",\"bio\":\"\(String(repeating: "x", count: 65_600))\"}")
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "ftp://x", "//x", "data:,x", "http:/x", "https://", "https:///x", "http://a b", "x",
        "http://a\u{85}b", "http://a\u{2028}b", "http://a\u{9B}b", "http://a\u{FEFF}b",
        "https://bank.example@evil.example/",
    ])
    func onlyWebAddressesAreKept(_ url: String) throws {
        #expect(try user("{\"id\":1,\"login\":\"a\",\"avatar_url\":\"\(url)\"}").avatarURL == nil)
    }

    @Test func textIsOneLineWithoutControlCharacters() throws {
        #expect(
            try user(#"{"id":1,"login":" a\u0000b\u007f ","name":"\ufeffX\r\n\tY\u0085\u202e Z\u00a0"}"#)
                == User(id: 1, login: "ab", name: "X   Y \u{202E} Z"))
    }

    @Test(arguments: [#"\u200b"#, #"\u2060\u00ad\u200d"#, #"\u3164"#, #" \ufe0f\u3000"#])
    func invisibleTextIsNoLoginAndNoName(_ text: String) throws {
        #expect(throws: RecordError("expected a login or a name, found neither")) {
            try user("{\"id\":1,\"login\":\"\(text)\",\"name\":\"\(text)\"}")
        }
        #expect(try user("{\"id\":1,\"login\":\"a\(text)\"}").login.hasPrefix("a"))
    }

    @Test func aRecordOfAMillionMembersIsRejectedAtOnce() throws {
        func record(_ count: Int) -> String {
            #"{"id":1,"login":"a""# + String(repeating: #","":0"#, count: count - 2) + "}"
        }
        #expect(try user(record(RecordLimits.members)).login == "a")
        #expect(throws: RecordError("expected at most 10,000 members, found more")) {
            try user(record(RecordLimits.members + 1))
        }
    }

    @Test(arguments: [".", ".."]) func aLoginThatIsADotSegmentIsRejected(_ login: String) {
        #expect(throws: RecordError.self) { try user(#"{"id":1,"login":"\#(login)"}"#) }
    }

    @Test func mappedNamesTakePrecedence() throws {
        let names = mapped([("login", "Nickname on IRC")])
        let found = try user(#"{"id":1,"login":"a","nickname on irc":"b","reputation":9}"#, names: names)
        #expect(found == User(id: 1, login: "b", more: #"{"original_login":"a","reputation":9}"#))
    }
}
