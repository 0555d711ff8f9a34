import Foundation
import TestSupport
import Testing

/// Standard output and standard error may be closed, on a full disk, or a pipe whose reader has gone.
@Suite("Unwritable standard streams", .onThreadsForPrograms)
final class StandardStreamTests: Stage {
    /// Runs `rollcall` from a shell with these redirections.
    private func shell(_ redirection: String, _ arguments: [String], input: String = "") throws -> Output {
        try run("sh", ["-c", "\"$0\" \"$@\" \(redirection)", binary()] + arguments, input: Data(input.utf8))
    }

    @Test(arguments: ["2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>&1"])
    func importsAndForgettingContinue(_ redirection: String) throws {
        let people = "id,login\n1,ada\n2,bob\nthree,cy\n"
        let importing = ["import", "file", "-", "--directory", "team", "--database", database]
        #expect(try shell(redirection, importing, input: people).status == 2)
        #expect(try shell(redirection, ["forget", "bob", "nobody", "--database", database]).status == 1)
        #expect(try shell(redirection, ["import", "--nonsense"]).status == 1)
        let all = try rollcall("export", "--format", "csv", "--layout", "rollcall").expect(output: "\r\n1,ada,")
        #expect(!all.output.contains("bob"))
    }

    @Test func anImportOutlivesTheReaderOfItsMessages() throws {
        let people = try write("people.csv", "id,login\n" + (1...90).map { "\($0),u\($0)\nx,\($0)\n" }.joined())
        // A pipe that is opened for reading, so that the import can begin, and closed at once.
        let script = "mkfifo pipe && { \"$0\" \"$@\" 2>pipe & } && : <pipe && wait $!"
        let arguments = ["import", "file", people, "--directory", "team", "--database", database]
        try run("sh", ["-c", "cd \(folder.path) && \(script)", binary()] + arguments).expect(2, output: "90 added")
    }

    @Test func anExportReportsThatItCouldNotBeWritten() throws {
        try load("id,login\n1,ada\n")
        for redirection in [">&-", ">/dev/full"] {
            try shell(redirection, ["export", "--database", database]).expect(
                1, error: "cannot write to standard output")
        }
    }

    @Test(arguments: [">&- 2>&-", ">/dev/full 2>&1"])
    func aServerServes(_ redirection: String) throws {
        let socket = "/tmp/rollcall-\(UUID().uuidString.prefix(8)).sock"
        let program = try Program(
            Program.find("sh"),
            ["-c", "exec \"$0\" serve --database \(database) --unix-socket \(socket) \(redirection)", binary()])
        try eventually("it serves") { (try? curl("--unix-socket", socket, "http://localhost/healthz").text) == "ok\n" }
        #expect(program.stop() == 0)
    }
}
