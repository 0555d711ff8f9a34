import Foundation
import TestSupport
import Testing

/// `rollcall show`, for a person who asks.
@Suite("What is stored about a person", .onThreadsForPrograms)
final class ShowTests: Stage {
    override init() throws {
        try super.init()
        try importing("Anna Lee,Lead,anna@example.org,1000")
        try importing("Anna Bauer,Lead,anna@example.org,2000")
    }

    private func importing(_ row: String) throws {
        try load("Name,Position,E-Mail,Pay\n\(row)\nBo Li,Cook,bo@example.org,1\n", "--key", "E-Mail", "--keep", "Pay")
    }

    private func show(_ arguments: String...) throws -> Output {
        try run(binary(), ["show", "--database", database] + arguments)
    }

    @Test func aPersonIsFound() throws {
        for clue in [
            "anna-bauer", "anna-lee", "1", "ANNA@example.org", "/users/anna-lee",
            "https://people.example.org/base/users/anna%2Dbauer?directory=team&q=x",
        ] {
            let output = try show(clue)
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

    @Test func aNameThatOneHasIsEnough() throws {
        let (output, byHandle) = (try show("Bo Li"), try show("bo-li"))
        #expect(output.status == 0 && output.output == byHandle.output, "\(output)")
    }

    @Test func theDirectoryOfTheEnvironmentIsReported() throws {
        let arguments = ["show", "bo-li", "--database", database]
        let environment = ["ROLLCALL_DIRECTORY": "team"]
        let output = try run(binary(), arguments, environment: environment)
        #expect(output.status == 0, "\(output.error)")
        #expect(output.error.contains("only in team, because ROLLCALL_DIRECTORY is set"), "\(output.error)")
        let own = try run(binary(), arguments + ["--directory", "team"], environment: environment)
        #expect(own.status == 0 && own.error.isEmpty, "\(own.error)")
    }

    @Test func programsGetJSON() throws {
        let output = try show("anna-bauer", "--format", "json").output
        let people = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
        let person = try #require(people.first)
        #expect(people.count == 1 && person["directory"] as? String == "team" && person["knownBy"] as? String == "key")
        #expect(person["formerHandles"] as? [String] == ["anna-lee"] && person["private"] as? [String] == ["Pay"])
        #expect((person["record"] as? [String: Any])?["Position"] as? String == "Lead")
        for time in ["firstImport", "lastImport"] {
            #expect((person[time] as? String)?.hasPrefix("20") == true, "\(output)")
        }
        #expect(try JSONSerialization.jsonObject(with: Data(show("nobody", "--format", "json").output.utf8)) is [Any])
    }

    @Test func nothingIsSaidOfForgottenPeople() throws {
        #expect(try rollcall("forget", "anna-bauer", "--directory", "team").status == 0)
        for handle in ["anna-bauer", "anna-lee"] {
            let output = try show(handle)
            #expect(output.status == 1 && output.output.isEmpty)
            #expect(output.error.contains("the handle is reserved in team"), "\(output.error)")
        }
        let others = try [show("1"), show("anna@example.org"), show("nobody")]
        #expect(others.allSatisfy { $0.status == 1 && $0.output.isEmpty && !$0.error.contains("reserved") })
    }
}
