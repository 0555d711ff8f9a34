import Base
import People
import Publishing
import Testing

@testable import Importers

@Suite("Values that are withheld in columns that are not")
final class WithheldValuesTests: FileImport {
    /// Two of five are fewer than half of the column.
    private static let links =
        "Name,Page,Info\nAnn,mailto:ann@example.org,a\nBo,https://example.org/bo,bo@example.org\n"
        + "Cy,https://example.org/cy,b\nDi,TEL:+49301234567,c\n"
        + "Ed,https://example.org/ed,d\n"

    @Test(arguments: [
        (
            links,
            [
                #"Ann {"Info":"a"}"#, #"Bo {"Page":"https://example.org/bo"}"#,
                #"Cy {"Page":"https://example.org/cy","Info":"b"}"#, #"Di {"Info":"c"}"#,
                #"Ed {"Page":"https://example.org/ed","Info":"d"}"#,
            ], "3 values withheld, each an e-mail address or a phone number"
        ),
        (
            #"[{"name":"Ann Lee","pages":["https://a.example/","mailto:a@example.org"]},{"name":"Bo","pages":["x"]}]"#,
            ["Ann Lee", #"Bo {"pages":["x"]}"#], "1 value withheld"
        ),
        // Colleagues are names or nothing.
        (
            "Name,Manager\nAnn,Bea Boss\nBo,jroe42\nCy,900417\nDi,\nEd,김민수\nFy,yes\nGy,17\n",
            [
                #"Ann {"Manager":"Bea Boss"}"#, "Bo", "Cy", "Di", #"Ed {"Manager":"김민수"}"#, #"Fy {"Manager":"yes"}"#,
                "Gy",
            ], "3 "
        ),
        // First and last name take the place of a name that cannot be one.
        (
            "Name,First name,Last name,Employee No.\nann@example.org,Ann,Lee,1\n1017,Bo,Day,1017\ncfox,Cy,Fox,3\n"
                + "E-77,,,E-77\nDi Roe,D,R,5\n",
            [
                #"Ann Lee {"First name":"Ann","Last name":"Lee"}"#, #"Bo Day {"First name":"Bo","Last name":"Day"}"#,
                #"Cy Fox {"First name":"Cy","Last name":"Fox"}"#, #"Di Roe {"First name":"D","Last name":"R"}"#,
            ], "1 person left out"
        ),
    ])
    func whatIsPersonalOrNoNameIsWithheld(_ text: String, _ people: [String], _ loss: String) throws {
        let progress = try run(text).summary.progress
        #expect(self.people == people && progress.rejected == 0)
        #expect(
            progress.losses.lines.count == 1 && progress.losses.lines[0].hasPrefix(loss), "\(progress.losses.lines)")
        #expect(!progress.losses.lines[0].contains("@"))
    }

    /// A service publishes its own members, whatever they are called; others were added to the file.
    @Test(arguments: [
        (#""avatar_url":"","html_url":"https://github.com/ann","#, #""bio":"x","salary":5,"phone":"030 123""#, ["bio"]),
        (
            #""user_id":7,"display_name":"Ann","reputation":5,"badge_counts":{"gold":1},"#,
            #""account_id":9,"age":30,"last_access_date":1,"salary":5"#, ["account_id", "age", "last_access_date"]
        ),
        (#""species":"Human","status":"Alive","episode":[],"#, #""gender":"Female","salary":5"#, ["gender"]),
    ])
    func whatAServiceDoesNotHaveIsWithheld(_ members: String, _ added: String, _ kept: [String]) throws {
        let text = #"[{"id":7,"login":"ann","name":"Ann",\#(members)\#(added)}]"#
        let summary = try run(text, as: "records.json").summary
        #expect(summary.sentences.contains { $0.hasPrefix("not stored: salary") }, "\(summary.sentences)")
        let stored = try #require(people.first)
        #expect(!stored.contains("salary") && !stored.contains("030"))
        for name in kept { #expect(stored.contains("\"\(name)\":"), "\(stored)") }
        _ = try run(text, as: "records.json") { $0.publish = ["salary"] }
        #expect(people.first?.contains(#""salary":5"#) == true, "\(people)")
    }

    private static let services = [
        (#"[{"login":"ann","id":7,"gravatar_id":"","name":"Ann","avatar_url":"http://x.org","company":"A"}]"#, "name"),
        (#"[{"user_id":7,"display_name":"Ann","reputation":5,"company":"A","login":"ann"}]"#, "display_name"),
        (#"[{"id":7,"name":"Ann","species":"Human","status":"Alive","company":"A","login":"ann"}]"#, "name"),
    ]

    @Test(arguments: services) func theNameOfAServiceCannotBeKept(_ text: String, _ column: String) throws {
        for kept in [column, "company,\(column)"] {
            let end = try run(text, as: "records.json") { $0.keep = [kept] }.summary.end
            #expect("\(end)".contains("cannot be private"), "\(end)")
        }
    }

    @Test(arguments: services) func onlyWhatThePublisherNamesIsStored(_ text: String, _ column: String) throws {
        let end = try run(text, as: "records.json") { $0.only = ["company"] }.summary.end
        #expect("\(end)".contains("neither the login nor the name") && "\(end)".contains(column) && people == [])
        _ = try run(text, as: "records.json") { $0.only = [column, "company"] }
        #expect(writer.sorted.map(\.name) == ["Ann"] && writer.sorted.map(\.id) != [7])
        #expect(people == [#"Ann {"company":"A"}"#])
    }

    /// Before it has shown anybody.
    @Test func theColumnsOfPeopleOfAServiceThatIsAskedMayBeNamed() throws {
        var request = ImportRequest()
        request.edits.only = ["name", "species"]
        let names = ColumnNames(try request.schema(of: .rickAndMorty))
        #expect(names.meaning(of: "name").isPublic && names.meaning(of: "image").isLeftOut)
        request.edits.only = ["species"]
        #expect(throws: RollcallError.self) { try request.schema(of: .rickAndMorty) }
        request.edits.publish = ["name"]
        #expect(throws: Never.self) { try request.schema(of: .rickAndMorty) }
    }

    @Test func aMemberThatOnlyLaterRecordsHaveMayBePublished() throws {
        let record = { (id: Int, more: String) in #"{"id":\#(id),"login":"p\#(id)","gravatar_id":""\#(more)}"# + "\n" }
        let text = record(1, "") + record(2, "") + record(3, #","salary":5"#)
        _ = try run(text, as: "records.ndjson") { $0.publish = ["Salary"] }
        #expect(people.last?.contains(#""salary":5"#) == true, "\(people)")
        let end = try run(text, as: "records.ndjson") { $0.publish = ["salry"] }.summary.end
        #expect("\(end)".contains("did you mean \"salary\"?"), "\(end)")
    }

    /// What is inside a member is as public as that.
    @Test func aPrivateMemberIsPrivateInsideOthersToo() throws {
        let text =
            #"[{"user_id":7,"display_name":"Ann","reputation":5,"badge_counts":{"gold":1},"#
            + #""last_access_date":1,"phone":"1","contact":{"phone":"2","room":"3"}}]"#
        _ = try run(text, as: "records.json") { $0.keep = ["phone"] }
        #expect(people.first?.contains(#""phone":"1","contact":{"room":"3"}"#) == true, "\(people)")
    }

    @Test func aColumnThatIsPublishedKeepsThemAndALossNamesItsPlace() throws {
        #expect(try run(Self.links).summary.progress.losses.lines[0].contains("line 2: Page"))
        _ = try run(Self.links) { $0.publish = ["Page"] }
        #expect(people[0] == #"Ann {"Page":"mailto:ann@example.org","Info":"a"}"# && !people[1].contains("bo@"))
    }

    @Test(arguments: [
        ("staff.csv", "Name,Mail\nAnn,a@example.org\nBo,\nBo,\n", ["line 3", "line 4"]),
        (
            "staff.json", #"[{"Name":"Ann","Mail":"a@b.example"},{"Name":"Bo","Mail":null},{"Name":"Bo","Mail":null}]"#,
            ["record 2", "record 3"]
        ),
    ])
    func peopleWithoutAKeyAreNotedAndNotRejected(_ name: String, _ text: String, _ places: [String]) throws {
        let summary = try run(text, as: name) { $0.key = ["Mail"] }.summary
        #expect(summary.counts.added == 3 && summary.progress.rejected == 0)
        #expect(
            summary.progress.losses.lines == [
                "2 people have no value in Mail and are known by name: \(places[0]), \(places[1])",
                "1 row has the name of an earlier row; their order tells them apart: \(places[0]) and \(places[1])",
            ])
    }

    /// Unless the publisher has written that everybody may see it.
    @Test(arguments: [nil, FieldVisibility.public])
    func aColumnThatOlderRulesShowedIsHidden(_ shown: FieldVisibility?) throws {
        _ = try run("Name,Team,Wage group\nAnn,A,1\n")
        var settings = writer.directory.settings.stored
        settings.inferred.fields = settings.inferred.fields.map { field in
            var field = field
            field.show = shown
            return field
        }
        var again = ImportRequest()
        (again.stored, again.total) = (settings, 1)
        let path = try write("again.csv", "Name,Team,Wage group\nAnn,A,1\n")
        let schema = try #require(ImportRun(writer: writer).run(FileSource(path: path, request: again)).schema)
        #expect(schema.resolved.visibility(ofColumn: "Wage group") == shown ?? .private)
        #expect(schema.resolved.visibility(ofColumn: "Team") == .public)
        let isSaid = schema.advice.first?.hasPrefix("Wage group: private from now on") == true
        #expect(isSaid == (shown == nil), "\(schema.advice)")
    }
}
