import Foundation
import TestSupport
import Testing

@Suite("The program", .onThreadsForPrograms)
struct ProgramTests {
    private func rollcall(_ arguments: String...) throws -> Output { try run(binary(), arguments) }

    @Test func itPrintsItsVersionAndCommands() throws {
        #expect(try rollcall("--version").output.hasPrefix("rollcall "))
        let help = try rollcall("--help").output
        for command in ["serve", "demo", "import"] { #expect(help.contains(command)) }
    }

    @Test(arguments: [
        ("serve", "DATA --database ADDRESS --port --public-url PAGES --directory LIMITS --idle-timeout"),
        ("import file", "ARGUMENTS FILE --format DIRECTORY --directory --database IMPORT --dry-run --batch-size"),
        ("import github", "GITHUB --token-file DIRECTORY --directory IMPORT REQUESTS --timeout"),
    ])
    func helpListsTheMostUsedOptionsFirst(_ command: String, _ order: String) throws {
        let help = try run(binary(), command.split(separator: " ").map(String.init) + ["--help"]).output
        let expected = order.split(separator: " ").map(String.init)
        // Headings and options, without the usage and the text before them.
        let words = help.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^([A-Z ]+):$|^  (--[a-z-]+)/).map { String($0.1 ?? $0.2 ?? "") }
        }
        let places = expected.compactMap(words.firstIndex)
        #expect(places.count == expected.count && places == places.sorted(), "\(words)")
    }

    private static let commandsWithDatabase = [
        ["serve"], ["import", "github"], ["export"], ["directories"], ["backup", "copy.sqlite"], ["pictures"],
    ]

    @Test(arguments: commandsWithDatabase)
    func aPasswordOrTheURLOfAnotherKindOfDatabaseIsRejected(_ command: [String]) throws {
        for (url, advice) in [
            ("mysql://me:hunter2@host/people", "postgres://host/people"),
            ("postgres://me:hunter2@host/people", "PGPASSFILE"),
        ] {
            let output = try run(binary(), command + ["--database", url])
            #expect(output.status == 1 && output.error.contains(advice), "\(output.error)")
            #expect(!output.error.contains("hunter2") && !output.error.contains("new and empty"), "\(output.error)")
        }
    }

    /// libpq would read a part of it as the name of a host or a database.
    @Test(arguments: ["postgres://me:hun/ter2@host/people", "postgres://me:hun@ter2@host/people"])
    func aPasswordThatIsNotEscapedIsNotShown(_ url: String) throws {
        for output in try [
            run(binary(), ["serve", "--port", "0", "--database", url]),
            run(binary(), ["serve", "--port", "0"], environment: ["ROLLCALL_DATABASE": url]),
        ] {
            #expect(output.status == 1 && output.error.contains("write %2F and %40"), "\(output.error)")
            #expect(!output.error.contains("hun") && !output.error.contains("ter2"), "\(output.error)")
        }
    }

    @Test func helpDoesNotShowThePasswordOfTheEnvironment() throws {
        let output = try run(
            binary(), ["serve", "--help"], environment: ["ROLLCALL_DATABASE": "postgres://me:hunter2@host/people"])
        #expect(output.status == 0 && output.output.contains("postgres://me@host"), "\(output.output)")
        #expect(!output.output.contains("hunter2"))
    }

    @Test func aDatabaseOnAServerIsNotBackedUpToAFile() throws {
        let output = try rollcall("backup", "copy.sqlite", "--database", "postgres://host/people")
        #expect(output.status == 1 && output.error.contains("pg_dump"), "\(output.error)")
    }

    @Test func aTakenPortGetsAdvice() throws {
        let server = try RollcallProcess(["demo", "--users", "1"])
        let output = try rollcall("demo", "--users", "1", "--port", "\(server.port)")
        #expect(output.status == 1, "\(output)")
        #expect(output.error.hasSuffix("the port is in use; --port chooses another one, 0 any free one\n"), "\(output)")
    }

    @Test func aNewDatabaseSaysHowToFillIt() throws {
        let folder = FileManager.default.temporaryDirectory
        let database = folder.appending(path: "rollcall-\(UUID().uuidString).sqlite").path
        let server = try RollcallProcess(["serve", "--database", database])
        let command = "fill it with: rollcall import file people.xlsx --database \(database)\n"
        #expect(server.errors.contains(command), "\(server.errors)")
    }

    @Test func aBrokenTemplateStopsTheStartAndSaysWhere() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("<p>\n  {{#users}}\n".utf8).write(to: folder.appending(path: "page.mustache"))
        let output = try rollcall("demo", "--users", "1", "--port", "0", "--templates", folder.path)
        #expect(output.status == 1)
        #expect(output.error.contains("page.mustache:2:3"), "\(output.error)")
    }

    /// A second signal ends the program before it can remove its database.
    @Test func aDemoRemovesTheDatabaseOfOneThatWasKilled() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-left-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        // Folders that the user named.
        let others = ["rollcall-demo-2026-backup", "rollcall-demo-99999999-abcdef"]
        for other in others {
            let path = folder.appending(path: other)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try Data("people".utf8).write(to: path.appending(path: "people.csv"))
        }
        let running = try RollcallProcess(["demo", "--users", "1"], environment: ["TMPDIR": folder.path])
        for signal in [SIGKILL, SIGTERM] {
            let demo = try RollcallProcess(["demo", "--users", "1"], environment: ["TMPDIR": folder.path])
            #expect(try left().count == others.count + 2)
            demo.program.stop(signal)
        }
        #expect(try left().count == others.count + 1)
        #expect(running.stop() == 0)
        #expect(try left() == others)
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
