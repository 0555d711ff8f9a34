import Foundation
import TestSupport
import Testing

@Suite("The program", .onThreadsForPrograms)
final class ProgramTests: TestFolder {
    private func rollcall(_ arguments: String...) throws -> Output { try run(binary(), arguments) }

    @Test func itPrintsItsVersionAndCommands() throws {
        #expect(try rollcall("--version").output.hasPrefix("rollcall "))
        try rollcall("--help").expect(output: "serve", "demo", "import")
    }

    @Test func aPasswordThatIsNotUnderstoodIsNotShown() throws {
        let output = try run(
            binary(), ["serve", "--port", "0"], environment: ["ROLLCALL_DATABASE": "postgres://me:hun/ter2@host/people"]
        ).expect(1, error: "write %2F and %40")
        #expect(!output.error.contains("hun") && !output.error.contains("ter2"), "\(output.error)")
    }

    @Test func helpDoesNotShowThePasswordOfTheEnvironment() throws {
        let output = try run(
            binary(), ["serve", "--help"], environment: ["ROLLCALL_DATABASE": "postgres://me:hunter2@host/people"]
        ).expect(output: "postgres://me@host")
        #expect(!output.output.contains("hunter2"))
    }

    @Test func aNewDatabaseSaysHowToFillIt() throws {
        let database = path("people.sqlite")
        let server = try RollcallProcess(["serve", "--database", database])
        let command = "fill it with: rollcall import file people.xlsx --database \(database)\n"
        #expect(server.errors.contains(command), "\(server.errors)")
    }

    @Test func aBrokenTemplateStopsTheStartAndSaysWhere() throws {
        try write("page.mustache", "<p>\n  {{#users}}\n")
        try rollcall("demo", "--users", "1", "--port", "0", "--templates", folder.path).expect(
            1, error: "page.mustache:2:3")
    }

    /// A second signal ends the program before it can remove its database.
    @Test func aDemoRemovesTheDatabaseOfOneThatWasKilled() throws {
        // Folders that the user named.
        let others = ["rollcall-demo-2026-backup", "rollcall-demo-99999999-abcdef"]
        for other in others { try write(other + "/people.csv", "people") }
        let running = try RollcallProcess(["demo", "--users", "1"], environment: ["TMPDIR": folder.path])
        for signal in [SIGKILL, SIGTERM] {
            let demo = try RollcallProcess(["demo", "--users", "1"], environment: ["TMPDIR": folder.path])
            #expect(try files.count == others.count + 2)
            demo.program.stop(signal)
        }
        #expect(try files.count == others.count + 1)
        #expect(running.stop() == 0)
        #expect(try files == others)
    }

    @Test func environmentVariablesAreOptions() throws {
        let program = try RollcallProcess(
            ["demo"], environment: ["ROLLCALL_USERS": "12", "ROLLCALL_BASE_PATH": "/people"])
        #expect(try get(program.url + "/people/").fields["x-total-count"] == "12")
    }

    @Test func aMisspelledVariableIsSaid() throws {
        let said = try run(
            binary(), ["list", "--database", "none.sqlite"],
            environment: ["ROLLCALL_DIRCTORY": "team", "ROLLCALL_PUBLIC_URL": "https://x.example"])
        let note = "ROLLCALL_DIRCTORY is no variable of rollcall and is ignored; did you mean ROLLCALL_DIRECTORY?"
        #expect(said.error.hasPrefix(note + "\nrollcall: there is no database"), "\(said.error)")
    }

    @Test func accessLogsHaveOneLinePerRequest() throws {
        let program = try RollcallProcess(["demo", "--users", "10", "--access-log", "common"])
        #expect(try get(program.url + "/fragment?since=3").status == 200)
        #expect(program.stop(SIGTERM) == 0)
        let lines = program.output.split(separator: "\n").dropFirst()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("/fragment?since=3") == true)
    }
}
