import Foundation
import People
import TestSupport
import Testing

@testable import Importers

@Suite("What programs do to tables")
final class TableQuirksTests: FileImport {
    @Test func aTextThatIsAFormulaForASpreadsheetIsTheText() throws {
        #expect(try run("Name,Code\nAnn,=\"00123\"\nBo,\"=\"\"04200\"\"\"\nCy,=1+1\n").error == "")
        #expect(people == [#"Ann {"Code":"00123"}"#, #"Bo {"Code":"04200"}"#, #"Cy {"Code":"=1+1"}"#])
    }

    @Test func whiteSpaceInAHeadingIsOneSpace() throws {
        let summary = try run("Name,\"Desk /\r\n Floor\",Room\u{A0} \u{A0}no\nAnn,1,2\n").summary
        #expect(summary.isComplete && summary.schema?.survey.headings == ["Name", "Desk / Floor", "Room no"])
    }

    @Test(arguments: [
        "Name,Team\nAnn,Lab\n", "\"Name\",Team\nAnn,Lab\n", "sep=;\nName;Team\nAnn;Lab\n", "Name|Team\nAnn|Lab\n",
    ])
    func twoByteOrderMarksAreOneAndABarSeparatesCells(_ text: String) throws {
        let summary = try run("\u{FEFF}\u{FEFF}\(text)").summary
        #expect(summary.isComplete && summary.schema?.survey.headings == ["Name", "Team"])
        #expect(writer.sorted.map(\.name) == ["Ann"])
    }

    @Test func rowsThatAreQuotedAsAWholeAreNamed() throws {
        let error = try run("\"Name,Team\"\n\"Ann,Lab\"\n").error
        #expect(error.hasSuffix("found \"Name,Team\"; the rows are in quotes as a whole"))
    }

    @Test func rowsMayBeCountedFromZero() throws {
        let cells = ["Name", "Ann", "Bo"].enumerated()
        let rows = cells.map { "<row r=\"\($0.offset)\"><c t=\"str\"><v>\($0.element)</v></c></row>" }.joined()
        #expect(try run(WorkbookParts.excel(rows: rows)).error == "" && writer.sorted.map(\.name) == ["Ann", "Bo"])
    }

    @Test func aHeaderThatIsNotShownIsNamedAndRead() throws {
        let rows = """
            <row r="1" hidden="1"><c t="str"><v>Name</v></c><c t="str"><v>Team</v></c></row>\
            <row r="2"><c t="str"><v>Ann</v></c><c t="str"><v>Lab</v></c></row>
            """
        let workbook = WorkbookParts.excel(rows: rows)
        #expect(try run(workbook).error.hasSuffix("; 1 hidden row left out (--hidden-rows reads it)"))
        #expect(try run(workbook, .init(headerLine: 1)).error == "" && writer.sorted.map(\.name) == ["Ann"])
    }

    /// Behind 1 MiB of text, the cell by which the person is known is not read: the import must not take them as gone.
    @Test func aRowThatIsNotShownAndTooLargeIsRejected() throws {
        let long = "<c t=\"str\"><v>\(String(repeating: "x", count: 64 << 10))</v></c>"
        let rows = """
            <row r="1"><c t="str"><v>Name</v></c><c t="str"><v>Team</v></c></row>\
            <row r="2"><c t="str"><v>Ann</v></c><c t="str"><v>Lab</v></c></row>\
            <row r="3" hidden="1"><c t="str"><v>Bo</v></c>\(String(repeating: long, count: 17))</row>
            """
        #expect(try run(WorkbookParts.excel(rows: rows), as: "staff.xlsx").summary.progress.rejected == 1)
        #expect(writer.sorted.map(\.name) == ["Ann"])
    }
}
