import Base
import Testing

@testable import People
@testable import Publishing

@Suite("Values of fields")
struct FieldReaderTests {
    /// Calls `body` with a reader of one user with `more`.
    private func read(_ fields: [FieldSettings], _ more: String, _ body: (FieldReader) -> Void) {
        var settings = Settings()
        settings.fields = fields
        settings.search = fields.map(\.key)
        let resolved = ResolvedSettings(DirectorySettings(own: settings)).shown
        let (reader, buffer) = (FieldReader(resolved), ByteBuffer())
        reader.read(User(id: 7, login: "anna", name: "Anna Müller", more: more), in: buffer)
        body(reader)
    }

    private func field(
        _ key: String, _ from: String? = nil, _ type: FieldType? = nil, format: String? = nil, split: String? = nil
    ) -> FieldSettings {
        var field = FieldSettings(key: key, from: from)
        (field.type, field.format, field.split) = (type, format, split)
        return field
    }

    private func value(_ field: FieldSettings, _ more: String) -> FieldValue? {
        var value: FieldValue?
        read([field], more) { value = $0.value(of: 0) }
        return value
    }

    @Test(arguments: [
        ("{A} {B} {C}", #"{"A":"1","B":"2","C":"3"}"#, "1 2 3"), ("{A} {B} {C}", #"{"A":"1","B":" ","C":"3"}"#, "1 3"),
        ("{A} {B} {C}", #"{"B":"2"}"#, "2"), ("{A}, {B}", #"{"A":"1"}"#, "1"), ("{A}, {B}", #"{"B":"2"}"#, "2"),
        ("{A} ({B})", #"{"A":"1","B":"2"}"#, "1 (2)"), ("{A} ({B})", #"{"A":"1"}"#, "1"),
        ("Dr. {A} {B}", #"{"B":"2"}"#, "Dr. 2"), ("{A}{B}", #"{"A":"1","B":"2"}"#, "12"),
        ("{A} Jr.", #"{"A":"1"}"#, "1 Jr."), ("{A} {B}", #"{"A":" \u00e4\n","B":5}"#, "ä 5"),
        ("A", #"{"A":["x","y"]}"#, "x, y"), ("A", #"{"A":true}"#, "true"),
    ])
    func templates(_ template: String, _ more: String, _ text: String) {
        #expect(value(field("x", template), more) == .text(text))
    }

    @Test func emptyFieldsHaveNoValue() {
        for more in [#"{"A":""}"#, #"{"A":null}"#, #"{"A":"\u00a0　"}"#, #"{"A":{"b":1}}"#, "{}", ""] {
            #expect(value(field("x", "A"), more) == nil)
            #expect(value(field("x", "{A} {B}"), more) == nil)
        }
    }

    @Test func rolesFallBackToColumnsOfTheUser() {
        #expect(value(field("login", "Kürzel"), "{}") == .text("anna"))
        #expect(value(field("login", "Kürzel"), #"{"Kürzel":"am"}"#) == .text("am"))
        #expect(value(field("name", "{Vorname} {Nachname}"), "{}") == .text("Anna Müller"))
        #expect(value(field("id"), "{}") == .number(7))
        #expect(value(field("reputation"), "{}") == nil)
    }

    @Test(
        arguments: [
            ("42", 42), ("-7", -7), ("9223372036854775807", .max), ("1e3", 1000), ("1.5", nil), ("null", nil),
            (#""12""#, 12), (#""many""#, nil),
        ] as [(String, Int64?)])
    func aFigureIsAWholeNumber(_ json: String, _ number: Int64?) {
        read([field("reputation")], "{\"reputation\":\(json)}") { #expect($0.wholeNumber(of: 0) == number) }
    }

    @Test(
        arguments: [
            (nil, "1234", 1234), (nil, "-1234.5", -1234.5), (nil, "1e3", 1000), (nil, "1.234,5", nil),
            (nil, "1,234", nil), (nil, "", nil), (nil, "1.", nil), (nil, ".5", nil), (nil, "12 km", nil),
            (nil, "−3", -3), ("1.234,5", "1.234,5", 1234.5), ("1.234,5", "1234,5", 1234.5),
            ("1.234,5", "1.234.567", 1_234_567), ("1.234,5", "1.23", nil), ("1.234,5", "12345.678", nil),
            ("1.234,5", "1,5,5", nil), ("1,234.5", "1,234.5", 1234.5), ("1,234.5", "-12", -12),
            ("1 234,5", "1 234,5", 1234.5), ("1 234,5", "1\u{A0}234", 1234), ("1 234,5", "1\u{202F}234,25", 1234.25),
            ("1 234,5", "1 23", nil), ("1,234.5", "99999999999999999999", 1e20),
        ] as [(String?, String, Double?)])
    func numbers(_ format: String?, _ text: String, _ number: Double?) {
        #expect(text.withBytes { FieldNumber.read($0, format) } == number)
    }

    @Test func numbersSortByTheirKeys() {
        let numbers = [-1e300, -5.5, -1, -0.25, 0, 1e-300, 0.25, 1, 2, 1e10]
        let keys = numbers.map(FieldNumber.sortKey)
        #expect(keys == keys.sorted() && Set(keys).count == keys.count)
        #expect(FieldNumber.sortKey(-0.0) == FieldNumber.sortKey(0))
        #expect((keys.min() ?? .min) > .min)
    }

    @Test(
        arguments: [
            (nil, "1970-01-02", 1), (nil, "2019-03-01", 17956), (nil, "2019-03-01T10:00:00Z", 17956),
            (nil, "2019-03-01 10:00", 17956), (nil, "2019/3/1", 17956), (nil, "2019年3月1日", 17956),
            (nil, "2019년 3월 1일", 17956), (nil, "2019. 3. 1.", 17956), (nil, "01.03.2019", nil),
            ("dmy", "01.03.2019", 17956), ("dmy", "1.3.19", 17956), ("dmy", "1/3/2019", 17956),
            ("mdy", "3/1/2019", 17956),
            ("dmy", "2019-03-01", 17956), ("dmy", "29.02.2019", nil), ("dmy", "29.02.2020", 18321),
            ("dmy", "1.13.2019", nil), ("dmy", "0.1.2019", nil), ("dmy", "1.3.019", nil), ("dmy", "1.3.2019 x", nil),
            (nil, "1969-12-31", -1), (nil, "20190301", nil), (nil, "2019-03", nil), ("ymd", "2019-03-01", 17956),
        ] as [(String?, String, Int?)])
    func dates(_ format: String?, _ text: String, _ days: Int?) {
        #expect(text.withBytes { FieldDate.read($0, format) } == days)
    }

    @Test func lists() {
        let skills = field("skills", nil, .list, split: ";")
        #expect(value(skills, #"{"skills":"Swift; Rust ;;Swift"}"#) == .list(["Swift", "Rust"]))
        #expect(value(skills, #"{"skills":["Swift","R\u0075st","",3,"Rust"]}"#) == .list(["Swift", "Rust", "3"]))
        #expect(value(field("skills", nil, .list), #"{"skills":"Swift; Rust"}"#) == .list(["Swift; Rust"]))
        #expect(value(skills, #"{"skills":" ; "}"#) == nil)
        #expect(value(field("x", "A", .list, split: " und "), #"{"A":"a und b"}"#) == .list(["a", "b"]))
    }

    @Test(arguments: [
        ("website", "https://www.x.example/a/", "https://www.x.example/a/", "www.x.example/a"),
        ("website", "www.x.org", "https://www.x.org", "www.x.org"),
        ("website", "linkedin.com/in/x", "https://linkedin.com/in/x", "linkedin.com/in/x"),
        ("E-Mail", "anna@example.org", "mailto:anna@example.org", "anna@example.org"),
        ("E-Mail", "mailto:anna@example.org", "mailto:anna@example.org", "anna@example.org"),
        ("phone", "+49 (0)30 123-45", "tel:+4903012345", "+49 (0)30 123-45"),
        ("GitHub", "@anna", "https://github.com/anna", "anna"),
        ("GitHub", "anna-b", "https://github.com/anna-b", "anna-b"),
        ("GitHub", "github.com/anna", "https://github.com/anna", "github.com/anna"),
        ("Mastodon", "@anna@social.example", "https://social.example/@anna", "@anna@social.example"),
        ("LinkedIn", "anna", "https://www.linkedin.com/in/anna", "anna"), ("X", "@anna", "https://x.com/anna", "anna"),
    ])
    func links(_ column: String, _ text: String, _ url: String, _ shown: String) {
        let key = column == "phone" || column == "website" ? column : "x"
        #expect(value(field(key, column, .link), "{\"\(column)\":\"\(text)\"}") == .link(url: url, text: shown))
    }

    @Test func otherSchemesAreNotLinks() {
        for text in ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "ftp://a.example/", "mailto:"] {
            #expect(value(field("x", "A", .link), "{\"A\":\"\(text)\"}") == nil)
        }
        #expect(value(field("x", "A", .link), #"{"A":"see below"}"#) == .text("see below"))
        #expect(value(field("x", "A", .link), #"{"A":"photos/anna.jpg"}"#) == .text("photos/anna.jpg"))
        #expect(value(field("x", "A", .link), #"{"A":"Note: see below"}"#) == .text("Note: see below"))
    }

    @Test(arguments: [
        ("ja", true), ("Yes", true), ("TRUE", true), ("1", true), ("sí", true), ("はい", true), ("0", false),
        ("Nein", false),
    ])
    func booleans(_ text: String, _ bool: Bool) {
        #expect(value(field("x", "A", .boolean), "{\"A\":\"\(text)\"}") == .boolean(bool))
    }

    @Test func aTextOfAnotherTypeStaysText() {
        #expect(value(field("x", "A", .number), #"{"A":"k. A."}"#) == .text("k. A."))
        #expect(value(field("x", "A", .date), #"{"A":"bald"}"#) == .text("bald"))
        #expect(value(field("x", "A", .boolean), #"{"A":"vielleicht"}"#) == .text("vielleicht"))
    }

    @Test func readsTheValuesThatTheStoreDerives() {
        let fields = [
            field("skills", "Kenntnisse", .list, split: ";"), field("joined", "Eintritt", .date, format: "dmy"),
            field("points", nil, .number), field("last_name", "Nachname"), field("active", nil, .boolean),
        ]
        let more = """
            {"Nachname":"Müller","Kenntnisse":"Swift; Rust","Eintritt":"01.03.2019","points":"2.5","active":"ja"}
            """
        read(fields, more) { reader in
            var lines: [String] = []
            reader.forEachSearchLine { lines.append(String(decoding: $0, as: UTF8.self)) }
            #expect(lines == ["Swift", "Rust", "01.03.2019", "2.5", "Müller", "ja"])
            #expect(reader.sortNumber(of: 1) == 17956)
            #expect(reader.sortNumber(of: 2) == FieldNumber.sortKey(2.5))
            #expect(reader.sortNumber(of: 3) == nil)
            #expect(String(decoding: reader.surname, as: UTF8.self) == "Müller")
            let values = reader.settings.fields.indices.map { index in
                var values: [String] = []
                reader.forEachFilterValue(of: index) { values.append(String(decoding: $0, as: UTF8.self)) }
                return values
            }
            #expect(values == [["Swift", "Rust"], ["2019-03-01"], ["2.5"], ["Müller"], ["true"]])
        }
    }

    /// Address books of Japanese people have no heading that tells the language.
    @Test(arguments: [
        (#"{"Family name":"相川","SORT-AS":"あいかわ けん"}"#, "あいかわ けん"),
        (#"{"Family name":"van Dam","SORT-AS":"Dam van"}"#, "van Dam"), (#"{"Family name":"相川"}"#, "相川"),
    ])
    func aReadingInKanaIsTheSurname(_ more: String, _ surname: String) {
        read([field("last_name", "Family name"), field("reading", "SORT-AS")], more) { reader in
            #expect(String(decoding: reader.surname, as: UTF8.self) == surname)
        }
    }

    @Test func aReaderForgetsThePreviousUser() {
        var settings = Settings()
        settings.fields = [FieldSettings(key: "title")]
        let (reader, buffer) = (FieldReader(ResolvedSettings(DirectorySettings(own: settings)).shown), ByteBuffer())
        for (more, text) in [(#"{"title":"A"}"#, "A"), ("{}", ""), ("", "")] {
            reader.read(User(id: 1, login: "", more: more), in: buffer)
            #expect(String(decoding: reader.text(of: 0), as: UTF8.self) == text)
        }
    }

    /// Profiles and JSON for front ends had no value of this field.
    @Test(arguments: [
        (BuiltInSettings.stackExchange, "user_type", "registered"), (.gitHub, "type", "User"), (.git, "type", "Bot"),
    ])
    func theTypeOfAnAccountIsAFieldInTheWordsOfItsService(_ service: BuiltInSettings, _ key: String, _ text: String) {
        let settings = ResolvedSettings(DirectorySettings(inferred: service.settings)).shown
        let (reader, buffer) = (FieldReader(settings), ByteBuffer())
        reader.read(User(id: 1, login: "ada", more: "{\"\(key)\":\"\(text)\"}"), in: buffer)
        let fields = settings.filters.map { (settings.fields[$0].role, reader.value(of: $0)) }
        #expect(fields.count == 1 && fields.allSatisfy { $0 == (.type, .text(text)) })
    }
}

extension FieldReader {
    /// Reads a user whose texts are kept in `buffer`.
    fileprivate func read(_ user: User, in buffer: ByteBuffer) {
        let record = user.columns.map(buffer.keep)
        read(record.bytes(in: buffer.bytes))
    }
}
