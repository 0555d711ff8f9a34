import People
import TestSupport
import Testing

@testable import Importers
@testable import Publishing

/// Everything that an import would erase, publish, or no longer know people by, before anything is saved.
@Suite("What an import does to people who are there")
final class ConsequenceTests: FileImport {
    /// The settings after the first import.
    private var stored = DirectorySettings()

    override init() throws {
        try super.init()
        _ = try run("Name,Team,Code\nAnn Lee,A,1x\nBo Day,B,2x\nCy Fox,,3x\n") { $0.key = ["Code"] }
        stored = writer.directory.settings.stored
    }

    /// Imports `text` for the first time, and returns the settings.
    private func imported(_ text: String) throws -> DirectorySettings {
        let members = try FileImport()
        _ = try members.run(text, as: "members.csv")
        return members.writer.directory.settings.stored
    }

    /// Imports `text`, and returns what it is refused for. Each person has a value in each column.
    private func refused(_ text: String, _ change: (inout ImportRequest) -> Void) throws -> [Consequence] {
        var request = ImportRequest()
        (request.stored, request.total) = (stored, 3)
        request.handleHeading = "rollcall:0000000a"
        request.handleHeadings = ["rollcall:0000000a": "staff"]
        request.holders = { isCounted in
            ["Team", "Code"].filter(isCounted).map { (column: $0, people: 3) }
        }
        change(&request)
        let path = try write("again.csv", text)
        let end = ImportRun(writer: writer).run(FileSource(path: path, request: request)).end
        guard case .failed(let error) = end else { return [] }
        return try #require(error as? Refusal, "\(error)").consequences
    }

    private static let same = "Name,Team,Code\nAnn Lee,A,1x\n"
    private static let loss = Consequence.loses(
        [("Team", 3)], of: 3, source: "again.csv", field: "department")

    @Test func nothingIsRefusedThatChangesNothing() throws { #expect(try refused(Self.same) { _ in } == []) }

    @Test func allIsSaidAtOnce() throws {
        let found = try refused("Name,Staff code\nAnn Lee,1x\n") { $0.edits.key = ["Name"] }
        let lines = Refusal(found).lines
        #expect(lines.count == 2 && lines[0].contains("lacks Code") && lines[1].contains("known by Code"), "\(lines)")
    }

    @Test func eachIsFound() throws {
        #expect(try refused("Name,Code\nAnn Lee,1x\n") { _ in } == [Self.loss])
        #expect(try refused("Name,Code\nAnn Lee,1x\n") { $0.missing = .keep } == [])
        #expect(try refused(Self.same) { $0.edits.key = ["Team"] } == [.changesKey(known: ["Code"], people: 3)])
        #expect(try refused(Self.same) { ($0.edits.key, $0.isAdopting) = (["Team"], true) } == [])
        #expect(
            try refused(Self.same) { $0.edits.drop = ["Team"] }
                == [.erases([("Team", 3)])])
        #expect(
            try refused("Name,Team\nAnn Lee,A\n") { _ in }.map(\.fact).first?.contains("no column \"Code\"") == true)
        #expect(
            try refused("rollcall:0000000b:private:Pay,Name,Team,Code,Pay\nann,Ann Lee,A,1x,9\n") { _ in }
                == [.publishes(["Pay"])])
        #expect(
            try refused("rollcall:0000000a,Name,Team,Code\nann,Ann Lee,A,1x\n") { request in
                request.namesDirectoryAfterSource = true
            } == [.copies("staff")])
    }

    /// A table without the column that says who has left, who is hidden, or by which people are known, would list them.
    @Test(arguments: [
        ("Status", nil as MissingColumns?, "lacks \"Status\", which says who is not listed" as String?),
        ("hidden", nil, "lacks \"hidden\", which says who is not listed"),
        ("hidden", MissingColumns.keep, nil), ("hidden", .erase, nil),
        ("E-Mail", nil, "the file has no column \"E-Mail\", by which people are known here"),
        ("E-Mail", .keep, "the file has no column \"E-Mail\", by which people are known here"),
        ("E-Mail", .erase, nil), ("Status", .erase, nil),
        ("Status", .keep, "lacks \"Status\", which says who is not listed"),
    ])
    func aTableSaysWhoIsNotListed(_ column: String, _ missing: MissingColumns?, _ refusal: String?) throws {
        let rows = [
            "Name,E-Mail,Status,hidden", "Ann Lee,a@x.org,active,", "Bo Day,b@x.org,left,", "Cy Fox,c@x.org,active,yes",
        ]
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let text = { (columns: [Int]) in
            rows.map { row in columns.map { String(row[$0]) }.joined(separator: ",") + "\n" }.joined()
        }
        let members = try imported(text([0, 1, 2, 3]))
        let left = rows[0].indices.filter { rows[0][$0] != column }
        let found = try refused(text(left)) { request in
            (request.stored, request.missing) = (members, missing)
        }
        #expect(found.map(\.fact).map { $0.replacing("again.csv ", with: "") } == (refusal.map { [$0] } ?? []))
    }

    /// Those who left were never stored, so no value of theirs could be kept.
    @Test func anotherColumnMaySayWhoHasLeft() throws {
        let members = try imported("Name,Team,Status\nAnn Lee,A,active\nBo Day,B,left\n")
        func found(_ only: [String]?) throws -> [Consequence] {
            try refused("Name,Team\nAnn Lee,A\nBo Day,B\n") { request in
                (request.stored, request.missing, request.edits.set.leaveOut) = (members, .keep, only)
            }
        }
        #expect(try found(nil).map(\.cure).first?.contains("--only-where COLUMN=VALUE") == true)
        #expect(try found(["Team=B"]) == [])
    }

    /// Records have no header: a member that none of them has is a lost column.
    @Test(arguments: [
        ("", nil as MissingColumns?, true), ("", .keep, false), ("", .erase, false), (#","hidden":null"#, nil, false),
    ])
    func recordsSayWhoIsHidden(_ member: String, _ missing: MissingColumns?, _ isRefused: Bool) throws {
        let members = try imported(#"{"name":"Ann Lee","Team":"A"}"# + "\n" + #"{"name":"Bo Day","hidden":true}"#)
        let found = try refused(#"{"name":"Bo Day"\#(member)}"#) { ($0.stored, $0.missing) = (members, missing) }
        #expect(found.map(\.fact) == (isRefused ? ["again.csv lacks \"hidden\", which says who is not listed"] : []))
    }

    /// The column may have another name.
    @Test func anotherColumnMayHidePeople() throws {
        let members = try imported("Name,hidden\nAnn Lee,\nBo Day,yes\n")
        let found = try refused("Name,Secret\nAnn Lee,\nBo Day,yes\n") { request in
            request.stored = members
            request.edits.map = [SettingsEdits.Assignment(key: "hidden", text: "Secret")]
        }
        #expect(found == [])
    }

    @Test func aPartOfNamesCannotBeHiddenLater() throws {
        let text = "Vorname,Nachname,Team\nAnn,Lee,A\nBo,Day,B\n"
        let members = try imported(text)
        let found = try refused(text) { ($0.stored, $0.edits.drop) = (members, ["Nachname"]) }
        #expect(found == [.needs("\"Nachname\" is a part of people's names")])
    }

    /// Objects that may be all people have the same members as in the last file, and so have more than a few; one
    /// alone is one more person.
    @Test(arguments: [(3, 3, true), (1, 3, false), (6, 60, true), (5, 60, false)])
    func aMemberThatMostPeopleHaveMustNotBeMissing(_ count: Int, _ total: Int, _ isRefused: Bool) throws {
        let people = { (team: String) in (1...count).map { #"{"id":\#($0),"name":"P \#($0)"\#(team)}"# + "\n" }.joined()
        }
        let members = try imported(people(#","Team":"A""#))
        let found = try refused(people("")) { request in
            (request.stored, request.total) = (members, total)
            request.holders = { $0("Team") ? [("Team", total)] : [] }
        }
        let fact = "again.csv lacks Team, which \(total) of \(total) people have"
        #expect(found.map(\.fact) == (isRefused ? [fact] : []))
    }

    /// More than five people and a fifth of all.
    @Test(arguments: [(6, 12, true), (5, 12, false), (6, 30, false), (7, 30, true), (5, 5, false)])
    func manyAreNotPrunedByMistake(_ gone: Int, _ total: Int, _ isTooMuch: Bool) {
        #expect(Pruning(gone: gone, total: total).isTooMuch == isTooMuch)
    }

    /// The whole name is said once, not also as a part of itself.
    @Test func aNameCannotBeHiddenLater() throws {
        let found = try refused(Self.same) { $0.edits.drop = ["Name"] }
        #expect(found == [.needs("the name is what people's addresses are made of")])
    }

    /// No field of the settings reads it.
    @Test func theNameOfAServicesPeopleCannotBeHiddenLater() throws {
        let person = #"{"login":"ada","id":1,"name":"Ada","gravatar_id":""}"#
        let settings = try imported(person)
        let found = try refused(person) { request in
            (request.stored, request.total, request.edits.only) = (settings, 1, ["login"])
        }
        #expect(found.contains(.needs("the name is what people's addresses are made of")))
    }

    @Test(arguments: ["ROLLCALL:0000000B:PRIVATE:PAY", "Rollcall: 0000000b: private: Pay"])
    func anExportWhoseHeadingWasChangedIsRefused(_ heading: String) throws {
        let end = try run("\(heading),NAME,PAY\nann,Ann Lee,9\n").summary.end
        #expect("\(end)".contains("nobody can tell which columns are private"), "\(end)")
    }

    /// Addresses of people are made of their names there.
    @Test func aFirstColumnOfLoginsIsWithheldAndRefusesNothing() throws {
        let members = try imported("Name,Team\nAnn Lee,A\nBo Day,B\n")
        let found = try refused("Name,Team,Username\nAnn Lee,A,al\nBo Day,B,bd\n") { request in
            request.stored = members
        }
        #expect(found == [])
    }

    /// A change of settings has no rows of people, by which another key could find them.
    @Test(arguments: [(["Code"], false, false), (["Team"], false, true), (["Team"], true, false)])
    func anotherKeyNeedsRows(_ key: [String], _ isAdopting: Bool, _ isRefused: Bool) throws {
        var changed = stored
        changed.own.key = key
        let found = try stored.consequences(of: changed, people: 3, isAdopting: isAdopting, nil)
        #expect(found == (isRefused ? [.changesKey(known: ["Code"], people: 3)] : []))
        #expect(try stored.consequences(of: changed, people: 0, isAdopting: isAdopting, nil) == [])
    }
}
