import Base
import TestSupport
import Testing

@testable import People
@testable import Publishing

/// Each rule of "Without any settings".
@Suite("Inference from a file")
struct InferenceTests {
    /// Returns the settings inferred from a table with `headings`; empty cells count as missing.
    private func infer(_ headings: [String], _ rows: [[String]], own: Settings = Settings()) -> Inference {
        var survey = Survey(columns: headings.map { SurveyedColumn(heading: $0) }, records: rows.count)
        for row in rows {
            for (index, cell) in row.enumerated() where !cell.isEmpty {
                survey.columns[index].values.append(.text(cell))
            }
        }
        return Inference(survey, own: own)
    }

    private func column(_ heading: String, _ values: [String]) -> Inference { infer([heading], values.map { [$0] }) }

    private func field(_ inference: Inference, _ key: String) -> FieldSettings? {
        inference.settings.fields.first { $0.key == key }
    }

    /// What is read of settings that were written.
    private func again(_ settings: DirectorySettings) throws -> DirectorySettings {
        try settings.json.withBytes { try DirectorySettings(json: $0) }
    }

    private let staff = StaffList.columns
    private let people = StaffList.people

    @Test(arguments: [
        ("Member number", "10001"), ("Member no.", "10001"), ("Nr.", "3"), ("Mitgliedsnummer", "10001"),
        ("Kundennr.", "10001"), ("Badge ID", "7"), ("Cost code", "4711"), ("Numéro", "12"), ("회원번호", "10001"),
        ("会員番号", "10001"), ("会员编号", "10001"), ("Jahrgang", "1987"), ("Since", "2099"),
    ])
    func numbersThatNameSomethingArePlain(_ heading: String, _ value: String) {
        let field = field(column(heading, [value, value]), FieldKey.unique(heading, among: [String]()))
        #expect(field?.type == .number && field?.format == "plain")
    }

    @Test(arguments: [("Points", "10001"), ("Since", "2100"), ("Casino", "12"), ("Grid", "12"), ("Score", "1999")])
    func otherNumbersAreNot(_ heading: String, _ value: String) {
        #expect(column(heading, [value, "1950"]).settings.fields.first?.format == nil)
    }

    @Test func theStaffListNeedsNoSettings() {
        let inference = infer(staff, people)
        let settings = inference.settings
        #expect(settings.filters == ["department", "location", "skills"])
        #expect(settings.rows == ["title", "department"] && settings.cards == settings.rows)
        #expect(settings.order == "place" && settings.language == "de" && settings.columns == staff)
        #expect(settings.search == ["name", "title", "department", "location", "skills"])
        #expect(settings.sorts == ["name", "surname", "joined"])
        #expect(field(inference, "name")?.from == "{Vorname} {Nachname}")
        let (skills, joined) = (field(inference, "skills"), field(inference, "joined"))
        #expect(skills?.type == .list && skills?.split == ";" && joined?.type == .date && joined?.format == "dmy")
        #expect(["email", "gehalt"].allSatisfy { field(inference, $0)?.show == .never })
        #expect(inference.ambiguousDates.isEmpty)
        let resolved = ResolvedSettings(DirectorySettings(inferred: settings))
        #expect(resolved.shown.facts.map { resolved.shown.fields[$0].label.text(in: []) } == Array(staff[2...6]))
        #expect(resolved.visibility(ofColumn: "Foto") == .public)
        #expect(resolved.shown.orders.map(\.key) == ["place", "surname", "joined"])
    }

    @Test(
        arguments: [
            (["1", "-2", "30"], FieldType.number, nil), (["1.5", "2"], .number, nil),
            (["1,234.5", "2"], .number, "1,234.5"), (["1.234,5", "2"], .number, "1.234,5"),
            (["1 234,5", "2"], .number, "1 234,5"), (["1,5"], .number, "1.234,5"), (["007", "12"], .text, nil),
            (["+49"], .text, nil), (["0", "0.5"], .number, nil), (["1234567890123456"], .text, nil),
            (["1", "k. A."], .text, nil), (["1.234,5", "1,234.5"], .text, nil),
            (["2019-03-01", "2020-01-31"], .date, nil), (["1.3.2019", "31.12.2020"], .date, "dmy"),
            (["13/3/2019", "1/4/2019"], .date, "dmy"), (["3/13/2019", "4/1/2019"], .date, "mdy"),
            (["3/4/2019", "4/5/2019"], .text, nil), (["13/3/2019", "3/13/2019"], .text, nil),
            (["1.3.2019", "bald"], .text, nil), (["31.2.2019"], .text, nil),
            (["https://a.example/", "www.b.example"], .link, nil), (["linkedin.com/in/x"], .link, nil),
            (["Node.js", "Vue.js"], .text, nil), (["a; b", "b; c", "d"], .list, ";"), (["a|b", "b|c"], .list, "|"),
            (["a; b", "c; d"], .text, nil), (["a, b", "b, c"], .text, nil),
            (["a; b", "a"] + Array(repeating: "c", count: 30), .text, nil), (["true", "false"], .text, nil),
        ] as [([String], FieldType, String?)])
    func types(_ values: [String], _ type: FieldType, _ format: String?) {
        let field = field(column("Wert", values), "wert")
        #expect(field?.type ?? .text == type)
        #expect((type == .list ? field?.split : field?.format) == format)
    }

    @Test func theLanguageDecidesBetweenNotations() {
        let german = infer(["Abteilung", "Wert"], [["A", "1.234"], ["A", "5.678"]])
        #expect(field(german, "wert")?.format == "1.234,5")
        let english = infer(["department", "value"], [["A", "1,234"], ["A", "5,678"]])
        #expect(field(english, "value")?.format == "1,234.5")
    }

    @Test(arguments: ["Skills", "Sprachen", "tags"])
    func aCommaSeparatesWords(_ heading: String) {
        let inference = column(heading, ["a, b", "c"])
        #expect(inference.settings.fields[0].type == .list)
        #expect(inference.settings.fields[0].split == ",")
    }

    @Test func arraysAreLists() {
        let survey = Survey(
            columns: [SurveyedColumn(heading: "likes", values: [.list(["a", "b"]), .list(["a"]), .list(["b"])])],
            records: 3)
        let settings = Inference(survey).settings
        var likes = FieldSettings(key: "likes", from: "likes")
        likes.type = .list
        #expect(settings.fields == [likes])
        #expect(settings.filters == ["likes"])
    }

    @Test func objectsDoNotBecomeFields() {
        let survey = Survey(
            columns: [
                SurveyedColumn(heading: "plan", values: [.object]),
                SurveyedColumn(heading: "address", values: [.object]),
            ], records: 1)
        let inference = Inference(survey)
        #expect(inference.settings.fields.map(\.key) == ["address"])
        #expect(inference.settings.fields[0].show == .never)
    }

    @Test func ambiguousDatesAskForTheFormat() {
        let inference = column("Seit", ["3/4/2019", "4/5/2019"])
        #expect(inference.ambiguousDates.count == 1 && inference.ambiguousDates[0].hasPrefix("Seit: dates"))
        #expect(inference.ambiguousDates[0].contains("\"format\": \"dmy\" or \"mdy\" for the field \"joined\""))
    }

    @Test func filtersHaveFewValuesOfSeveralPeopleEach() {
        func isFilter(_ values: [String]) -> Bool { column("Farbe", values).settings.filters == ["farbe"] }
        #expect(isFilter(["a", "a", "b"]))
        #expect(!isFilter(["a", "a"]))
        #expect(!isFilter(["a", "a", "b", "c"]))
        #expect(isFilter(["a", "a", "a", "b", "c", ""] + ["c"]))
        let fifty = (1...50).map { "v\($0)" }
        #expect(isFilter(fifty + fifty))
        let more = (1...51).map { "v\($0)" }
        #expect(!isFilter(more + more))
        let long = String(repeating: "x", count: 101)
        #expect(!isFilter([long, long, "a", "a"]))
        #expect(isFilter([String(long.dropLast()), String(long.dropLast()), "a", "a"]))
        #expect(!isFilter(["1", "1", "2", "2"]))
        #expect(!isFilter(["2019-03-01", "2019-03-01", "2020-03-01", "2020-03-01"]))
    }

    @Test func sixFiltersInTheOrderOfTheirRoles() {
        let headings = ["x", "title", "y", "company", "country", "city", "z", "team", "w"]
        let rows = ["a", "a", "a", "b", "b"].map { value in headings.map { value + $0 } }
        #expect(
            infer(headings, rows).settings.filters == [
                "department", "location", "country", "organization", "title", "x",
            ])
    }

    @Test func namesDoNotBecomeFilters() {
        let rows = ["a", "a", "b", "b"].map { [$0, $0, $0] }
        #expect(infer(["first name", "surname", "bio"], rows).settings.filters == [])
    }

    @Test func rowsShowWhatAThirdOfThePeopleHave() {
        let headings = ["name", "title", "company", "city"]
        #expect(infer(headings, [["A", "a", "b", "c"]]).settings.rows == ["title", "organization"])
        #expect(
            infer(headings, [["A", "a", "b", "c"], ["B", "", "b", "c"], ["C", "", "b", ""], ["D", "", "", ""]])
                .settings.rows == ["organization", "location"])
        #expect(infer(headings + ["team"], [["A", "", "b", "c", "d"]]).settings.rows == ["department", "location"])
        #expect(infer(["name"], [["A"]]).settings.rows == [])
    }

    @Test func searchLeavesOutLinksAndProse() {
        let headings = ["login", "name", "phonetic name", "title", "website", "bio", "colour"]
        let rows = ["a", "a", "b"].map { [$0, $0, $0, $0, "https://\($0).example/", $0, $0] }
        #expect(infer(headings, rows).settings.search == ["name", "reading", "login", "title", "colour"])
    }

    @Test func sortsAreNamesAndThenDatesAndNumbers() {
        let headings = ["name", "surname", "first name", "score", "age group", "n1", "hired", "n2", "n3", "n4"]
        let row = ["A", "B", "C", "5", "x", "1", "2019-03-01", "2", "3", "4"]
        #expect(infer(headings, [row]).settings.sorts == ["name", "surname", "reputation", "joined", "n1", "n2"])
    }

    @Test(arguments: [
        (["Vorname", "Name"], "{Vorname} {Name}"), (["Nom", "Prénom"], "{Prénom} {Nom}"),
        (["姓", "名", "部门"], "{姓}{名}"), (["姓", "名", "フリガナ"], "{姓} {名}"), (["성", "이름"], "{성}{이름}"),
        (["Vorname"], "Vorname"), (["name", "first name", "last name"], "name"),
    ])
    func names(_ headings: [String], _ template: String) {
        #expect(field(infer(headings, [headings]), "name")?.from == template)
    }

    @Test func columnsThatHoldContactsAreWithheld() {
        func isWithheld(_ values: [String], _ heading: String = "Info") -> Bool {
            column(heading, values).settings.fields[0].show == .never
        }
        #expect(isWithheld(["a@example.org", "b@example.org"]))
        #expect(isWithheld(["a@example.org", "see below"]))
        #expect(!isWithheld(["a@example.org", "x", "y"]))
        #expect(isWithheld(["+49 30 12345", "030/123456"]))
        #expect(isWithheld(["(555) 123-4567", "555-123-4567"]))
        #expect(isWithheld(["DE89 3704 0044 0532 0130 00"]))
        #expect(!isWithheld(["DE89 3704 0044 0532 0130 01"]))
        #expect(!isWithheld(["2019-03-01", "01.03.2019"]))
        #expect(!isWithheld(["1 234 567", "1.234.567,5"]))
        #expect(!isWithheld(["12345678", "23456789"]))
        #expect(isWithheld(["anna@example.org"], "login"))
        // Addresses without a known domain may be read as links.
        #expect(isWithheld(["a@b.c", "b@b.c"], "이메일"))
        #expect(!isWithheld(["@anna@social.example", "bob@social.example"], "Mastodon"))
    }

    @Test func columnsOfCodesAreWithheldAndSecretsEvenAsLinks() {
        let hashes = (10...19).map { "$2y$10$abcdefghijklmnopqrstuv\($0)" }
        #expect(column("Info", hashes).settings.fields[0].show == .never)
        #expect(column("Avatar", hashes).settings.fields[0].show == nil)
        #expect(column("Reset token", ["https://a.example/?t=1"]).settings.fields[0].show == .never)
    }

    /// They only tell people apart: handles come from names.
    @Test(
        arguments: [
            (["ID", "Name"], ["E-1", "E-2"], true), (["ID", "Name"], ["1", "2"], true),
            (["id", "Name"], ["1", "2"], false), (["id", "Name"], ["E-1", "E-2"], true),
            (["Username", "Name"], ["ann", "bo"], true), (["Username", "Name"], ["ann", "ann"], true),
            (["login", "Name"], ["ann", "bo"], false), (["Username", "Team"], ["ann", "bo"], false),
        ] as [([String], [String], Bool)])
    func idsAndAccountsAreNotShown(_ headings: [String], _ values: [String], _ isWithheld: Bool) {
        let settings = infer(headings, values.map { [$0, "Ann"] }).settings
        #expect(settings.fields[0].show == (isWithheld ? .never : nil))
    }

    @Test func aSecondRowOfHeadingsCounts() {
        let rows = [["First", "Department", "Extension", "E-mail"], ["Ann", "Sales", "572", "a@example.org"]]
        let fields = infer(["Name", "Unit", "Contact", "Column 4"], rows).settings.fields
        #expect(fields.map(\.show) == [nil, nil, .never, .never])
        let skills = infer(["Name", "Topic"], [["Ann", "Mobile development"], ["Bo", "Law"]]).settings.fields
        #expect(skills.map(\.show) == [nil, nil])
    }

    @Test func linksAndPhotosAreNotWithheld() {
        #expect(column("Web address", ["https://a.example/"]).settings.fields[0].show == nil)
        #expect(column("Mobile site", ["https://a.example/"]).settings.fields[0].show == nil)
        #expect(column("Mobile site", ["0171 1234567"]).settings.fields[0].show == .never)
        #expect(column("Home phone", [""]).settings.fields[0].show == .never)
    }

    @Test func theNumbersOfRowsUnderNoHeadingAreNoField() {
        let networks = ["twitter", "twitter", "web", "web"]
        let rows = networks.indices.map { ["\($0)", "Ann Lee \($0)", networks[$0]] }
        let settings = infer(["Column 1", "Name", "socials/0/name"], rows).settings
        #expect(settings.fields.first { $0.key == "column_1" }?.show == .never)
        #expect(settings.filters == [])
        #expect(infer(["Rank", "Name", "Social"], rows).settings.filters == ["social"])
    }

    @Test func namesInServicesAreLinks() {
        func isLink(_ heading: String, _ values: [String]) -> Bool {
            column(heading, values).settings.fields[0].type == .link
        }
        #expect(isLink("GitHub", ["@anna", "bob"]))
        #expect(!isLink("GitHub", ["@anna", "no account"]))
        #expect(isLink("X", ["@anna", "bob"]))
        #expect(!isLink("x", ["a", "b"]))
    }

    @Test func headingsMayHaveAnyCharacters() throws {
        let headings = ["Wert {de}", "Info {x}", "Job\n{{title}", "\u{1b}", "Vorname {1}", "Nachname}"]
        let inference = infer(headings, [["A", "a@example.org", "b", "c", "d", "e"]])
        let settings = DirectorySettings(inferred: inference.settings)
        let resolved = ResolvedSettings(settings)
        // The name is read from the column of the last name.
        #expect(resolved.fields.dropFirst().map(\.source.onlyColumn) == headings)
        #expect(resolved.visibility(ofColumn: "Info {x}") == .never)
        #expect(try again(settings) == settings)
        // The publisher can put the printed settings back.
        var edits = SettingsEdits()
        edits.drop = headings
        let edited = try edits.applying(to: settings, columns: headings)
        #expect(try edited.json.withBytes { try SettingsFile(json: $0) }.settings == edited)
    }

    @Test func storedSettingsHaveNoLimits() throws {
        var settings = DirectorySettings()
        settings.own.fields = (1...100).map { FieldSettings(key: "k\($0)") }
        settings.inferred.fields = (1...100).map {
            FieldSettings(key: "i\($0)", from: String(repeating: "x", count: 9000))
        }
        settings.inferred.rows = (1...9).map { "k\($0)" }
        #expect(try again(settings) == settings)
    }

    @Test func theFirstColumnGetsTheRole() {
        let settings = infer(["user", "login", "Office", "City", "E-Mail", "Email (privat)"], []).settings
        #expect(settings.fields.map(\.key) == ["user", "login", "location", "city", "email", "email_privat"])
    }

    @Test func sixtyFourFieldsAreEnough() {
        let headings = (1...80).map { "c\($0)" } + ["Abteilung", "E-Mail"]
        let fields = infer(headings, []).settings.fields
        #expect(fields.count { $0.show != .never } == 64)
        #expect(fields.contains { $0.key == "department" })
        #expect(fields.last?.key == "email")
    }

    @Test func thePublishersSettingsLeaveTheirColumnsOut() {
        var own = Settings()
        own.fields = [FieldSettings(key: "department", from: "Abteilung")]
        own.fields[0].show = .private
        let settings = infer(staff, people, own: own).settings
        #expect(settings.filters == ["location", "skills"])
        #expect(settings.rows == ["title", "location"])
        #expect(settings.search?.contains("department") == false)
    }

    @Test func theColumnHiddenIsPrivate() {
        let settings = infer(["name", "hidden"], [["A", "yes"]]).settings
        #expect(ResolvedSettings(DirectorySettings(inferred: settings)).visibility(ofColumn: "hidden") == .private)
    }

    @Test func inferredSettingsCanBeReadAgain() throws {
        let settings = DirectorySettings(inferred: infer(staff, people).settings)
        #expect(try again(settings) == settings)
        try settings.check()
    }

    @Test(arguments: [
        BuiltInSettings.gitHub, .stackExchange, .rickAndMorty, .git, .allContributors, .gitHubContributors, .rollcall,
    ])
    func builtInSettingsAreConsistent(_ builtIn: BuiltInSettings) throws {
        // As the publisher's own, every list is checked.
        try DirectorySettings(own: builtIn.settings).check()
        let resolved = ResolvedSettings(DirectorySettings(inferred: builtIn.settings)).shown
        #expect(resolved.filters.count == builtIn.settings.filters?.count ?? 0)
        #expect(resolved.sorts.contains(resolved.defaultSort.key.name))
    }

    // MARK: - The publisher's fields

    @Test func aColumnHasTheKeyOfThePublishersFieldThatReadsIt() {
        var own = Settings()
        own.fields = [FieldSettings(key: "department", from: "gruppe")]
        let headings = staff.map { $0 == "Abteilung" ? "Gruppe" : $0 }
        let settings = infer(headings, people, own: own).settings
        #expect(settings.filters == ["department", "location", "skills"])
        #expect(settings.rows == ["title", "department"])
        #expect(!settings.fields.contains { $0.key == "gruppe" })
        // Another column gives up the role.
        let both = infer(["Name", "Gruppe", "Team"], [["A", "X", "1"], ["B", "X", "2"]], own: own).settings
        #expect(both.fields.map(\.key) == ["name", "department", "team"])
        #expect(both.fields.map(\.from) == ["Name", "Gruppe", "Team"])
    }

    @Test func thePublishersTypeCountsBeforeThatOfTheValues() {
        let rows = [["A", "1/2/2020", "007"], ["B", "3/4/2021", "008"]]
        #expect(infer(["Name", "Since", "Room"], rows).settings.sorts == ["name"])
        var (date, number) = (FieldSettings(key: "since"), FieldSettings(key: "room", from: "Room"))
        (date.type, date.format, number.type) = (.date, "dmy", .number)
        var own = Settings()
        own.fields = [date, number]
        let settings = infer(["Name", "Since", "Room"], rows, own: own).settings
        #expect(settings.sorts == ["name", "since", "room"])
        #expect(settings.filters == [])
        var list = FieldSettings(key: "hobbies", from: "Hobbies")
        (list.type, list.split) = (.list, ",")
        own.fields = [list]
        let lists = infer(["Name", "Hobbies"], [["A", "go, chess"], ["B", "go, swim"], ["C", "chess"]], own: own)
        #expect(lists.settings.filters == ["hobbies"])
    }
}
