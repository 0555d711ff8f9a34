import Foundation
import People
import Publishing
import TestSupport
import Testing

@testable import Importers

/// A report names places and columns. Of the values, it quotes only those that readers will see.
@Suite("Values that messages quote")
final class QuotedValuesTests: TestFolder {
    /// Returns all that an import says, in a dry run, too.
    private func messages(_ bytes: [UInt8], keep: [String] = [], key: [String]? = nil) throws -> String {
        var edits = SettingsEdits()
        (edits.keep, edits.key) = (keep, key)
        let path = try write("staff", bytes)
        var options = FileSource.Options()
        options.photos = folder.path
        var settings = ImportRequest()
        settings.edits = edits
        let source = FileSource(path: path, options: options, request: settings)
        let said = imported(source, into: MemoryWriter()), summary = said.summary
        var lines = said.notes + said.rejections + [said.error] + summary.progress.losses.lines
        if let schema = summary.schema {
            lines += schema.advice + [schema.knownBy] + schema.columnPreviews.map(\.example)
        }
        lines += summary.preview.people.flatMap { $0.facts + [$0.location] }
        return lines.joined(separator: "\n")
    }

    private static let tables: [(text: String, keep: [String], said: String)] = [
        (
            "Name,Website\nAnn,javascript:secret\nBo,https://example.org/bo\n", ["Website"],
            "1 link dropped, first in line 2: Website (expected an"
        ),
        ("Name,Website\nAnn,javascript:secret\n", ["Website"], ""),
        ("Name,Joined\nAnn,03/04/1990 \nBo,05/06/1990\n", ["Joined"], "Joined: dates may begin with the day or"),
        ("Name,Diagnosis\nAnn,secret\nBo,secret too\n", ["Diagnosis"], "(private)"),
        ("Name,Photo\nAnn,secret.jpg\n", ["Photo"], ""),
        ("Name,Score\nAnn,secret\nBo,7\n", ["Score"], ""),
        ("Ann,ann@secret.example,1990-01-01,4711\n", [], "found \"Ann\", …, …, …; name it with --map"),
        (
            "Name,Notes\nAnn,MÃ¼ller secret\nBo,GroÃŸ\n", [],
            "staff: it is probably in UTF-8, read as Windows-1252: open the original"
        ),
    ]

    @Test(arguments: tables)
    func noReportQuotesWhatReadersWillNotSee(_ text: String, _ keep: [String], _ said: String) throws {
        let messages = try messages(Array(text.utf8), keep: keep)
        #expect(messages.contains(said) || said.isEmpty, "\(messages)")
        for part in ["secret", "1990", "4711"] { #expect(!messages.contains(part), "\(messages)") }
    }

    @Test func aRefusedLinkOfAPublicColumnIsQuoted() throws {
        let messages = try messages(Array("Name,Website\nAnn,javascript:shown\nBo,https://example.org/bo\n".utf8))
        #expect(
            messages.contains("1 link dropped, first in line 2: Website \"javascript:shown\" (expected"), "\(messages)")
    }

    /// A photo is found by the key, which may be a number that nobody sees.
    @Test func aPhotoThatIsNoPictureIsNamedAfterThePerson() throws {
        try write("4711.jpg", "no picture")
        let messages = try messages(Array("Name,Personalnr.\nAnn,4711\n".utf8), key: ["Personalnr."])
        #expect(!messages.contains("4711"), "\(messages)")
    }

    /// What a cell with an error has is a name in every workbook of a spreadsheet, and anything in others.
    @Test func anErrorOfACellIsNamedOnlyIfItIsOne() throws {
        let rows = """
            <row><c t="str"><v>Name</v></c><c t="str"><v>Team</v></c><c t="str"><v>Pay</v></c></row>\
            <row><c t="str"><v>Ann</v></c><c t="str"><v>Lab</v></c><c t="e"><v>secret</v></c></row>
            """
        let messages = try messages(WorkbookParts.excel(rows: rows))
        #expect(messages.contains("1 cell with errors is empty, first in C2"), "\(messages)")
        #expect(!messages.contains("secret"), "\(messages)")
    }

    /// A character tells encodings apart; the cell may be anybody's.
    @Test func anEncodingIsAskedForWithOneCharacter() throws {
        let text = "name,team\n" + (1...7).map { "p\($0),t\n" }.joined()
        let messages = try messages(Array(text.utf8) + [0xC0, 0xEE, 0xC4, 0xC8, 0x2C, 0x74, 0x0A])
        #expect(messages.contains("line 9 has \"李\" in GB18030 and \""), "\(messages)")
        #expect(!messages.contains("李娜"), "\(messages)")
    }

    /// What is composed of a column may have another audience than columns that no field reads.
    @Test(arguments: [(FieldVisibility.private, "nobody", "(private)"), (.public, "-", "secret")])
    func aColumnIsShownToThoseOfTheFieldThatIsComposedOfIt(
        _ visibility: FieldVisibility, _ shown: String, _ example: String
    ) {
        var own = Settings()
        own.fields = [FieldSettings(key: "desk", from: "{Floor} {Seat}")]
        own.fields[0].show = visibility
        own.others = visibility == .public ? .private : .public
        var schema = ImportSchema(ImportRequest(), DirectorySettings(own: own), .table)
        schema.survey = Survey(columns: [SurveyedColumn(heading: "Floor", values: [.text("secret")])], records: 1)
        #expect(schema.columnPreviews.map(\.shown) == [shown])
        #expect(schema.columnPreviews.map(\.example) == [example])
    }
}
