import Foundation
import TestSupport
import Testing

/// cron sends a mail for whatever a command prints.
@Suite("--quiet", .onThreadsForPrograms)
final class QuietTests: Stage {
    override init() throws {
        try super.init()
        #expect(try importing("id,login\n1,ada\n2,bo\n", ["--quiet"]) == Self.nothing)
    }

    private static let nothing = "0: |"

    /// Returns the exit status, what went to standard output, and what went to standard error.
    private func quietly(
        _ arguments: [String], database: String? = nil, input: String = "", environment: [String: String] = [:]
    ) throws -> String {
        let output = try rollcall(arguments, database: database, input: input, environment: environment)
        return "\(output.status): \(output.output)|\(output.error)"
    }

    private func importing(_ people: String, _ options: [String], environment: [String: String] = [:]) throws -> String
    {
        let command = ["import", "file", "-", "--directory", "team"]
        return try quietly(command + options, input: people, environment: environment)
    }

    @Test func nothingIsPrintedIfAllWentWell() throws {
        #expect(
            try importing("id,login,E-Mail\n1,ada,a@example.org\n3,cy,\n", ["--dry-run", "--quiet"]) == Self.nothing)
        #expect(try importing("id,login\n1,ada\n", ["--prune"], environment: ["ROLLCALL_QUIET": "1"]) == Self.nothing)
        #expect(try quietly(["pictures", "--quiet"]) == Self.nothing)
        #expect(try quietly(["export", "--quiet", path("people.csv")]) == Self.nothing)
        #expect(try quietly(["backup", "--quiet", path("b.sqlite")]) == Self.nothing)
        let copied = try run(binary(), ["copy", "--quiet", database, path("c.sqlite")])
        #expect(copied.status == 0 && copied.output + copied.error == "", "\(copied)")
        let export = try quietly(["export", "--quiet", "--format", "csv"])
        #expect(export.hasPrefix("0: ") && export.contains("ada") && export.hasSuffix("|"), "\(export)")
    }

    @Test func whatWentWrongIsPrinted() throws {
        let rejected = try importing("id,login\n1,adele\nx,bo\n", ["--quiet"])
        #expect(rejected.hasPrefix("2: team: 1 changed, 1 rejected in "), "\(rejected)")
        #expect(rejected.contains("|rejected line 3: expected \"id\" to be a positive 64-bit integer, found \"x\"\n"))
        let refused = try importing("id,login\n1,ada\n", ["--quiet", "--key", "Nope"])
        #expect(refused.hasPrefix("1: |rollcall: ") && refused.contains("\"Nope\""), "\(refused)")
        for command in [["backup", path("d.sqlite")], ["export"], ["pictures"]] {
            let output = try quietly(command + ["--quiet"], database: path("none.sqlite"))
            #expect(output.hasPrefix("1: |rollcall: there is no database"), "\(output)")
        }
    }

    @Test func aRepeatedImportIsQuietToo() throws {
        let program = try start(
            "import", "file", write("team.csv", "id,login\n1,ada\n4,di\n"), "--every", "1h", "--quiet")
        let server = try serve()
        // Noted at its very end. A signal before that would interrupt it, which it says.
        let added = #"rollcall_last_import_people{directory="team",change="added"} 1"#
        try program.wait(until: "the import has ended") { try get(server.url + "/metrics").text.contains(added) }
        #expect(
            program.stop(SIGTERM) == 0 && program.output + program.errors == "", "\(program.output)\(program.errors)")
    }
}
