import Foundation
import People
import TestSupport
import Testing

@testable import Importers

@Suite("What programs do to tables")
struct TableQuirksTests {
    let folder: TemporaryFolder
    let writer = MemoryWriter()

    init() throws { folder = try TemporaryFolder() }

    private func run(_ bytes: [UInt8], headerLine: Int? = nil) throws -> (summary: ImportSummary, error: String) {
        let path = try folder.write(bytes, to: "staff")
        let source = FileSource(path: path, options: FileSource.Options(headerLine: headerLine))
        let summary = ImportRun(writer: writer).run(source)
        guard case .failed(let error) = summary.end else { return (summary, "") }
        return (summary, "\(error)")
    }

    @Test func aTextThatIsAFormulaForASpreadsheetIsTheText() throws {
        let (_, error) = try run(Array("Name,Code\nAnn,=\"00123\"\nBo,\"=\"\"04200\"\"\"\nCy,=1+1\n".utf8))
        #expect(error == "")
        let more = writer.sorted.compactMap(\.more).joined()
        for text in ["\"00123\"", "\"04200\"", "\"=1+1\""] { #expect(more.contains(text), "\(more)") }
    }

    @Test func whiteSpaceInAHeadingIsOneSpace() throws {
        let (summary, error) = try run(Array("Name,\"Desk /\r\n Floor\",Room\u{A0} \u{A0}no\nAnn,1,2\n".utf8))
        #expect(error == "" && summary.schema?.survey.headings == ["Name", "Desk / Floor", "Room no"])
    }

    @Test(arguments: [
        "Name,Team\nAnn,Lab\n", "\"Name\",Team\nAnn,Lab\n", "sep=;\nName;Team\nAnn;Lab\n", "Name|Team\nAnn|Lab\n",
    ])
    func twoByteOrderMarksAreOneAndABarSeparatesCells(_ text: String) throws {
        let (summary, error) = try run(Array("\u{FEFF}\u{FEFF}\(text)".utf8))
        #expect(error == "" && summary.schema?.survey.headings == ["Name", "Team"])
        #expect(writer.sorted.map(\.name) == ["Ann"])
    }

    @Test func rowsThatAreQuotedAsAWholeAreNamed() throws {
        let (_, error) = try run(Array("\"Name,Team\"\n\"Ann,Lab\"\n".utf8))
        #expect(error.hasSuffix("found \"Name,Team\"; the rows are in quotes as a whole"), "\(error)")
    }

    @Test func aHeaderThatIsNotShownIsNamedAndRead() throws {
        let rows = """
            <row r="1" hidden="1"><c t="str"><v>Name</v></c><c t="str"><v>Team</v></c></row>\
            <row r="2"><c t="str"><v>Ann</v></c><c t="str"><v>Lab</v></c></row>
            """
        let workbook = WorkbookParts.excel(rows: rows)
        #expect(try run(workbook).error.hasSuffix("; 1 hidden row was left out (--hidden-rows reads it)"))
        let (summary, error) = try run(workbook, headerLine: 1)
        #expect(error == "" && summary.progress.users == 1 && writer.sorted.map(\.name) == ["Ann"])
    }
}
