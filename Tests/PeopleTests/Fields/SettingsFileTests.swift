import Base
import TestSupport
import Testing

@testable import People
@testable import Publishing

@Suite("Settings as JSON")
struct SettingsFileTests {
    private func read(_ json: String) throws -> SettingsFile { try json.withBytes { try SettingsFile(json: $0) } }

    private func error(_ json: String) -> String { message { _ = try read(json) } }

    private let example = """
        {"rollcall": 1, "title": "Our team", "intro": "Who we are.\\n\\nSecond paragraph.", "language": "de",
         "logo": "logo.svg", "accent": "#0a7d5a", "paper": "#fffdf8", "radius": "0", "font": "Georgia, serif",
         "links": [{"label": "Imprint", "url": "https://example.org/imprint"}], "private": false, "key": ["E-Mail"],
         "order": "name", "rows": ["title", "department"], "cards": ["title"],
         "search": ["name", "title", "department"], "filters": ["department", "location", "skills"],
         "sorts": ["place", "name", "surname", "joined"],
         "fields": [{"key": "name", "from": "{Vorname} {Nachname}"},
                    {"key": "joined", "from": "Eintritt", "type": "date", "format": "dmy",
                     "label": {"de": "Dabei seit", "en": "Joined"}},
                    {"key": "skills", "from": "Kenntnisse", "type": "list", "split": ";"},
                    {"key": "score", "label": "Commits", "icon": "commit"},
                    {"key": "phone", "from": "Telefon", "show": "private"},
                    {"key": "salary", "from": "Gehalt", "show": "never"}], "others": "public"}
        """

    private func merged(_ json: String, into earlier: String) throws -> DirectorySettings {
        try read(json).merged(into: read(earlier).settings)
    }

    @Test func aFileChangesOnlyWhatItNames() throws {
        let before = try read(example).settings
        #expect(try merged("{}", into: example) == before)
        let one = try merged(##"{"accent": "#223344", "intro": null, "filters": []}"##, into: example)
        var expected = before
        (expected.own.accent, expected.own.intro, expected.own.filters) = ("#223344", nil, [])
        #expect(one == expected)
        #expect(try merged(#"{"fields": null}"#, into: example).own.fields.isEmpty)
    }

    @Test func fieldsMergeByTheirKeys() throws {
        let fields = try merged(
            #"{"fields": [{"key": "score", "icon": null}, {"key": "joined", "type": "text"}, {"key": "new"}]}"#,
            into: example
        ).own.fields
        #expect(fields.map(\.key) == ["name", "joined", "skills", "score", "phone", "salary", "new"])
        #expect(fields[3].label == .text("Commits") && fields[3].icon == nil)
        // The format of a date means nothing for a text.
        #expect(fields[1].from == "Eintritt" && fields[1].type == .text && fields[1].format == nil)
        let without = try merged(#"{"fields": [{"key": "score", "icon": null, "label": null}]}"#, into: example)
        #expect(!without.own.fields.contains { $0.key == "score" })
        #expect(throws: RollcallError.self) {
            try merged(#"{"fields": [{"key": "skills", "format": "dmy"}]}"#, into: example)
        }
    }

    @Test func aHiddenFieldLeavesTheListsThatTheFileDoesNotName() throws {
        let hidden = try merged(#"{"fields": [{"key": "skills", "show": "never"}]}"#, into: example)
        #expect(hidden.own.filters == ["department", "location"])
    }

    @Test(arguments: ["private", "never"])
    func aLabelShowsNoColumnThatIsHiddenWithAllOthers(_ others: String) throws {
        let before = #"{"others": "\#(others)", "inferred": {"fields": [{"key": "room", "from": "Raum"}]}}"#
        func room(_ field: String, _ more: String = "") throws -> FieldVisibility? {
            let settings = try merged(#"{"fields": [{"key": "room", \#(field)}]\#(more)}"#, into: before)
            return ResolvedSettings(settings).fields.first { $0.key == "room" }?.visibility
        }
        // Also in a file that repeats what printed settings say of all others.
        for more in ["", #", "others": "\#(others)""#] {
            #expect(try room(#""label": "Room""#, more)?.rawValue == others)
            #expect(try room(#""label": "Room", "show": "public""#, more) == .public)
            #expect(try room(#""from": "Büro""#, more) == .public)
        }
        #expect(try room(#""label": "Room""#, #", "others": "public""#) == .public)
    }

    /// Nothing was hidden before.
    @Test func aFieldOfTheFirstFileIsShownAlthoughItHidesAllOthers() throws {
        let file = #"{"fields": [{"key": "room", "label": "Room"}], "others": "never"}"#
        for before in ["{}", #"{"inferred": {"fields": [{"key": "room", "from": "Raum"}]}}"#] {
            #expect(try ResolvedSettings(merged(file, into: before)).fields.map(\.visibility) == [.public])
        }
    }

    @Test(arguments: ["\\u0000", "\\u202e", "\\u202A", "\\u2066", "\\u2069"])
    func textsReadAsTheyAreWritten(_ scalar: String) throws {
        #expect(error(#"{"rollcall": 1, "intro": "Who\#(scalar) we are."}"#).contains("U+202A to U+202E"))
        #expect(error(#"{"rollcall": 1, "title": "Our\#(scalar) team"}"#).contains("expected a text of one line"))
        #expect(try read(#"{"rollcall": 1, "intro": "فريق\u200fنا\n\tText"}"#).settings.own.intro != nil)
    }

    @Test func readsAllMembers() throws {
        let file = try read(example)
        let own = file.settings.own
        #expect(file.title == "Our team" && file.logo == "logo.svg" && own.language == "de")
        #expect(own.intro == "Who we are.\n\nSecond paragraph.")
        #expect(own.accent == "#0a7d5a" && own.paper == "#fffdf8" && own.radius == "0" && own.font == "Georgia, serif")
        #expect(own.links == [SettingsLink(label: "Imprint", url: "https://example.org/imprint")])
        #expect(own.isPrivate == false && own.key == ["E-Mail"] && own.order == "name" && own.others == .public)
        #expect(own.rows == ["title", "department"] && own.cards == ["title"])
        #expect(own.search == ["name", "title", "department"])
        #expect(own.filters == ["department", "location", "skills"])
        #expect(own.sorts == ["place", "name", "surname", "joined"])
        #expect(own.fields.count == 6)
        #expect(own.fields[1].label == .byLanguage(["de": "Dabei seit", "en": "Joined"]))
        #expect(own.fields[1].type == .date && own.fields[1].format == "dmy" && own.fields[2].split == ";")
        #expect(own.fields[3].icon == "commit" && own.fields[5].show == .never)
        #expect(file.inferredNulls == nil)
    }

    @Test func readsAgainWhatItWrote() throws {
        var file = try read(example)
        file.settings.inferred.rows = ["title"]
        // A tab in a heading is the only thing that cannot be read again: headings are one line.
        file.settings.inferred.columns = ["Name", "Name", "\"<&"]
        file.settings.inferred.fields = [FieldSettings(key: "title", from: "Position")]
        file.inferredNulls = SettingsNulls()
        #expect(try read(file.json) == file)
    }

    @Test func writesOneMemberPerLine() {
        var settings = DirectorySettings()
        settings.own.language = "de"
        settings.own.fields = [FieldSettings(key: "title", from: "Position"), FieldSettings(key: "skills")]
        settings.inferred.rows = ["title"]
        settings.inferred.links = []
        #expect(
            settings.json == """
                {
                  "rollcall": 1,
                  "language": "de",
                  "fields": [
                    {"key": "title", "from": "Position"},
                    {"key": "skills"}
                  ],
                  "inferred": {
                    "links": [],
                    "rows": ["title"]
                  }
                }

                """)
        #expect(DirectorySettings().json == "{\n  \"rollcall\": 1\n}\n")
    }

    @Test func unknownMembersAreErrorsThatSuggestTheNearest() {
        #expect(error(#"{"fliters": []}"#) == #"unknown member "fliters" (did you mean "filters"?)"#)
        #expect(error(#"{"colour": "red"}"#) == #"unknown member "colour""#)
        #expect(
            error(#"{"fields": [{"key": "a"}, {"key": "b", "lable": "B"}]}"#)
                == #"fields[1]: unknown member "lable" (did you mean "label"?)"#)
        #expect(
            error(#"{"links": [{"label": "A", "href": "https://a.example/"}]}"#) == #"links[0]: unknown member "href""#)
        #expect(error(#"{"inferred": {"title": "A"}}"#) == #"inferred: unknown member "title""#)
    }

    @Test(arguments: [
        (#"{"rollcall": 2}"#, "rollcall: expected 1, the version of settings, found 2"),
        (#"{"rows": ["a", "b", "c", "d"]}"#, "rows: expected at most 3, found 4"),
        (#"{"sorts": ["a", "b", "c", "d", "e", "f", "g"]}"#, "sorts: expected at most 6, found 7"),
        (#"{"rows": ["a", "a"]}"#, #"rows: expected "a" once, found it twice"#),
        (#"{"rows": "a"}"#, #"rows: expected an array, found "a""#),
        (#"{"rows": [], "rows": []}"#, "expected rows once, found it twice"),
        (##"{"accent": "#12345"}"##, ##"accent: expected a colour such as #0a7d5a or #fff, found "#12345""##),
        (##"{"paper": "white"}"##, ##"paper: expected a colour such as #0a7d5a or #fff, found "white""##),
        (#"{"radius": "3rem"}"#, "radius: expected 0, or a length of at most 2rem or 32px such as .75rem"),
        (#"{"radius": "1rem;"}"#, "radius: expected 0, or a length of at most 2rem or 32px such as .75rem"),
        (#"{"radius": "50%"}"#, "radius: expected 0, or a length of at most 2rem or 32px such as .75rem"),
        (#"{"font": "x;}"}"#, "font: expected names of fonts of at most 200 bytes such as Georgia"),
        (#"{"font": "a;} * {color:red"}"#, "font: expected names of fonts"),
        (#"{"font": "serif, url(x)"}"#, "font: expected names of fonts"),
        (#"{"font": "\"a\\\"b\""}"#, "font: expected names of fonts"),
        (#"{"font": "Georgia,"}"#, "font: expected names of fonts"),
        (#"{"language": "german language"}"#, "language: expected a language such as de, pt-BR or und"),
        (
            #"{"links": [{"label": "A", "url": "javascript:alert(1)"}]}"#,
            "links[0].url: expected an http, https or mailto URL"
        ),
        (#"{"links": [{"label": "A"}]}"#, #"links[0]: expected an object with "label" and "url""#),
        (#"{"private": "yes"}"#, #"private: expected true or false, found "yes""#),
        (#"{"others": "nobody"}"#, #"others: expected one of public, private, never, found "nobody""#),
        (#"{"fields": [{"label": "A"}]}"#, #"fields[0]: expected a field with a "key""#),
        (#"{"fields": [{"key": "a"}, {"key": "a"}]}"#, #"fields: expected one field "a", found two"#),
        (#"{"fields": [{"key": "Job\ntitle"}]}"#, "fields[0].key: expected a text of one line"),
        (#"{"fields": [{"key": "a", "icon": "pni"}]}"#, #"found "pni" (did you mean "pin"?)"#),
        (#"{"fields": [{"key": "a", "type": "dat"}]}"#, #"found "dat" (did you mean "date"?)"#),
        (#"{"fields": [{"key": "a", "type": "date", "format": "1.234,5"}]}"#, "expected one of dmy, mdy, ymd"),
        (#"{"fields": [{"key": "a", "from": "{Vorname"}]}"#, "fields[0].from: expected a column, or a template"),
        (#"{"fields": [{"key": "a", "label": {"x": 1}}]}"#, "fields[0].label: expected labels by language"),
        (#"{"title": "a\nb"}"#, "title: expected a text of one line"),
        ("{\n  \"rows\": [}", "line 2, column 12: expected a value, found \"}\""),
        ("[]", "settings: expected an object, found []"),
    ])
    func badValuesAreErrors(_ json: String, _ message: String) {
        #expect(error(json).contains(message), "\(error(json))")
    }

    @Test func limitsHold() {
        func fields(_ count: Int) -> String {
            "{\"fields\": [\((1...count).map { "{\"key\": \"k\($0)\"}" }.joined(separator: ","))]}"
        }
        #expect(error(fields(64)) == "")
        #expect(throws: RollcallError("fields: expected at most 64 fields, found 65")) {
            try read(fields(65)).settings.check()
        }
        func label(_ count: Int) -> String {
            "{\"fields\": [{\"key\": \"a\", \"label\": \"\(String(repeating: "ä", count: count))\"}]}"
        }
        #expect(error(label(80)) == "")
        #expect(error(label(81)).hasPrefix("fields[0].label: expected a text of one line, of at most 80 characters"))
        func key(_ count: Int) -> String { "{\"fields\": [{\"key\": \"\(String(repeating: "k", count: count))\"}]}" }
        for (count, isRight) in [(40, true), (41, false)] {
            #expect(((try? read(key(count)).settings.check()) != nil) == isRight)
        }
        #expect(error(String(repeating: " ", count: (1 << 20) + 1)).hasPrefix("expected settings of at most 1 MiB"))
    }

    @Test func checksKeysOfLists() throws {
        func error(_ json: String) -> String { message { try read(json).settings.check() } }
        let fields = #""fields": [{"key": "team"}, {"key": "url", "type": "link"}, {"key": "pay", "show": "private"}]"#
        #expect(error("{\(fields), \"rows\": [\"team\", \"id\"], \"sorts\": [\"place\", \"team\"]}") == "")
        #expect(
            error("{\(fields), \"rows\": [\"taem\"]}").hasPrefix(#"rows: unknown field "taem" (did you mean "team"?)"#))
        #expect(error("{\(fields), \"filters\": [\"pay\"]}").contains("which is private"))
        #expect(error("{\(fields), \"filters\": [\"url\"]}").contains("which is a link"))
        let orders = "expected one of id, login, name, place"
        #expect(error(#"{"order": "x", "fields": [{"key": "name"}]}"#).hasSuffix(orders))
        #expect(error(#"{"order": "x", "fields": [{"key": "last_name"}]}"#).hasSuffix(orders + ", surname, last_name"))
        #expect(error("{\(fields), \"order\": \"team:up\"}").contains("expected KEY or KEY:desc"))
        #expect(error("{\(fields), \"order\": \"team:desc\"}") == "")
        #expect(
            error(#"{"fields": [{"key": "name", "from": "{A} {B}"}, {"key": "a", "from": "A", "show": "never"}]}"#)
                .contains(#"because "name" reads the same column, A"#))
    }

    @Test func theOrderBySurnameNeedsALastName() throws {
        for json in [#"{"order": "surname:desc"}"#, #"{"sorts": ["name", "surname"]}"#] {
            #expect(throws: RollcallError.self) { try read(json).settings.check() }
        }
        let reason = message { try read(#"{"order": "surname"}"#).settings.check() }
        #expect(reason.contains(#"order: "surname" needs a public field last_name or reading"#))
        let hidden = try read(#"{"order": "surname", "fields": [{"key": "last_name", "show": "private"}]}"#).settings
        #expect(throws: RollcallError.self) { try hidden.check() }
        #expect(ResolvedSettings(hidden).shown.orders.isEmpty)
        #expect(ResolvedSettings(hidden).shown.defaultSort == Sort(.name))
        for key in ["last_name", "reading"] {
            let settings = try read("{\"sorts\": [\"surname\"], \"fields\": [{\"key\": \"\(key)\"}]}").settings
            try settings.check()
            #expect(ResolvedSettings(settings).shown.orders.map(\.key) == ["surname"])
        }
    }

    @Test func aFileThatNamesNeitherPrivateNorKeyKeepsThem() throws {
        let earlier = try read(#"{"private": true, "key": ["E-Mail"], "rows": ["title"]}"#).settings.own
        let other = try read(##"{"accent": "#0a7d5a"}"##).settings.own.replacing(earlier)
        #expect(other.isPrivate == true && other.key == ["E-Mail"] && other.rows == nil && other.accent == "#0a7d5a")
        let removing = try read(#"{"private": false, "key": []}"#).settings.own.replacing(earlier)
        #expect(removing.isPrivate == false && removing.key == [])
    }

    @Test func onlyFieldsWithASourceLeaveTheirPlace() throws {
        let settings = try read(
            #"""
            {"fields": [{"key": "office", "label": "Room"}, {"key": "joined", "from": "Start"}],
             "inferred": {"fields": [{"key": "title", "from": "Position"}, {"key": "office", "from": "Raum"},
                                     {"key": "joined", "from": "Eintritt"}, {"key": "team", "from": "Team"}]}}
            """#
        ).settings
        let resolved = ResolvedSettings(settings)
        #expect(resolved.fields.map(\.key) == ["joined", "title", "office", "team"])
        #expect(resolved.fields[2].label == .text("Room"))
        #expect(resolved.fields[2].source.onlyColumn == "Raum")
    }

    @Test func checksColumns() throws {
        let settings = try read(#"{"key": ["E-mail"], "fields": [{"key": "name", "from": "{Vorname} {Name}"}]}"#)
            .settings
        try settings.check(columns: ["e-mail", "VORNAME", "name"])
        #expect(throws: RollcallError.self) { try settings.check(columns: ["e-mail", "Vorname"]) }
        #expect(throws: RollcallError.self) { try settings.check(columns: ["Vorname", "Name"]) }
    }

    @Test(arguments: [("fliters", "filters"), ("Rows", "rows"), ("serach", "search"), ("lnaguage", "language")])
    func nearest(_ text: String, _ name: String) {
        #expect(Suggestion.nearest(to: text, in: Settings.members.map(\.name)) == name)
    }
}

@Suite("Colours")
struct ColourTests {
    @Test(arguments: ["#fff": 1.0, "#FFFFFF": 1, "#000": 21, "#777777": 4.47, "#0a7d5a": 5.1])
    func contrastWithWhite(_ text: String, _ contrast: Double) throws {
        let colour = try #require(Colour(text))
        #expect(abs(colour.contrast(with: .white) - contrast) < 0.1)
    }

    @Test(arguments: ["fff", "#ff", "#ffff", "#ggg", "#fffffff", "red", "#", "#é12"])
    func otherTexts(_ text: String) { #expect(Colour(text) == nil) }
}
