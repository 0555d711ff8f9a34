import Base
import Foundation
import People
import TestSupport
import Testing

@testable import Importers

@Suite("Workbooks")
final class WorkbookTests: FileImport {
    /// Workbooks that other programs made: openpyxl 3.1.5, XlsxWriter 3.2, odfpy 1.4.1.
    static let folderOfOthers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Workbooks"

    /// Returns the texts by the names of cells.
    private func cells(of path: String, sheet: Int = 0) throws -> [String: String] {
        try rows(of: path, sheet: sheet).joined().reduce(into: [:]) { $0[$1.name] = $1.text }
    }

    private func cells(_ bytes: [UInt8]) throws -> [String: String] { try cells(of: write("staff", bytes)) }

    /// Imports a file of another program.
    private func run(_ path: String, _ options: FileSource.Options = .init()) -> Imported {
        imported(FileSource(path: path, options: options), into: writer)
    }

    private func failure(_ bytes: [UInt8]) throws -> String { try run(bytes, as: "staff.xlsx").error }

    // MARK: - Cells

    @Test(arguments: [
        ("General", "0.30000000000000004", "0.3"), ("General", "10001", "10001"), ("", "17", "17"),
        ("General", "1E+20", "100000000000000000000"),
        ("General", "-1.5E-7", "-0.00000015"), ("General", "123456.789012345678", "123456.789012346"),
        ("00000", "1067", "01067"), ("0%", "0.5", "50%"), ("0.00%", "0.12345", "12.35%"), ("0%", "0", "0%"),
        ("#,##0.00 &quot;€&quot;", "1234.5", "1234.50 €"), ("[$€-407] 0.00", "2.675", "€ 2.68"),
        ("#,##0", "1234567", "1234567"), ("0.0##", "2.5", "2.5"), ("#,##0,", "1234567", "1235"),
        ("0.00;[Red]\\(0.00\\);&quot;none&quot;", "-3", "(3.00)"), ("0.00;(0.00);&quot;none&quot;", "0", "none"),
        ("0;-0", "-4", "-4"), ("0", "-4.6", "-5"), ("# ?/?", "0.5", "0.5"), ("0.00E+00", "12345", "12345"),
        ("@", "42", "42"), ("0.0", "999.95", "1000.0"), ("0", "0.4", "0"),
        ("yyyy\\-mm\\-dd", "43891", "2020-03-01"), ("dd.mm.yyyy hh:mm", "43891.395833333333", "2020-03-01 09:30"),
        ("h:mm AM/PM", "0.395833333333333", "09:30"), ("d. mmmm", "29281", "03-01"), ("mmm yy", "43891", "2020-03"),
        ("yyyy", "43891", "2020"), ("[h]:mm", "1.104166666666667", "26:30"), ("mm:ss", "0.0104513888", "15:03"),
        ("dd.mm.yyyy", "60", "1900-02-29"), ("[h]:mm", "60.5", "1452:00"), ("dd.mm.yyyy", "59", "1900-02-28"),
        ("dd.mm.yyyy", "61", "1900-03-01"),
        ("[$-411]ggge&quot;年&quot;m&quot;月&quot;", "43891", "2020-03"), ("dddd d/m/yyyy", "43891", "2020-03-01"),
        ("dd.mm.yyyy", "-5", "-5"), ("&quot;d&quot;0", "7", "d7"),
        // Literals between digits.
        ("00\\-0000", "420017", "42-0017"), ("00\\-0000", "17", "00-0017"), ("000\\.000", "42017", "042.017"),
        ("[&lt;=9999999]###\\-####;\\(###\\)\\ ###\\-####", "5550123456", "(555) 012-3456"),
        ("[&lt;=9999999]###\\-####;\\(###\\)\\ ###\\-####", "5550199", "555-0199"),
        // Conditions.
        ("[&gt;999999]0.0,,&quot; M&quot;;0", "2500000", "2.5 M"), ("[&gt;999999]0.0,,&quot; M&quot;;0", "-5", "-5"),
        ("[=1]&quot;yes&quot;;[=0]&quot;no&quot;;General", "1", "yes"),
        ("[=1]&quot;yes&quot;;[=0]&quot;no&quot;;General", "0", "no"),
        ("[=1]&quot;yes&quot;;[=0]&quot;no&quot;;General", "7", "7"), ("[=0]&quot;&quot;;General", "72", "72"),
        ("[&lt;0]&quot;minus &quot;0;0", "-3", "minus 3"), ("[=1]&quot;yes&quot;", "7", "7"),
        // Texts around general numbers, units, and what only looks like a date.
        ("General&quot; years&quot;", "4", "4 years"), ("General&quot; years&quot;", "-4", "-4 years"),
        ("&quot;No. &quot;@", "4", "No. 4"), ("0 kg", "72", "72 kg"), ("0.0&quot; h&quot;", "7.5", "7.5 h"),
        // Accounting.
        (
            "_-* #,##0.00\\ &quot;€&quot;_-;\\-* #,##0.00\\ &quot;€&quot;_-;_-* &quot;-&quot;??\\ &quot;€&quot;_-", "0",
            "- €"
        ),
        ("_-* #,##0.00\\ &quot;€&quot;_-;\\-* #,##0.00\\ &quot;€&quot;_-", "-3.5", "-3.50 €"),
        // Sums of minutes and seconds, parts of seconds, days of the week.
        ("[mm]:ss", "1.104166666666667", "1590:00"), ("[s]", "0.5", "43200"), ("hh:mm:ss.000", "0.5", "12:00:00"),
        ("dddd", "43891", "Sunday"), ("[$-407]dddd, d. mmmm yyyy", "43891", "2020-03-01"),
        (";;;", "5", ""), ("0;-0;;@", "0", ""), ("#", "12", "12"), ("0.##", "5", "5"),
    ])
    func numbersAreAsPeopleSeeThem(_ format: String, _ value: String, _ shown: String) throws {
        let rows = "<row r=\"1\"><c r=\"A1\" s=\"1\"><v>\(value)</v></c></row>"
        #expect(try cells(WorkbookParts.excel(rows: rows, formats: [format])) == (shown.isEmpty ? [:] : ["A1": shown]))
    }

    /// The number of a format that Excel has, or the format of a cell with the text Kim.
    @Test(arguments: [
        ("37", "-5", "(5)"), ("40", "-1234.5", "(1234.50)"), ("43", "0", "-"), ("44", "2", "2.00"), ("49", "7", "7"),
        ("&quot;Dr. &quot;@", "Kim", "Dr. Kim"), ("0;0;0;@&quot; (left)&quot;", "Kim", "Kim (left)"),
        ("0;0;0;", "Kim", ""), ("0.00", "Kim", "Kim"), ("dd.mm.yyyy;@", "Kim", "Kim"),
    ])
    func builtInFormatsAndTextsAreAsPeopleSeeThem(_ format: String, _ value: String, _ shown: String) throws {
        let isText = value == "Kim"
        let rows = "<row><c s=\"1\"\(isText ? " t=\"str\"" : "")><v>\(value)</v></c></row>"
        let styles = "<styleSheet><cellXfs><xf/><xf numFmtId=\"\(format)\"/></cellXfs></styleSheet>"
        let bytes =
            isText
            ? WorkbookParts.excel(rows: rows, formats: [format])
            : WorkbookParts.excel(rows: rows, more: ["xl/styles.xml": styles])
        #expect(try cells(bytes) == (shown.isEmpty ? [:] : ["A1": shown]))
    }

    /// As LibreOffice writes `00-0000`, `[>999]0" many";0`, `General" years"` and the day of the week; and a factor
    /// that nobody writes.
    @Test func formatsOfOpenDocumentAreReadAsThoseOfExcel() throws {
        let styles = """
            <number:number-style style:name="N1"><number:number number:decimal-places="0" number:min-integer-digits="6">\
            <number:embedded-text number:position="4">-</number:embedded-text></number:number></number:number-style>\
            <number:number-style style:name="N2P0"><number:number number:decimal-places="0" \
            number:min-integer-digits="1"/><number:text> many</number:text></number:number-style>\
            <number:number-style style:name="N2"><number:number number:decimal-places="0" number:min-integer-digits="1"/>\
            <style:map style:condition="value()&gt;999" style:apply-style-name="N2P0"/></number:number-style>\
            <number:number-style style:name="N3"><number:number number:min-integer-digits="1"/>\
            <number:text> years</number:text></number:number-style>\
            <number:date-style style:name="N4"><number:day-of-week number:style="long"/></number:date-style>\
            <number:number-style style:name="N5"><number:number number:decimal-places="0" number:display-factor="inf"/>\
            </number:number-style>
            """
        let cellStyles = (1...5).map {
            "<style:style style:name=\"c\($0)\" style:family=\"table-cell\" style:data-style-name=\"N\($0)\"/>"
        }
        let numbers = [(1, "420017"), (2, "1500"), (2, "7"), (3, "2.5"), (1, "7"), (5, "7")].map {
            "<table:table-cell table:style-name=\"c\($0)\" office:value-type=\"float\" office:value=\"\($1)\"/>"
        }
        let date =
            "<table:table-cell table:style-name=\"c4\" office:value-type=\"date\" office:date-value=\"2020-03-01\"/>"
        let table = "<table:table><table:table-row>\(numbers.joined())\(date)</table:table-row></table:table>"
        #expect(
            try cells(WorkbookParts.openDocument(table, styles: styles + cellStyles.joined())) == [
                "A1": "42-0017", "B1": "1500 many", "C1": "7", "D1": "2.5 years", "E1": "00-0007", "F1": "7",
                "G1": "Sunday",
            ])
    }

    /// Some programs leave out the type of a text.
    @Test(arguments: ["B 204", "12 B", "1,5", "0x1F", "nan", "inf", "1e999", "1 2", "-", "1.2.3"])
    func aTextInACellOfNumbersStaysAText(_ text: String) throws {
        let rows = "<row><c s=\"1\"><v>\(text)</v></c></row>"
        #expect(try cells(WorkbookParts.excel(rows: rows, formats: ["0.00"])) == ["A1": text])
        let table = """
            <table:table><table:table-row><table:table-cell office:value-type="float" office:value="\(text)">\
            <text:p>\(text)</text:p></table:table-cell></table:table-row></table:table>
            """
        #expect(try cells(WorkbookParts.openDocument(table)) == ["A1": text])
    }

    /// An extension may call its elements as the workbook does.
    @Test func onlyElementsOfTheWorkbookCount() throws {
        let sheet = """
            <worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:x="urn:other"><sheetData>\
            <row><c s="1"><v> 0 </v></c><x:c><x:v>1</x:v></x:c></row><x:row><x:c><x:v>2</x:v></x:c></x:row></sheetData>\
            <extLst><ext><x:sheetData><x:row><x:c><x:v>3</x:v></x:c></x:row></x:sheetData></ext></extLst></worksheet>
            """
        let properties = "<workbookPr date1904=\"1\"/><x:workbookPr xmlns:x=\"urn:other\" date1904=\"0\"/>"
        #expect(
            try cells(WorkbookParts.excel(rows: "", formats: ["yyyy-mm-dd"], sheet: sheet, workbook: properties))
                == ["A1": "1904-01-01"])
    }

    @Test func excelTextsAreRead() throws {
        let strings = [
            "<t>Müller</t>", "<r><t>rich </t></r><r><rPr/><t xml:space=\"preserve\">text </t></r>",
            "<t>課長</t><rPh sb=\"0\" eb=\"2\"><t>カチョウ</t></rPh>", "<t>a_x000D_b_x005F_x</t>",
        ]
        let rows = """
            <row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c></row>
            <row r="4" hidden="false"><c r="B4" t="inlineStr"><is><t>inline</t></is></c>
            <c t="str"><f>A1</f><v>formula</v></c><c t="b"><v>1</v></c><c t="d"><v>2020-03-01T00:00:00</v></c>
            <c t="d"><v>09:30:00</v></c></row>
            """
        #expect(
            try cells(WorkbookParts.excel(rows: rows, strings: strings)) == [
                "A1": "Müller", "B1": "rich text ", "C1": "課長", "D1": "a\rb_x", "B4": "inline", "C4": "formula",
                "D4": "TRUE", "E4": "2020-03-01 00:00", "F4": "09:30",
            ])
    }

    @Test func prefixesAndDatesFrom1904AreRead() throws {
        let sheet = """
            <x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row><x:c s="1"><x:v>0\
            </x:v></x:c></x:row></x:sheetData></x:worksheet>
            """
        let file = WorkbookParts.excel(
            rows: "", formats: ["yyyy-mm-dd"], sheet: sheet, workbook: "<workbookPr date1904=\"1\"/>")
        #expect(try cells(file) == ["A1": "1904-01-01"])
    }

    /// Rows are counted before they are read, without an XML reader.
    @Test func rowsAreCountedHoweverTheyAreWritten() throws {
        let rows = """
            <row r="1"><c r="A1" t="str"><v>a</v></c><c r="AB1" t="str"><v>b</v></c></row><row/><row></row>\
            <!-- <row><c r="ZZ9"><v>1</v></c></row> --><row r="7"><c r="B7"><v/></c><c r="C7"><v></v></c></row>\
            <row r="8"><c r="D8" t="str"><v><![CDATA[</sheetData>]]></v></c><c><f>1</f></c></row>
            <row r="9"><c r="A9" t="inlineStr"><is><r><t>x</t></r></is></c></row>
            """
        let links = "<hyperlinks><hyperlink ref=\"A1\" r:id=\"r9\"/></hyperlinks>"
        func outline(_ sheet: (String) -> String) throws -> SheetOutline {
            let whole = sheet(
                "<worksheet xmlns:r=\"x\"><!-- <sheetData> --><sheetData>\(rows)</sheetData>\(links)</worksheet>")
            let path = try write("staff", WorkbookParts.excel(rows: "", sheet: whole))
            let file = open(path, O_RDONLY)
            defer { close(file) }
            return try #require(WorkbookFile.open(file).sheets.first)
        }
        let plain = try outline { $0 }
        #expect(plain.rows == 3 && plain.width == 28)
        let prefixed = try outline { text in
            text.replacing("row", with: "x:row").replacing("sheetData", with: "x:sheetData").replacing(
                "worksheet", with: "x:worksheet"
            )
            .replacing("xmlns:r", with: "xmlns:x=\"y\" xmlns:r")
        }
        #expect(prefixed.rows == 3 && prefixed.width == 28)
        let empty = try outline { _ in "<worksheet><sheetData/></worksheet>" }
        #expect(empty.rows == 0 && empty.width == 0)
        #expect(try outline { _ in "<worksheet><sheetData><row r=\"0\"/></sheetData></worksheet>" }.isSorted)
        // Tags that lie across the ends of the pieces in which a part is read.
        let many = (1...9_000).map { "<row r=\"\($0)\"><c r=\"B\($0)\" t=\"str\"><v>x\($0)</v></c></row>" }.joined()
        let long = try outline { _ in "<worksheet><sheetData>\(many)</sheetData></worksheet>" }
        #expect(long.rows == 9_000 && long.width == 2)
    }

    @Test func aMergedCellStandsInEachOfItsRows() throws {
        let rows = """
            <row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>team</v></c></row>
            <row r="2"><c r="A2" t="str"><v>b</v></c></row><row r="3"><c r="A3" t="str"><v>c</v></c></row>
            """
        let after = "<mergeCells><mergeCell ref=\"B1:C2\"/></mergeCells>"
        #expect(
            try cells(WorkbookParts.excel(rows: rows, after: after)) == [
                "A1": "a", "B1": "team", "A2": "b", "B2": "team", "A3": "c",
            ])
    }

    @Test func openDocumentCellsAreRead() throws {
        let styles = """
            <number:number-style style:name="N1"><number:number number:decimal-places="2" number:min-integer-digits="1"/>\
            <number:text> €</number:text></number:number-style><number:percentage-style style:name="N2">\
            <number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text>%</number:text>\
            </number:percentage-style><number:time-style style:name="N3" number:truncate-on-overflow="false">\
            <number:hours/><number:text>:</number:text><number:minutes/></number:time-style>
            <style:style style:name="c1" style:family="table-cell" style:data-style-name="N1"/>
            <style:style style:name="c2" style:family="table-cell" style:data-style-name="N2"/>
            <style:style style:name="c3" style:family="table-cell" style:data-style-name="N3"/>
            """
        let tables = """
            <table:table table:name="A"><table:table-column table:default-cell-style-name="c1"/><table:table-row>
            <table:table-cell office:value-type="float" office:value="1234.5"><text:p>1.234,50 €</text:p></table:table-cell>
            <table:table-cell table:style-name="c2" office:value-type="percentage" office:value="0.5"><text:p>50 %</text:p></table:table-cell>
            <table:table-cell table:style-name="c3" office:value-type="time" office:time-value="PT26H30M00S"><text:p>26:30</text:p></table:table-cell>
            <table:table-cell office:value-type="float" office:value="0"><text:p>none</text:p></table:table-cell>
            <table:table-cell office:value-type="string"><office:annotation><text:p>comment</text:p></office:annotation>\
            <text:p>two<text:s text:c="2"/>and</text:p><text:p>lines</text:p></table:table-cell>
            <table:table-cell table:number-rows-spanned="2" office:value-type="boolean" office:boolean-value="true"/>
            </table:table-row><table:table-row><table:table-cell table:number-columns-repeated="2" \
            office:value-type="string"><text:p>x</text:p></table:table-cell><table:table-cell \
            table:number-columns-repeated="3"/><table:covered-table-cell/></table:table-row>
            <table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/>
            </table:table-row></table:table>
            """
        #expect(
            try cells(WorkbookParts.openDocument(tables, styles: styles)) == [
                "A1": "1234.50 €", "B1": "50%", "C1": "26:30", "D1": "none", "E1": "two  and\nlines", "F1": "TRUE",
                "A2": "x", "B2": "x", "F2": "TRUE",
            ])
    }

    // MARK: - Other programs' files

    @Test func aWorkbookOfOpenpyxlIsImported() throws {
        let imported = run(Self.folderOfOthers + "/openpyxl.xlsx"), summary = imported.summary
        #expect(imported.error == "")
        for note in [
            "sheets that are not read: Archiv (2 rows), Geheim (hidden)", "1 link left out in Name",
            "1 formula has no value, first in C8: open the file in a spreadsheet and save it",
            "1 hidden row left out (--hidden-rows reads it)",
        ] { #expect(imported.notes.contains(note)) }
        #expect(summary.schema?.hiddenInSheet == ["Kostenstelle"])
        #expect(summary.schema?.withheld == ["Kostenstelle", "E-Mail", "Telefon", "PLZ"])
        #expect(summary.progress.users == 3)
        let last = try #require(writer.sorted.first { $0.name?.hasPrefix("P") == true })
        #expect(last.name == "Paweł Łęcki")
        #expect(try cells(of: Self.folderOfOthers + "/openpyxl.xlsx")["I5"] == "01067")
        for value in ["\"https://example.org/pl\"", "\"Seit\":\"2015-07-01\"", "\"Pensum\":\"100%\""] {
            #expect(last.more?.contains(value) == true, "\(last.more ?? "")")
        }
        for value in ["4714", "@"] { #expect(last.more?.contains(value) == false) }
    }

    @Test func aWorkbookOfXlsxWriterIsRead() throws {
        let path = Self.folderOfOthers + "/xlsxwriter.xlsx"
        let cells = try cells(of: path)
        let wanted = [
            "A3": "Bo Ek", "B2": "Research", "B3": "Research", "C2": "1999-12-31", "D2": "09:30", "E3": "2469.00 €",
            "F2": "TRUE", "F3": "FALSE", "G2": "0.3", "H2": "plain bold", "H3": "two\nlines",
        ]
        for (name, text) in wanted { #expect(cells[name] == text, "\(name)") }
        #expect(run(path).notes.contains("1 cell with errors is empty, first in G3: #N/A"))
    }

    @Test func aSpreadsheetOfOdfpyIsImported() throws {
        let imported = run(Self.folderOfOthers + "/odfpy.ods"), summary = imported.summary
        #expect(imported.error == "" && summary.schema?.hiddenInSheet == ["Gehalt"])
        #expect(summary.progress.users == 2)
        #expect(try cells(of: Self.folderOfOthers + "/odfpy.ods")["D2"] == "03-01")
        #expect(try cells(of: Self.folderOfOthers + "/odfpy.ods")["E2"] == "01067")
    }

    @Test func aWorkbookAndTheCSVWithItsCellsGiveTheSamePeople() throws {
        let rows = [
            ["Name", "Team", "Since"], ["Ann", "Lab", "2020-03-01"], ["", "", ""], ["Bo", "", "2021-04-01"],
        ]
        let xml = rows.enumerated().map { index, cells in
            "<row r=\"\(index + 1)\">"
                + cells.map { $0.isEmpty ? "<c/>" : "<c t=\"str\"><v>\($0)</v></c>" }.joined() + "</row>"
        }
        let text = rows.map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n"
        let workbook = try run(WorkbookParts.excel(rows: xml.joined()), as: "a.xlsx"), other = try FileImport()
        #expect(try workbook.summary.schema?.settings == other.run(text, as: "a.csv").summary.schema?.settings)
        #expect(writer.sorted == other.writer.sorted)
    }

    @Test func theSheetAndTheHeaderCanBeNamed() throws {
        let path = Self.folderOfOthers + "/openpyxl.xlsx"
        #expect(run(path, .init(sheet: "archiv")).summary.progress.users == 1)
        #expect(
            run(path, .init(sheet: "Team")).error
                == "there is no sheet \"Team\"; expected one of Liste, Archiv, Geheim")
        #expect(run(path, .init(headerLine: 4, readsHiddenRows: true)).summary.progress.users == 4)
        #expect(run(path, .init(headerLine: 3)).error == "expected the header in row 3, found no text")
    }

    /// The rows of a sheet, and its cells in the order of rows.
    @Test(arguments: [
        (
            #"<row r="1"><c r="A1"><v>1</v></c></row><row r="3"><c r="A3"><v>3</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>"#,
            "A1=1 A2=2 A3=3"
        ),
        (#"<row><c r="A3"><v>3</v></c><c><v>4</v></c></row><row><c r="A4"><v>5</v></c></row>"#, "A3=3 B3=4 A4=5"),
        (#"<row r="2"><c r="C2"><v>3</v></c><c r="A2"><v>1</v></c><c><v>2</v></c></row>"#, "A2=1 B2=2 C2=3"),
        (
            #"<row r="1"><c r="B1"><v>2</v></c></row><row r="2"><c><v>3</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>"#,
            "A1=1 B1=2 A2=3"
        ),
        (#"<row><c><v>1</v></c></row><row/><row><c><v>3</v></c></row>"#, "A1=1 A3=3"),
        (
            #"<row r="1"><c r="A1"><v>1</v></c></row><row/><row r="2"><c r="A2"><v>2</v></c></row>"#, "A1=1 A2=2"
        ),
        (#"<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>"#, "A1=2"),
        (
            #"<row r="2"><c r="A2"><v>1</v></c></row><row r="1"><c r="B1"><v>0</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>"#,
            "B1=0 A2=2"
        ),
    ])
    func rowsAndCellsAreReadInAnyOrder(_ rows: String, _ shown: String) throws {
        let found = try self.rows(of: write("staff", WorkbookParts.excel(rows: rows))).joined()
        #expect(found.map { "\($0.name)=\($0.text)" }.joined(separator: " ") == shown)
    }

    @Test func partsMayBeNamedAsWindowsNamesFiles() throws {
        let parts = [
            "[Content_Types].xml": "",
            "_rels\\.rels": WorkbookParts.links([("r1", "x/officeDocument", "xl\\workbook.xml")]),
            "xl\\workbook.xml": "<workbook><sheets><sheet name=\"S\" id=\"r1\"/></sheets></workbook>",
            "xl\\_rels\\workbook.xml.rels": WorkbookParts.links([("r1", "x/worksheet", "Worksheets\\sheet1.xml")]),
            "xl\\worksheets\\Sheet1.xml": "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>",
        ]
        #expect(try cells(WorkbookParts.zip(parts)) == ["A1": "1"])
    }

    @Test func aSpreadsheetOfOpenDocumentNeedsNoType() throws {
        let table =
            "<table:table><table:table-row><table:table-cell><text:p><text:ruby><text:ruby-base>相川</text:ruby-base><text:ruby-text>あいかわ</text:ruby-text></text:ruby></text:p></table:table-cell></table:table-row></table:table>"
        #expect(try cells(WorkbookParts.openDocument(table, more: ["mimetype": ""])) == ["A1": "相川"])
    }

    @Test func valuesFarToTheRightAreReported() throws {
        let rows = """
            <row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" t="str"><v>Team</v></c></row><row r="2">\
            <c r="A2" t="str"><v>Ann Lee</v></c><c r="C2" t="str"><v>a</v></c><c r="AMK2" t="str"><v>far</v></c></row>
            """
        let notes = try run(WorkbookParts.excel(rows: rows), as: "wide.xlsx").notes
        #expect(notes.contains("1 value beyond 1,024 columns left out, first in AMK2"), "\(notes)")
    }

    @Test func anEmptyTypeIsEmpty() throws {
        let rows = """
            <row><c t="str"><v>Name</v></c><c t="str"><v>Type</v></c></row><row><c t="str"><v>Ann Lee</v></c>\
            <c t="str"><v>Temp</v></c></row><row><c t="str"><v>Bo Day</v></c></row>
            """
        _ = try run(WorkbookParts.excel(rows: rows), as: "staff.xlsx")
        #expect(writer.sorted.map(\.more) == [#"{"Type":"Temp"}"#, nil])
    }

    // MARK: - What is refused

    @Test(arguments: [
        ("<div>\n<table><tr><td>Name</td></tr></table></div>\n", "web page"),
        ("<?xml version=\"1.0\"?>\n<html><body/></html>\n", "web page"),
        ("MIME-Version: 1.0\nContent-Type: multipart/related\n\n", "web page in one file (MHT)"),
        (
            "<?xml version=\"1.0\"?>\n<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">\n",
            "XML spreadsheet of Excel 2003"
        ),
        (
            "<office:document office:mimetype=\"application/vnd.oasis.opendocument.spreadsheet\">\n",
            "flat OpenDocument spreadsheet (.fods)"
        ),
    ])
    func otherFilesOfSpreadsheetsAreNamed(_ text: String, _ kind: String) throws {
        let advice = "staff.xlsx is a \(kind): open it in a spreadsheet and save it as .xlsx"
            .replacing("a XML", with: "an XML")
        #expect(try failure(Array(text.utf8)) == advice)
        #expect(
            try failure([0xFF, 0xFE] + Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == advice)
    }

    @Test func textDocumentsAndEmptyArchivesAreNamed() throws {
        let advice = "staff.xlsx is a text document: copy its table into a spreadsheet and save that as .xlsx"
        #expect(try failure(Array("{\\rtf1\\ansi Name}\n".utf8)) == advice)
        #expect(
            try failure(Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18))
                == "staff.xlsx is an empty ZIP archive")
    }

    @Test func otherArchivesAreNamed() throws {
        let kinds: [([String: String], String)] = [
            (["a.txt": ""], "staff.xlsx is a ZIP archive: extract it and import the table inside"),
            (
                ["Index/Document.iwa": ""],
                "staff.xlsx is a Numbers spreadsheet: in Numbers choose File, Export To, Excel"
            ),
            (
                ["mimetype": "application/vnd.oasis.opendocument.text", "content.xml": ""],
                "staff.xlsx is a text document: copy its table into a spreadsheet and save that as .xlsx"
            ),
            (
                [
                    "[Content_Types].xml": "",
                    "_rels/.rels": WorkbookParts.links([("r1", "x/officeDocument", "xl/workbook.bin")]),
                ], "staff.xlsx is a binary workbook (.xlsb): open it in a spreadsheet and save it as .xlsx"
            ),
        ]
        for (parts, message) in kinds { #expect(try failure(WorkbookParts.zip(parts)) == message) }
        let manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
        let whole = WorkbookParts.zip(["encrypted-package": "", "META-INF/manifest.xml": manifest])
        for file in [whole, WorkbookParts.openDocument("", more: ["META-INF/manifest.xml": manifest])] {
            #expect(try failure(file) == "staff.xlsx is protected by a password: save it without one")
        }
    }

    @Test func damageAndTrapsAreNamed() throws {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><workbook/>"
        #expect(
            try failure(WorkbookParts.excel(rows: "", more: ["xl/workbook.xml": bomb]))
                == "cannot import staff.xlsx: xl/workbook.xml has a DTD, which workbooks do not have")
        let part = "xl/worksheets/sheet1.xml"
        let damaged = [
            ("<row><c><v>1</c></row>", "line 1: mismatched tag"),
            ("<row r=\"1\"><c r=\"B7\"/></row>", "B7 is no cell of row 1"),
            ("<row r=\"1048577\"/>", "it has more than 1,048,576 rows"),
        ]
        for (rows, reason) in damaged {
            #expect(try failure(WorkbookParts.excel(rows: rows)) == "staff.xlsx is damaged: \(part): \(reason)")
        }
        let deep = String(repeating: "<a>", count: 300)
        #expect(
            try failure(WorkbookParts.excel(rows: deep))
                == "cannot import staff.xlsx: \(part) has more than 256 elements within each other")
        let whole = WorkbookParts.excel(rows: "")
        #expect(try failure(Array(whole.prefix(whole.count / 2))).contains("only a part of one"))
        let table = """
            <table:table><table:table-row/><table:table-row table:number-rows-repeated="1000000"><table:table-cell>\
            <text:p>x</text:p></table:table-cell></table:table-row></table:table>
            """
        #expect(
            try failure(WorkbookParts.openDocument(table))
                == "cannot import staff.xlsx: line 2 is repeated 1,000,000 times")
    }
}
