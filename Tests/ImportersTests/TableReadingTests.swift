import Base
import People
import Testing

@testable import Importers

/// What a table is, by its rows alone: lines of cells with `|` between them.
@Suite struct TableReadingTests {
    private func rows(_ text: String) -> [TableRow] {
        var (rows, isAfterBlank) = ([TableRow](), false)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed }
            if cells.allSatisfy(\.isEmpty) {
                isAfterBlank = true
            } else {
                rows.append(TableRow(number: index + 1, cells: cells, isAfterBlank: isAfterBlank))
                isAfterBlank = false
            }
        }
        return rows
    }

    private func reading(_ text: String) throws -> TableReading {
        try TableReading(rows(text), TableReading.Hints(names: ColumnNames()))
    }

    @Test(arguments: [
        ("Name|Team\nAnna Keller|Sales", 1...1, ["Name", "Team"]),
        // Labels, and a title.
        (
            "Staff\nUser:|JDOE\nDate:|2024-01-31\nFirst name|Last name|City\nAnna|Keller|Berlin", 4...4,
            ["First name", "Last name", "City"]
        ),
        // All headings have colons.
        ("name:|job title:|city:\nAnna Keller|Lead|Berlin", 1...1, ["name:", "job title:", "city:"]),
        // A cover's table explains less than the header.
        ("Name|Northwind Ltd\nAuthor|HR\n\nName|Team|City\nAnna Keller|Sales|Berlin", 4...4, ["Name", "Team", "City"]),
        (
            "Name||Team|City\nFirst|Last|Team|City\nAnna|Keller|Sales|Berlin", 1...2,
            ["First", "Last", "Team", "City"]
        ),
        // Words of no language's headings for names, above names.
        ("Who|Where\nAnna Keller|Berlin", 1...1, ["Who", "Where"]),
        ("Teilnehmer|Start\nAnna Keller|2024-01-01\nBo Lee|2024-01-02", 1...1, ["Teilnehmer", "Start"]),
        // A person fills the gap of a header.
        ("Name||City\nAnna|Keller|Berlin", 1...1, ["Name", "", "City"]),
        (
            "full_name|job_title|city\nFull name|Job title|City\nAnna Keller|Lead|Berlin", 2...2,
            ["Full name", "Job title", "City"]
        ),
        (
            "Full name|Job title|City\nfull_name|job_title|city\nAnna Keller|Lead|Berlin", 1...2,
            ["Full name", "Job title", "City"]
        ),
        // A person with words of headings is no header.
        ("login|name|track\np1|Person 1|Web\np2|Person 2|Web", 1...1, ["login", "name", "track"]),
        ("login|name|track\np|Person|Web\nq|Person Two|Web", 1...1, ["login", "name", "track"]),
        ("id|name|department|joined\n1|Person 1|Web|", 1...1, ["id", "name", "department", "joined"]),
        // A meeting above its participants, who are counted.
        (
            "Meeting ID|Topic|Start time|User email|Participants\n89|Bees|2022-03-08|a@example.org|68\n\nName|User email\nAnna Keller|a@example.org\nBo Lee|b@example.org",
            4...4, ["Name", "User email"]
        ),
        // A word for people is somebody's job.
        (
            "Firm|Lobbyist name|Since\nKing Ltd|Allan King|1999\n4|Director|No\nLee Ltd|Bo Lee|2001", 1...1,
            ["Firm", "Lobbyist name", "Since"]
        ),
    ])
    func theHeaderIsTheRowThatExplainsMost(_ text: String, _ header: ClosedRange<Int>, _ headings: [String]) throws {
        let reading = try reading(text)
        #expect(reading.header == header && reading.headings == headings)
    }

    @Test(arguments: [
        ("Julia Osborne\nSophie Underwood\nAlice O'Leary", ["Name"]),
        ("Anna Keller|Vertrieb|+49 221 9610-05\nBruno Ortiz|Technik|+49 221 9836-62", ["Name", "Column 2", "Phone"]),
        ("anna@example.org|Anna Keller|5\nbo@example.org|Bo van Dyk|7", ["E-mail", "Name", "Column 3"]),
    ])
    func aTableWithoutAHeaderHasColumnsByTheirValues(_ text: String, _ headings: [String]) throws {
        let reading = try reading(text)
        #expect(reading.header == nil && reading.headings == headings)
    }

    @Test(arguments: ["Budget|Quarter\n12|2024-01-01\n30|2024-04-01", "a|b\n1|2"])
    func aHeaderThatNobodyKnowsIsNotAPerson(_ text: String) {
        #expect(throws: RollcallError.self) { try reading(text) }
    }

    /// The kinds of the rows below the header, and what stands behind each person as their section.
    private func kinds(_ text: String) throws -> [String] {
        let reading = try reading(text)
        var sorter = RowSorter(reading.rules)
        var kinds: [(Int, String)] = []
        let note = { (kind: RowKind?, row: TableRow) in kinds.append((row.number, kind.map { "\($0)" } ?? "person")) }
        for row in rows(text) where row.number > reading.header?.upperBound ?? 0 { sorter.judge(row, note) }
        sorter.close(isBeforePeople: false, note)
        return kinds.sorted { $0.0 < $1.0 }.map(\.1)
    }

    @Test(arguments: [
        ("Anna Keller|Sales|38\nBruno Ortiz|IT|40\nTotal||78", "person person total"),
        (
            "Anna Keller|Sales|38\nBruno Ortiz|IT|40\n|Sum|78\n\nGenerated by HR on 31 January\n2 employees",
            "person person total note note"
        ),
        ("Anna Keller|Sales|38\nName|Team|Hours\nBruno Ortiz|IT|40", "person header person"),
        (
            "SALES\nAnna Keller|Lead|38\nBruno Ortiz|Lead|40\nSUPPORT\nChloe Martin|Lead|40",
            "section person person section person"
        ),
        (
            "Vertrieb\nKeller, Anna|Leitung|38\nOrtiz, Bruno|Bote|40\nSumme Vertrieb: 2\nTechnik\nMartin, Chloe|Lead|40\nLee, Bo|x|1",
            "section person person total section person person"
        ),
        // Two words like a name, and a word for a part of an organization.
        ("Human Resources\nAnna Keller|Lead|38\nBruno Ortiz|Lead|40", "section person person"),
        // Of Dana Novak only the name is known.
        ("Anna Keller|Lead|38\nDana Novak\nBruno Ortiz|Lead|40", "person person person"),
        ("Anna Keller|Lead|38\nBruno Ortiz|Lead|40\n\nContacts Report\nExample Org", "person person note note"),
        ("Anna Keller|Lead|38\n\nBruno Ortiz|Lead|40", "person person"),
        ("Anna Keller|Lead|38\nN.N.|Lead|40\nvacant|Lead|20\n(unbesetzt)|Lead|20", "person vacancy vacancy vacancy"),
        ("Points Possible||10\nAnna Keller|Lead|3\nBruno Ortiz|Lead|4", "limits person person"),
        ("----|----|----\nAnna Keller|Lead|3\n* mornings only", "dashes person note"),
        ("---|:--:|--:\nAnna Keller|Lead|3", "dashes person"),
        ("|TT.MM.JJJJ|EUR\nAnna Keller|1.2.2003|3", "limits person"),
        ("Anna Keller|Lead|38\nBruno Ortiz|Lead|4\nPage 2 of 3\nDana Novak|Lead|1", "person person note person"),
        // People may be called like this.
        ("Sum Wing|Lead|38\nAnna Total|Lead|4\nMax Open|Lead|4", "person person person"),
    ])
    func rowsBelowTheHeaderArePeopleOrNot(_ people: String, _ expected: String) throws {
        #expect(try kinds("Name|Team|Hours\n" + people).joined(separator: " ") == expected)
    }

    @Test func peopleOfASectionHaveItsHeading() throws {
        let sink = read("Name,Title,City\nSALES,,\nAnna Keller,Lead,Berlin\nSUPPORT,,\nBruno Ortiz,Lead\nTotal,,2\n")
        #expect(sink.users.map(\.name) == ["Anna Keller", "Bruno Ortiz"] && sink.rejections.isEmpty)
        #expect(sink.users[0].more?.contains("\"Section\":\"SALES\"") == true)
        #expect(sink.users[1].more?.contains("\"Section\":\"SUPPORT\"") == true)
    }

    @Test func aNoteWithoutALineEndIsNoCutRow() {
        let sink = read("Name,Team,City\nAnna Keller,Sales,Berlin\nBo Lee,IT,Rome\n\nConfidential")
        #expect(sink.users.count == 2 && sink.rejections.isEmpty, "\(sink.rejections)")
    }
}
