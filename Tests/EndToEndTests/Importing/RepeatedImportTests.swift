import Foundation
import StandIn
import TestSupport
import Testing

@Suite("Repeated imports and progress", .onThreadsForPrograms)
final class RepeatedImportTests: Stage {
    let world = GitHubWorld(accounts: 250)
    let github: StandIn

    override init() throws {
        github = try StandIn(world)
        try super.init()
    }

    @Test func itContinuesUntilASignalEndsIt() throws {
        let program = try startImport(from: "github", at: github.url, ["--every", "1s"])
        try program.wait(until: "it has sent nine requests") { github.count >= 9 }
        try program.wait(until: "it has imported three times") {
            program.errors.components(separatedBy: "next import at").count > 3
        }
        #expect(program.stop(SIGTERM) == 0, "\(program.errors)")
        let lines = program.output.split(separator: "\n")
        #expect(lines[0].contains("250 added") && lines[1].contains("250 unchanged"), "\(lines)")
        #expect(github.log.filter { $0.target.contains("since=0") }.count >= 3)
    }

    /// However often the service's quota runs out, the import reaches the end of the source.
    @Test(arguments: ["--prune", "--restart"])
    func itContinuesAcrossQuotas(_ option: String) throws {
        #expect(try runImport(from: "github", at: github.url).status == 0)
        github.clearLog()
        let limited = Canned(429).with("Retry-After", "1")
        github.next(nil, limited, nil, limited, nil)
        let program = try startImport(from: "github", at: github.url, ["--every", "12h", "--max-wait", "0s", option])
        try program.wait(until: "it has sent five requests") { github.count >= 5 }
        try program.wait(until: "it reports the end") { program.output.contains("in all") }
        #expect(program.stop(SIGTERM) == 0)
        #expect(Set(github.targets).count == 3 && github.count == 5, "\(github.targets)")
        // It waits after each quota.
        #expect(program.errors.components(separatedBy: "next import at").count >= 3, "\(program.errors)")
    }

    @Test func itSurvivesAFailureButNotAnInvalidToken() throws {
        github.next(Canned(500), Canned(500), Canned(500), Canned(500))
        let program = try startImport(from: "github", at: github.url, ["--every", "1s"])
        try program.wait(until: "it has added all users") { program.output.contains("250 added") }
        world.change { $0.token = "another" }
        program.result().expect(1, error: "tried 4 times", "Bad credentials")
    }

    @Test func filesCanBeReadAgain() throws {
        let file = try write("people.csv", "id,login\n1,ada\n")
        let program = try start("import", "file", file, "--every", "1s")
        try program.wait(until: "it finds the user unchanged") { program.output.contains("1 unchanged") }
        #expect(program.stop(SIGINT) == 0)
    }

    /// A time of day that is corrected by a day does not delay the next import.
    @Test func aChangedTimeOfDayDoesNotAffectTheInterval() throws {
        let clock = try write("clock", "+0")
        let file = try write("people.csv", "id,login\n1,ada\n")
        let process = path("process")
        // faketime reads the file at every look at the clock, unless FAKETIME is set. It does not pass on signals.
        let program = try Program(
            Program.find("faketime"),
            [
                "-m", "-f", "+0", "env", "-u", "FAKETIME", "FAKETIME_TIMESTAMP_FILE=\(clock)", "FAKETIME_NO_CACHE=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1", "sh", "-c", "echo $$ >\"$0\"; exec \"$@\"", process, binary(),
                "import", "file", file, "--every", "3s", "--directory", "team", "--database", database,
            ])
        try program.wait(until: "it waits for the next import") { program.errors.contains("next import at") }
        try write("clock", "-1d")
        try program.wait(until: "it imports again") { program.output.contains("1 unchanged") }
        #expect(program.isRunning)
        let text = try String(contentsOfFile: process, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let rollcall = try #require(pid_t(text))
        #expect(kill(rollcall, SIGTERM) == 0)
        program.wait()
    }

    @Test func progressIsReportedAsLinesOfJSON() throws {
        github.next(nil, Canned(503).with("Retry-After", "1"))
        let output = try runImport(from: "github", at: github.url, "--progress", "json")
        let lines = try (output.error + output.output).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let summary = try #require(lines.last?["summary"] as? [String: Any])
        #expect(summary["added"] as? Int == 250 && summary["requests"] as? Int == 4)
        #expect(summary["end"] as? String == "complete" && summary["directory"] as? String == "github")
        let progress = lines.compactMap { $0["progress"] as? [String: Any] }
        let waiting = try #require(progress.first { $0["waiting"] != nil })
        #expect(waiting["users"] as? Int == 100 && waiting["requestsLeft"] as? Int == 4999)
        #expect(lines.contains { ($0["note"] as? String)?.contains("budget: ") == true })
    }

    @Test func aTerminalShowsAProgressBarAndTheReasonForWaiting() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 400))
        service.next(nil, nil, nil, nil, nil, Canned(503).with("Retry-After", "2"))
        let words = try [
            binary(), "import", "rickandmorty", "--base-url", service.url + "/api", "--database", database,
        ]
        // script(1) runs the program in a terminal.
        try run("script", ["-qefc", words.joined(separator: " "), "/dev/null"]).expect(
            output: "[######------------------] 25% 100 users", "5 pages, 6 requests, waiting until 20",
            "\r\u{1B}[K", "400 added")
    }
}
