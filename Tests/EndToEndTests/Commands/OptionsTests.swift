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
}
