import TestSupport
import Testing

/// How the program says what is wrong. `OptionTests` has what it refuses.
@Suite("Invalid command lines", .onThreadsForPrograms)
final class WrongArgumentTests: Stage {
    /// Runs `rollcall` with the words of `line`, where `@/` stands for the folder.
    private func rollcall(line: String) throws -> Output {
        try write("people.csv", "login\nann\n")
        try write("folder/x", "")
        let words = line.split(separator: " ").map { String($0).replacing("@/", with: folder.path + "/") }
        return try run(binary(), words, environment: ["ROLLCALL_DATABASE": database])
    }

    /// And nothing else: no summary, no usage, of another command least of all.
    @Test(arguments: [
        ("import people.csv", "\"people.csv\" is not a source; did you mean: rollcall import file people.csv?"),
        ("import file @/nowhere.json", "cannot open @/nowhere.json: No such file or directory"),
        ("import git @/nowhere", "cannot import @/nowhere: cannot change to '@/nowhere': No such file or directory"),
        ("serve --public @/people.csv", "cannot read folder @/people.csv: it is a file"),
    ])
    func anErrorIsOneLine(_ line: String, _ message: String) throws {
        let output = try rollcall(line: line)
        #expect(output.status == 1 && output.output.isEmpty)
        let lines = output.error.split(separator: "\n").filter { !$0.contains(" warning ") }.map(String.init)
        #expect(lines == ["rollcall: " + message.replacing("@", with: folder.path)], "\(output.error)")
    }

    @Test func anOptionErrorComesFirstAndWithoutTheUsage() throws {
        let output = try rollcall(line: "import file @/people.csv --frmat csv")
        #expect(output.status == 1 && output.output.isEmpty)
        #expect(output.error.hasPrefix("rollcall: Unknown option '--frmat'. Did you mean '--format'?\n"))
        #expect(output.error.contains("--help'") && !output.error.contains("Usage"), "\(output.error)")
    }

    /// Programs still get a summary, even when nothing was done.
    @Test func programsGetErrorsAsJSON() throws {
        let output = try rollcall(line: "import file @/nowhere.json --progress json").expect(1)
        #expect(
            output.output.contains(#""end":"failed""#) && output.error.hasPrefix(#"{"error":"rollcall: cannot open"#))
    }
}
