import People
import Publishing
import TestSupport
import Testing

@testable import Importers

/// What a publisher reads after an import into a new directory, and what is stored.
@Suite("What an import says")
final class ReportTests: FileImport {
    /// A list, what is asked for, and what is said of it and is not.
    struct Report: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let said: [String]
        let unsaid: String
        let change: @Sendable (inout ImportRequest) -> Void

        init(
            _ sentence: String, _ text: String = StaffList.text, _ said: String..., without unsaid: String = "\0",
            change: @escaping @Sendable (inout ImportRequest) -> Void = { _ in }
        ) {
            (testDescription, self.text, self.said, self.unsaid, self.change) = (sentence, text, said, unsaid, change)
        }
    }

    private func report(_ text: String, _ change: (inout ImportRequest) -> Void = { _ in }) throws -> String {
        var request = ImportRequest()
        change(&request)
        let path = try write("staff.csv", text)
        let imported = imported(FileSource(path: path, request: request), into: writer), summary = imported.summary
        let lines = summary.sentences + (summary.schema?.advice ?? []) + summary.notes + imported.notes
        return (lines + [imported.error]).joined(separator: "\n")
    }

    private static let handles = "rollcall:0123abcd,login,Position\nada,ada,Engineer\n"

    private static let reports = [
        Report(
            "a misspelled role is a question", StaffList.text,
            "--map titel=…: a new field; did you mean title?", without: "--map nickname"
        ) { $0.edits.map = [.init(key: "titel", text: "Position"), .init(key: "nickname", text: "Standort")] },
        Report(
            "a withheld column is published by its name alone", StaffList.text,
            "E-Mail: published (--drop erases)", "not stored: Gehalt ("
        ) { $0.edits.publish = ["E-Mail"] },
        Report(
            "what people share tells nobody apart",
            StaffList.text.replacing("anna.m@example.org", with: "anna@example.org"),
            ", known by Vorname and Nachname",
            "1 row has the name of an earlier row; Eintritt tells them apart: line 2 and line 5"),
        Report(
            "the later of two rows with one key counts",
            StaffList.text.replacing("anna.m@example.org", with: "ANNA@example.org "),
            "1 row has the key of an earlier row; the later one counts: line 2 and line 5"
        ) { $0.edits.key = ["E-Mail"] },
        Report(
            "handles of another directory are ignored", handles,
            "rollcall:0123abcd ignored: it has the handles of another directory or database"),
        Report("which is named if it is known", handles, "ignored: it has the handles of the directory staff") {
            $0.handleHeadings = ["rollcall:0123abcd": "staff"]
        },
        Report(
            "links and photos that lead nowhere are counted",
            """
            login,avatar,link
            ann,photos/ann.jpg,www.example.org
            bob,https://example.org/b.png,https://example.org/bob
            cy,,javascript:alert(1)
            x y,,ftp://example.org/

            """,
            #"2 links dropped, first in line 4: link "javascript:alert(1)" (expected an http, https, mailto or tel URL)"#,
            "1 photo not found, first in line 2: photos/ann.jpg"),
        Report(
            "a column that is missing is named", StaffList.text, #"drop: expected a column of the file, found "Abtlg""#
        ) { $0.edits.drop = ["Abtlg"] },
        Report(
            "people need a name", StaffList.text, "expected a header with a column for the login or the name"
        ) { $0.edits.only = ["Position"] },
    ]

    @Test(arguments: reports) func says(_ expected: Report) throws {
        let report = try report(expected.text, expected.change)
        for line in expected.said { #expect(report.contains(line), "\(report)") }
        #expect(!report.contains(expected.unsaid), "\(report)")
    }

    @Test func whatIsPublishedIsNewsOnceAndANameStaysTheKey() throws {
        let shared = StaffList.text.replacing("anna.m@example.org", with: "anna@example.org")
        _ = try report(shared) { $0.edits.publish = ["E-Mail"] }
        let again = try report(StaffList.text) { [stored = writer.directory.settings.stored] request in
            (request.stored, request.edits.publish) = (stored, ["E-Mail"])
        }
        #expect(!again.contains("published (--drop") && again.contains("known by Vorname and Nachname"), "\(again)")
    }

    @Test(arguments: [
        (["abteilung"], [], ["Leiterin"], ["Vertrieb"]),
        (
            [], ["Vorname", "nachname", "Position"], ["Leiterin", "Müller"],
            ["München", "Rust", "01.03.2019", "photos/", "example.org"]
        ),
    ])
    func whatIsLeftOutIsNotStored(_ drop: [String], _ only: [String], _ kept: [String], _ gone: [String]) throws {
        _ = try run(StaffList.text) { ($0.drop, $0.only) = (drop, only.isEmpty ? $0.only : only) }
        let stored = "\(writer.users)"
        for text in kept { #expect(stored.contains(text), "\(stored)") }
        for text in gone { #expect(!stored.contains(text), "\(text) in \(stored)") }
    }
}
