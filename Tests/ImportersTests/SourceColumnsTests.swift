import Base
@testable import People
@testable import Publishing
import Testing

@Suite("Exports with the publisher's own columns")
struct SourceColumnsTests {
    /// A directory that was filled from a table.
    private func directory(_ change: (inout Settings) -> Void = { _ in }) -> StoredDirectory {
        var settings = Settings()
        settings.columns = ["Vorname", "Nachname", "Kenntnisse", "Gehalt", "Foto", "Notiz"]
        var name = FieldSettings(key: "name", from: "{Vorname} {Nachname}")
        name.show = .public
        var skills = FieldSettings(key: "skills", from: "Kenntnisse")
        (skills.type, skills.split) = (.list, ";")
        var pay = FieldSettings(key: "gehalt", from: "Gehalt")
        pay.show = .private
        var note = FieldSettings(key: "notiz", from: "Notiz")
        note.show = .never
        settings.fields = [name, skills, pay, FieldSettings(key: "photo", from: "Foto"), note]
        change(&settings)
        let directory = Directory(
            id: 1, slug: Slug(literal: "team"), title: "Team", source: "file", total: 1, generation: 1)
        return StoredDirectory(directory, ResolvedSettings(DirectorySettings(inferred: settings)))
    }

    private static let anna = User(
        id: 1, login: "anna-mueller", name: "Anna Müller", avatarURL: "https://example.org/anna.jpg",
        more: #"{"Vorname":"Anna","Nachname":"Müller","Kenntnisse":["Swift","Rust"],"Gehalt":"=1+1"}"#)

    private func export(
        _ format: ExportFormat, _ user: User = anna, of directory: StoredDirectory, for audience: Audience = .everyone
    ) throws -> String {
        var rows = UserRows()
        rows.append(user)
        let columns = try #require(ExportColumns(ofSource: directory.shown(to: audience), in: "test"))
        var writer = ExportWriter(format: format, columns: columns)
        let buffer = ByteBuffer()
        writer.begin(into: buffer)
        try writer.append(rows, 0, into: buffer)
        writer.append(proofOf: 1, into: buffer)
        writer.end(into: buffer)
        return String(buffer).replacing(
            HandleHeading(of: directory.directory, in: "test").description, with: "rollcall:MARK")
    }

    @Test func aSpreadsheetGetsTheSeparatorOfTheLastTable() {
        func separator(_ last: String?, _ language: String) -> String {
            let settings = directory { ($0.separator, $0.language) = (last, language) }.settings.shown
            return "\(settings.spreadsheetSeparator)"
        }
        #expect(separator(";", "en") == ";")
        #expect(separator(nil, "de") == ";" && separator(nil, "en") == ",")
    }

    @Test func aTextThatExcelCutIsTheSame() {
        let text = String(repeating: "ä", count: 32_766) + "👩" + "end"
        #expect(WorkbookExport.isCut(String(text.prefix(32_766)), of: text))
        #expect(!WorkbookExport.isCut(String(text.prefix(32_000)), of: text))
        #expect(!WorkbookExport.isCut("x" + text.prefix(32_765), of: text))
        #expect(!WorkbookExport.isCut("short", of: "short"))
    }

    @Test func aTableHasTheColumnsOfTheFileAfterTheHandles() throws {
        #expect(
            try export(.csv, of: directory()) == """
                rollcall:MARK,Vorname,Nachname,Kenntnisse,Foto\r
                anna-mueller,Anna,Müller,"Swift; Rust",https://example.org/anna.jpg\r
                "{""rollcall"":{""count"":1}}",,,,\r

                """)
    }

    @Test func privateColumnsComeOnlyIfTheyAreAskedForAndWithoutFormulas() throws {
        let table = try export(.csv, of: directory(), for: .publisher)
        #expect(table.hasPrefix("rollcall:MARK:private:Gehalt,"))
        #expect(table.contains("anna-mueller,Anna,Müller,\"Swift; Rust\",'=1+1,https://example.org/anna.jpg"))
        #expect(!table.contains("Notiz"))
    }

    @Test func columnsThatNoFieldReadsFollowTheSettingOthers() throws {
        let table = try export(.csv, of: directory { $0.columns?.append("Raum") })
        #expect(table.hasPrefix("rollcall:MARK,Vorname,Nachname,Kenntnisse,Foto,Raum\r\n"))
        let other = try export(
            .csv,
            of: directory {
                $0.columns?.append("Raum")
                $0.others = .never
            })
        #expect(other.hasPrefix("rollcall:MARK,Vorname,Nachname,Kenntnisse,Foto\r\n"))
    }

    @Test func anObjectHasTheSameColumnsWithoutEmptyOnes() throws {
        let anna = User(id: 1, login: "anna", name: "Anna", more: #"{"Vorname":"Anna","Kenntnisse":["Swift"]}"#)
        let lines = try export(.ndjson, anna, of: directory())
        #expect(lines.hasPrefix(#"{"rollcall:MARK":"anna","Vorname":"Anna","Kenntnisse":["Swift"]}"#))
    }

    @Test func aDirectoryWithUnknownColumnsHasNone() {
        #expect(ExportColumns(ofSource: directory { $0.columns = nil }.directory, in: "test") == nil)
    }

    @Test func theMarkDependsOnDatabaseAndDirectory() {
        let team = directory().directory
        var board = team
        board.id = 2
        let heading = { (directory: Directory, instance: String) in
            HandleHeading(of: directory, in: instance).description
        }
        #expect(heading(team, "one") != heading(team, "two"))
        #expect(heading(team, "one") != heading(board, "one"))
        #expect(heading(team, "one").count == "rollcall:".count + 8)
    }

    @Test func aMarkNamesPrivateColumnsWhateverTheyAreCalled() {
        let names = ["Phone", "100 %, net", "a,b", "Straße"]
        var (team, choices) = (directory().directory, ShownSettings.Choices())
        choices.restricted = [.source: names]
        team.settings = ShownSettings(choices)
        let heading = HandleHeading(of: team, in: "test")
        #expect(HandleHeading(heading.description) == heading)
        #expect(!heading.description.contains(" "))
        #expect(HandleHeading(heading.directory)?.restricted == [])
        #expect(!HandleHeading.isChanged(heading.description) && !HandleHeading.isChanged("Rollcall: who came"))
        for changed in [heading.description.uppercased(), "'rollcall:3f9a07c2", "Rollcall: 3F9A07C2 :Prİvate:Room"] {
            #expect(HandleHeading.isChanged(changed), "\(changed)")
        }
        for other in ["rollcall", "rollcall:", "rollcall:3f9a07cZ", "rollcall:3f9a07c2x", "rollcall:3f9a07c2:x"] {
            #expect(HandleHeading(other) == nil)
        }
    }
}
