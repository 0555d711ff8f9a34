import Foundation
import TestSupport
import Testing

@Suite("Invalid command lines", .onThreadsForPrograms)
final class WrongArgumentTests: Stage {
    override init() throws {
        try super.init()
        for (name, text) in [
            "people.csv": "login\nann\n", "empty": "", "text": "no database\n", "token": "t", "folder/x": "",
        ] { try write(name, text) }
    }

    /// Runs `rollcall` with the words of `line`, where `@/` stands for the folder.
    private func rollcall(line: String) throws -> Output {
        let words = line.split(separator: " ").map { String($0).replacing("@/", with: folder.path + "/") }
        return try run(binary(), words, environment: ["ROLLCALL_DATABASE": folder.path + "/people.sqlite"])
    }

    @Test(arguments: [
        ("import @/people.csv", "import file @/people.csv"), ("import people.csv", "import file people.csv"),
        ("import -", "import file -"), ("import @/folder", "import git @/folder"),
        ("import csv @/people.csv", "import file @/people.csv"),
        ("import excel people.xlsx", "import file people.xlsx"),
        ("import --directory team @/people.csv", "import file --directory team @/people.csv"),
        ("import --directory git @/people.csv", "import file --directory git @/people.csv"),
        ("import --directory team file people.csv", "import file --directory team people.csv"),
        ("import --private file people.csv", "import file --private people.csv"),
    ])
    func anImportWithoutASourceGetsASuggestion(_ line: String, _ command: String) throws {
        let output = try rollcall(line: line)
        #expect(output.status == 1 && output.output.isEmpty)
        let suggestion = "did you mean: rollcall \(command)?".replacing("@", with: folder.path)
        #expect(output.error.hasSuffix("\(suggestion)\n"), "\(output.error)")
        #expect(output.error.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("import file", "http://example.org/secret.csv", "expected an https URL, found an http URL"),
        ("import file", "https://me:secret@example.org/people.csv", "without a user or a password"),
        ("import file", "ftp://example.org/secret.csv", "a URL that begins with https:// or http:// is expected"),
        ("import", "https://example.org/secret.csv", "did you mean: rollcall import file URL?"),
    ])
    func aURLThatCannotBeReadIsNotRepeated(_ command: String, _ url: String, _ message: String) throws {
        let output = try run(binary(), command.split(separator: " ").map(String.init) + [url])
        #expect(output.status == 1 && output.error.contains(message), "\(output.error)")
        #expect(!output.error.contains("secret"), "\(output.error)")
    }

    /// The last option has no value that it may have, also beside others. No password is shown.
    @Test(arguments: [
        "serve --port=99999", "serve --port=-1", "serve --directory=Slug!", "serve --public-url=example.org",
        "serve --access-log=verbose", "demo --users=0", "serve --base-path=/a\"b", "serve --cache-size=-1",
        "serve --public-url=https://example.org/?a=1", "serve --public-url=https://example.org#a",
        "serve --public-url=https://me:pw@example.org", "serve --public-url=https://:pw@example.org",
        "serve --idle-timeout=-1", "serve --shared-max-age=86401", "serve --private --shared-max-age=5",
        "serve --allow-origin=example.org", "serve --allow-origin=https://me@example.org", "demo --metrics=sometimes",
        "demo --trusted-proxies=proxy.example", "import github --every=0s", "import github --every=soon",
        "import github --max-wait=-1s", "import github --timeout=0.1s", "import github --limit=-1",
        "import github --base-url=ftp://example.org", "import github --base-url=https://me:pw@example.org",
        "import github --base-url=https://example.org/?key=me:pw",
        "import github --base-url=https://example.org/#me:pw",
        "import github --token-file=@/token --base-url=http://github.example", "import github --token-file=/nowhere",
        "import github --progress=loud", "import github --limit=100 --prune",
        "import file @/people.csv --header-file=@/text", "import file @/people.csv --encoding=klingon",
        "import file @/people.csv --rows=a,b,c,d", "import file @/people.csv --map=name=a --map=name=b",
        "pictures --every=0s", "pictures --limit=-1", "pictures --rate=0", "pictures --rate=fast",
        "pictures --allow-network=10.0.0.0/99", "pictures --allow-network=intranet", "pictures --directory=Slug!",
        "pictures --proxy=socks5://me:pw@proxy", "pictures --public-url=people",
    ])
    func aWrongValueIsNamed(_ line: String) throws {
        let output = try rollcall(line: line)
        let option = try #require(line.split(separator: " ").last).prefix { $0 != "=" }
        #expect(output.status == 1 && output.error.contains(option) && !output.error.contains("pw"), "\(output)")
    }

    /// And nothing else: no summary, no usage, of another command least of all.
    @Test(arguments: [
        ("import file @/nowhere.json", "cannot open @/nowhere.json: No such file or directory"),
        ("import file @/folder", "cannot read @/folder: it is a folder"), ("import file @/empty", "@/empty is empty"),
        ("import file @/people.csv --database @/folder", "@/folder is a folder; the database is a file"),
        (
            "import file @/people.csv --database @/text",
            "@/text is not an SQLite database; expected one that rollcall made"
        ),
        ("import file @/people.csv --database @/none/db", "there is no folder @/none to make the database in"),
        ("import git @/nowhere", "cannot import @/nowhere: cannot change to '@/nowhere': No such file or directory"),
        ("import github --token-file @/none", "--token-file: cannot open @/none: No such file or directory"),
        ("import github --token-file @/folder", "--token-file: cannot read @/folder: it is not a file"),
        (
            "import stackexchange --key-file @/empty",
            "--key-file: expected one line of visible ASCII characters in @/empty, found something else"
        ),
        ("export --database @/none", "there is no database @/none"),
        ("directories --database @/none", "there is no database @/none"),
        ("forget ann --database @/folder", "@/folder is a folder; the database is a file"),
        ("backup @/copy --database @/none", "there is no database @/none"),
        ("serve --database @/none/db", "there is no folder @/none to make the database in"),
        ("serve --public @/text", "cannot read folder @/text: it is a file"),
    ])
    func anErrorIsOneLine(_ line: String, _ message: String) throws {
        let output = try rollcall(line: line)
        #expect(output.status == 1 && output.output.isEmpty)
        let lines = output.error.split(separator: "\n").filter { !$0.contains(" warning ") }.map(String.init)
        let expected = "rollcall: " + message.replacing("@", with: folder.path)
        #expect(lines == [expected], "\(output.error)")
    }

    @Test(arguments: [
        ("import file @/people.csv --frmat csv", "rollcall: Unknown option '--frmat'. Did you mean '--format'?"),
        ("import file @/people.csv --every soon", "rollcall: The value 'soon' is invalid for '--every <duration>'"),
        ("import file @/people.csv --map login", "rollcall: --map: expected KEY=TEXT, found \"login\""),
        ("directories settings team --icon title", "rollcall: --icon: expected KEY=TEXT, found \"title\""),
        ("import file", "rollcall: Missing expected argument '<path>'"),
        (
            "directories rename a B",
            "rollcall: The value 'B' is invalid for '<new>': expected 1 to 64 of a–z, 0–9, - and _, starting with a letter or digit"
        ),
        (
            "serve --port 70000",
            "rollcall: The value '70000' is invalid for '--port <port>': expected a whole number from 0 to 65,535"
        ),
        ("import nonsense", "rollcall: Unexpected argument 'nonsense'"),
    ])
    func anOptionErrorComesFirst(_ line: String, _ message: String) throws {
        let output = try rollcall(line: line)
        #expect(output.status == 1 && output.output.isEmpty)
        #expect(output.error.hasPrefix(message + "\n"), "\(output.error)")
        #expect(output.error.contains("--help'") && !output.error.contains("Usage"), "\(output.error)")
    }

    /// Programs still get a summary, even when nothing was done.
    @Test func programsGetErrorsAsJSON() throws {
        let output = try rollcall(line: "import file @/nowhere.json --progress json")
        #expect(output.status == 1)
        #expect(
            output.output.contains(#""end":"failed""#) && output.error.hasPrefix(#"{"error":"rollcall: cannot open"#))
    }
}
