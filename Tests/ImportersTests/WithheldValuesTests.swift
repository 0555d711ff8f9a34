import People
import Testing

@testable import Importers

@Suite("Values that are withheld in columns that are not")
struct WithheldValuesTests {
    private let folder: TemporaryFolder
    private let writer = MemoryWriter()

    init() throws { folder = try TemporaryFolder() }

    private func run(_ text: String, _ name: String = "staff.csv", publishing: [String] = [], key: [String]? = nil)
        throws
        -> ImportSummary
    {
        var settings = ImportSettings()
        (settings.edits.publish, settings.edits.key) = (publishing, key)
        let path = try folder.write(Array(text.utf8), to: name)
        return ImportRun(writer: writer).run(FileSource(path: path, settings: settings))
    }

    /// The people in the order of their names.
    private var people: [User] { writer.sorted.sorted { ($0.name ?? "") < ($1.name ?? "") } }
    private var more: [String] { people.map { $0.more ?? "" } }

    /// One of four is fewer than half of the column.
    private let links = """
        Name,Page,Info
        Ann,mailto:ann@example.org,a
        Bo,https://example.org/bo,bo@example.org
        Cy,https://example.org/cy,b
        Di,TEL:+49301234567,c
        Ed,https://example.org/ed,d

        """

    @Test func addressesAreWithheldInAnyColumnWhateverTheirShare() throws {
        let summary = try run(links)
        #expect(
            more == [
                #"{"Info":"a"}"#, #"{"Page":"https://example.org/bo"}"#,
                #"{"Page":"https://example.org/cy","Info":"b"}"#, #"{"Info":"c"}"#,
                #"{"Page":"https://example.org/ed","Info":"d"}"#,
            ])
        let lines = summary.progress.losses.lines
        #expect(lines.count == 1 && lines[0].hasPrefix("3 values withheld, each an e-mail address or a phone number"))
        #expect(!lines[0].contains("@") && lines[0].contains("line 2: Page"))
    }

    @Test func aColumnThatIsPublishedKeepsThem() throws {
        _ = try run(links, publishing: ["Page"])
        #expect(more[0] == #"{"Page":"mailto:ann@example.org","Info":"a"}"# && !more[1].contains("bo@"))
    }

    @Test func listsWithAnAddressAreWithheld() throws {
        _ = try run(
            #"[{"name":"Ann Lee","pages":["https://a.example/","mailto:a@example.org"]},{"name":"Bo","pages":["x"]}]"#,
            "a.json")
        #expect(more == ["", #"{"pages":["x"]}"#])
    }

    @Test func colleaguesAreNamesOrNothing() throws {
        let summary = try run("Name,Manager\nAnn,Bea Boss\nBo,jroe42\nCy,900417\nDi,\nEd,김민수\nFy,yes\nGy,17\n")
        #expect(
            more == [#"{"Manager":"Bea Boss"}"#, "", "", "", #"{"Manager":"김민수"}"#, #"{"Manager":"yes"}"#, ""])
        #expect(summary.progress.losses[.relation] == 3)
    }

    @Test func aNameThatIsNoneGivesWayToFirstAndLastName() throws {
        let summary = try run(
            """
            Name,First name,Last name,Employee No.
            ann@example.org,Ann,Lee,1
            1017,Bo,Day,1017
            cfox,Cy,Fox,3
            E-77,,,E-77
            Di Roe,D,R,5

            """)
        #expect(people.map(\.name) == ["Ann Lee", "Bo Day", "Cy Fox", "Di Roe"])
        #expect(summary.progress.rejected == 0 && summary.progress.losses[.withoutName] == 1)
    }

    @Test func peopleWithoutAKeyAreNotedAndNotRejected() throws {
        let summary = try run("Name,Mail\nAnn,a@example.org\nBo,\nBo,\n", key: ["Mail"])
        #expect(summary.counts.added == 3 && summary.progress.rejected == 0)
        #expect(
            summary.progress.losses.lines == [
                "2 people have no value in Mail and are known by name: line 3, line 4",
                "1 row has the name of an earlier row; their order tells them apart: line 3 and line 4",
            ])
    }

    @Test func aColumnThatOlderRulesShowedIsHidden() throws {
        _ = try run("Name,Team,Wage group\nAnn,A,1\n", publishing: [])
        var settings = writer.directory.settings.stored
        settings.inferred.fields = settings.inferred.fields?.map { field in
            var field = field
            field.show = nil
            return field
        }
        var again = ImportSettings()
        (again.stored, again.total) = (settings, 1)
        let path = try folder.write(Array("Name,Team,Wage group\nAnn,A,1\n".utf8), to: "again.csv")
        let schema = try #require(ImportRun(writer: writer).run(FileSource(path: path, settings: again)).schema)
        #expect(schema.resolved.visibility(ofColumn: "Wage group") == .private)
        #expect(schema.resolved.visibility(ofColumn: "Team") == .public)
        #expect(schema.advice.first?.hasPrefix("Wage group: private from now on") == true, "\(schema.advice)")
    }
}
