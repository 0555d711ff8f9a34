import Foundation
import TestSupport
import Testing

/// `rollcall show`, for a person who asks.
@Suite("What is stored about a person")
final class ShowTests: Desk {
    override init() throws {
        try super.init()
        try importStaff("Anna Lee,Lead,anna@example.org,1000")
        try importStaff("Anna Bauer,Lead,anna@example.org,2000")
    }

    private func importStaff(_ row: String) throws {
        let text = "Name,Position,E-Mail,Pay\n\(row)\nBo Li,Cook,bo@example.org,1\n"
        #expect(try importing(text, "--key", "E-Mail", "--keep", "Pay").error == "")
    }

    @Test func aPersonIsFound() {
        for clue in [
            "anna-bauer", "anna-lee", "1", "ANNA@example.org", "/users/anna-lee",
            "https://people.example.org/base/users/anna%2Dbauer?directory=team&q=x",
        ] {
            let output = rollcall("show", clue)
            #expect(output.status == 0 && output.error.isEmpty, "\(output.error)")
            let lines = output.output.split(separator: "\n").map { $0.split(separator: "  ") }
            let found = lines.filter { $0.count == 2 }.map { "\($0[0]): \($0[1].drop { $0 == " " })" }
            for expected in [
                "handle: anna-bauer, made by Rollcall", "former handles: anna-lee", "id: 1, made by Rollcall",
                "known by: a hash of the key", "Position: Lead", "Pay: 2000 (private)", "name: Anna Bauer",
            ] { #expect(found.contains(expected), "\(clue): \(expected) in \(output.output)") }
            #expect(!output.output.contains("Bo Li") && !output.output.contains("example.org"))
        }
    }

    @Test func aNameThatOneHasIsEnough() {
        let (output, byHandle) = (rollcall("show", "Bo Li"), rollcall("show", "bo-li"))
        #expect(output.status == 0 && output.output == byHandle.output, "\(output)")
    }

    @Test func programsGetJSON() throws {
        let output = rollcall("show", "anna-bauer", "--format", "json").output
        let people = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
        let person = try #require(people.first)
        #expect(people.count == 1 && person["directory"] as? String == "team" && person["knownBy"] as? String == "key")
        #expect(person["formerHandles"] as? [String] == ["anna-lee"] && person["private"] as? [String] == ["Pay"])
        #expect((person["record"] as? [String: Any])?["Position"] as? String == "Lead")
        for time in ["firstImport", "lastImport"] {
            #expect((person[time] as? String)?.hasPrefix("20") == true, "\(output)")
        }
        let nobody = rollcall("show", "nobody", "--format", "json").output
        #expect(try JSONSerialization.jsonObject(with: Data(nobody.utf8)) is [Any])
    }

    @Test func nothingIsSaidOfForgottenPeople() {
        #expect(rollcall("forget", "anna-bauer", "--directory", "team").status == 0)
        for handle in ["anna-bauer", "anna-lee"] {
            let output = rollcall("show", handle)
            #expect(output.status == 1 && output.output.isEmpty)
            #expect(output.error.contains("the handle is reserved in team"), "\(output.error)")
        }
        let others = ["1", "anna@example.org", "nobody"].map { rollcall("show", $0) }
        #expect(others.allSatisfy { $0.status == 1 && $0.output.isEmpty && !$0.error.contains("reserved") })
    }
}
