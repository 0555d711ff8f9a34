import Base
import Foundation
import Testing

@Suite("ChildProcess")
struct ChildProcessTests {
    /// Returns what a shell prints that runs `script`, and its status.
    private func run(_ script: String, _ environment: [String: String] = [:]) throws -> (String, Int32) {
        let output = Pipe()
        let process = try ChildProcess(
            "sh", ["-c", script], environment: environment,
            output: output.fileHandleForWriting.fileDescriptor)
        try output.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return (text, process.wait())
    }

    @Test func itReturnsTheStatusOrTheSignal() throws {
        #expect(try run("exit 3").1 == 3)
        #expect(try run("kill -TERM $$").1 == 128 + SIGTERM)
    }

    @Test func itGetsTheEnvironmentAndNothingElse() throws {
        #expect(try run("echo $HOME $COLOUR", ["COLOUR": "red"]).0 == "red\n")
    }

    @Test func inputEndsAtOnceIfThereIsNone() throws { #expect(try run("cat; echo end").0 == "end\n") }

    @Test func noOtherFileIsOpenInIt() throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        // The shell itself opens the folder while it lists it.
        #expect(try run("for file in /proc/self/fd/*; do echo ${file##*/}; done").0.split(separator: "\n").count <= 4)
    }

    @Test func aProgramThatIsNotInstalledIsNamed() {
        #expect(throws: RollcallError("no-such-program: it is not installed")) {
            try ChildProcess("no-such-program", [], environment: [:])
        }
    }
}
