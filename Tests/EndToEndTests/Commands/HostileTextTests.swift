import Foundation
import TestSupport
import Testing

/// Headings, names and the names of files are other people's texts.
@Suite("Hostile texts on the terminal", .onThreadsForPrograms)
final class HostileTextTests: Stage {
    @Test func noCommandPrintsWhatActsOnTheTerminal() throws {
        let acting = "\u{1B}[31m\u{7}\u{9B}31m\u{202E}"
        let table = "Login,Name,Dept\(acting),$(touch x),--keep\na,Ann\(acting),D\(acting),x,y\nb,Bo,E,x,y\n"
        let importing = ["import", "file", try write("esc\u{1B}[31m.csv", table), "--directory", "team"]
        var outputs: [Output] = []
        for arguments in [
            importing + ["--dry-run"], importing + ["--dry-run", "--progress", "json"], importing,
            importing + ["--key", "Nope"], importing + ["--only", "Login,Name"], ["--\(acting)"],
            ["directories", "settings", "team"], ["show", "a"], ["show", "a", "--format", "json"], ["directories"],
        ] {
            let output = try rollcall(arguments)
            outputs.append(output)
            for character in ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"] {
                #expect(!(output.output + output.error).contains(character), "\(arguments): \(output)")
            }
        }
        #expect(outputs[0].output.contains(#"esc\u{1b}[31m.csv: UTF-8, commas"#), "\(outputs[0])")
        // JSON still says what the headings are.
        let settings = try JSONDecoder().decode(Settings.self, from: Data(outputs[6].output.utf8))
        #expect(settings.inferred.columns[2] == "Dept\(acting)")
    }

    private struct Settings: Decodable {
        struct Inferred: Decodable {
            var columns: [String]
        }

        var inferred: Inferred
    }
}
