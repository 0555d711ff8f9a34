import People
import Publishing
import Testing

/// What the people of a list are known by if its publisher says nothing.
@Suite("Inferred keys")
struct InferredKeyTests {
    /// A list as text: a heading and values, with "–" for an empty cell.
    private func key(_ columns: [String], names: [String] = ["Name"]) -> (columns: [String], apart: [String]?)? {
        let cells = columns.map { $0.split(separator: "|").map(String.init) }
        let survey = Survey(
            columns: cells.map { cells in
                SurveyedColumn(heading: cells[0], values: cells.dropFirst().filter { $0 != "–" }.map { .text($0) })
            }, records: (cells.map(\.count).max() ?? 1) - 1)
        return survey.inferredKey(names: names)
    }

    private static let eleven = (1...11).map { "p\($0)@x.org" }
    private static let names = "Name|" + (1...11).map { "Person \($0)" }.joined(separator: "|")

    @Test(arguments: [
        (["Name|Ada|Bo", "E-Mail|a@x.org|b@x.org", "Personalnummer|17|4"], ["E-Mail"]),
        (["Name|Ada|Bo", "Personalnummer|17|4", "Kürzel|AA|BB"], ["Personalnummer"]),
        (["Name|Ada|Bo", "Personalnummer|1|2"], ["Name"]), (["Name|Ada|Bo", "Personalnummer|7|–"], ["Name"]),
        (["Name|Ada|Bo", "E-Mail|info@x.org|INFO@x.org"], ["Name"]),
        ([names, "E-Mail|" + eleven.dropLast().joined(separator: "|") + "|–"], ["E-Mail"]),
        ([names, "E-Mail|" + eleven.dropLast(2).joined(separator: "|") + "|–|–"], ["Name"]),
        (["Name|Ada|Bo", "Mobile number|030 1|030 2", "Postal code|10117|10119"], ["Name"]),
    ])
    func theFirstColumnThatTellsPeopleApartIsTheKey(_ columns: [String], _ expected: [String]) {
        #expect(key(columns)?.columns == expected)
    }

    @Test func withoutANameNothingIsKnown() { #expect(key(["Department|Sales|IT"], names: []) == nil) }

    @Test(arguments: [
        (["Title|Head|Dev|Dev", "Department|Sales|IT|IT"], ["Department"]),
        (["Title|Head|Dev|Dev", "Department|IT|IT|IT"], ["Department", "Title"]),
        (["Title|Head|Dev|Dev", "Date of birth|1.2.1980|3.4.1990|5.6.1985", "Department|IT|IT|IT"], ["Date of birth"]),
        (["Title|Head|–|Dev", "Notes|a|b|c"], []),
    ])
    func peopleOfOneNameAreToldApartByWhatLasts(_ columns: [String], _ expected: [String]) {
        let key = key(["Name|Anna|Bo|Anna"] + columns)
        #expect(key?.columns == ["Name"] && key?.apart == expected)
    }

    @Test func aKeyIsToldApartByNothing() { #expect(key(["Name|Anna|Anna", "E-Mail|a@x.org|b@x.org"])?.apart == nil) }
}
