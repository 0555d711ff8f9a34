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
    private func quietly(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws
        -> String
    {
        let output = try run(binary(), arguments, input: Data(input.utf8), environment: environment)
        return "\(output.status): \(output.output)|\(output.error)"
    }

    private func importing(_ people: String, _ options: [String], environment: [String: String] = [:]) throws -> String
    {
        let command = ["import", "file", "-", "--directory", "team", "--database", path("a.sqlite")]
        return try quietly(command + options, input: people, environment: environment)
    }

    @Test func nothingIsPrintedIfAllWentWell() throws {
        let database = ["--database", path("a.sqlite")]
        #expect(
            try importing("id,login,E-Mail\n1,ada,a@example.org\n3,cy,\n", ["--dry-run", "--quiet"]) == Self.nothing)
        #expect(try importing("id,login\n1,ada\n", ["--prune"], environment: ["ROLLCALL_QUIET": "1"]) == Self.nothing)
        #expect(try quietly(["pictures", "--quiet"] + database) == Self.nothing)
        #expect(try quietly(["export", "--quiet", path("people.csv")] + database) == Self.nothing)
        #expect(try quietly(["backup", "--quiet", path("b.sqlite")] + database) == Self.nothing)
        #expect(try quietly(["copy", "--quiet", path("a.sqlite"), path("c.sqlite")]) == Self.nothing)
        let export = try quietly(["export", "--quiet", "--format", "csv"] + database)
        #expect(export.hasPrefix("0: ") && export.contains("ada") && export.hasSuffix("|"), "\(export)")
    }

    @Test func whatWentWrongIsPrinted() throws {
        let rejected = try importing("id,login\n1,adele\nx,bo\n", ["--quiet"])
        #expect(rejected.hasPrefix("2: team: 1 changed, 1 rejected in "), "\(rejected)")
        #expect(rejected.contains("|rejected line 3: expected \"id\" to be a positive 64-bit integer, found \"x\"\n"))
        let refused = try importing("id,login\n1,ada\n", ["--quiet", "--key", "Nope"])
        #expect(refused.hasPrefix("1: |rollcall: ") && refused.contains("\"Nope\""), "\(refused)")
        let database = ["--database", path("none.sqlite")]
        for command in [["backup", path("d.sqlite")], ["export"], ["pictures"]] {
            let output = try quietly(command + ["--quiet"] + database)
            #expect(output.hasPrefix("1: |rollcall: there is no database"), "\(output)")
        }
    }

    @Test func aRepeatedImportIsQuietToo() throws {
        try Data("id,login\n1,ada\n4,di\n".utf8).write(to: URL(filePath: path("team.csv")))
        let program = try Program(
            RollcallProcess.executable(),
            ["import", "file", path("team.csv"), "--every", "1h", "--quiet", "--database", path("a.sqlite")])
        let server = try RollcallProcess(["serve", "--database", path("a.sqlite")])
        // Noted at its very end. A signal before that would interrupt it, which it says.
        let added = #"rollcall_last_import_people{directory="team",change="added"} 1"#
        try program.wait(until: "the import has ended") { try get(server.url + "/metrics").text.contains(added) }
        #expect(
            program.stop(SIGTERM) == 0 && program.output + program.errors == "", "\(program.output)\(program.errors)")
    }
}
