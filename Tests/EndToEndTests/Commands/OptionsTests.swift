import Foundation
import TestSupport
import Testing

@Suite("The documentation of options", .onThreadsForPrograms)
struct OptionsTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: RollcallProcess.packageFolder.appending(path: path), encoding: .utf8)
    }

    @Test func optionsAreDocumentedAsTheProgramDescribesThem() throws {
        let script = RollcallProcess.packageFolder.appending(path: "Tests/options").path
        let program = try binary()
        let output = try run(script, [program], environment: ["ROLLCALL_PORT": "1", "ROLLCALL_DATABASE": "other"])
        #expect(output.status == 0, "\(output.error)")
        let (found, expected) = (try text("Documentation/Options.md"), output.output)
        let line = zip(found.split(separator: "\n"), expected.split(separator: "\n")).first { $0 != $1 }
        #expect(
            found == expected,
            """
            Documentation/Options.md differs from the program's help, first in "\(line?.0 ?? "its length")". Regenerate \
            it: Tests/options \(program) > Documentation/Options.md
            """)
    }

    @Test func theReadmeHasAtMostSixKibibytes() throws { #expect(try text("README.md").utf8.count <= 6144) }

    /// ArgumentParser checks this at each start of a debug build, but not here: see `Tests/compiler`.
    @Test func noCommandDeclaresAnOptionTwice() throws {
        struct Tool: Decodable { let command: Command }
        struct Command: Decodable {
            let commandName: String
            let arguments: [Argument]?
            let subcommands: [Command]?
        }
        struct Argument: Decodable {
            struct Name: Decodable, Hashable { let kind, name: String }
            let kind: String
            let names: [Name]?
            let isRepeating: Bool
        }
        func check(_ command: Command) {
            let arguments = command.arguments ?? [], names = arguments.flatMap { $0.names ?? [] }
            #expect(Set(names).count == names.count, "\(command.commandName): \(names)")
            let places = arguments.filter { $0.kind == "positional" }
            #expect(!places.dropLast().contains { $0.isRepeating }, "\(command.commandName) has an argument after all")
            for command in command.subcommands ?? [] { check(command) }
        }
        let description = try run(binary(), ["--experimental-dump-help"]).output
        let root = try JSONDecoder().decode(Tool.self, from: Data(description.utf8)).command
        #expect((root.subcommands?.count ?? 0) > 10)
        check(root)
    }
}
