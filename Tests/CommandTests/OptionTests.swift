import ArgumentParser
import Foundation
import Importers
import People
import Server
import Site
import TestSupport
import Testing

@testable import rollcall

/// What options mean, and which the program refuses, before anything is opened or asked.
@Suite("Options")
final class OptionTests: TestFolder {
    override init() throws {
        try super.init()
        for (name, text) in ["people.csv": "login\nann\n", "empty": "", "text": "no database\n", "token": "t"] {
            try write(name, text)
        }
        try write("folder/x", "")
    }

    /// The words of a line, in which `@/` stands for the folder.
    private func words(_ line: String) -> [String] {
        line.split(separator: " ").map { String($0).replacing("@/", with: folder.path + "/") }
    }

    /// What the program says of the arguments if it refuses them.
    private func refusal(_ line: String) -> String {
        do {
            _ = try Rollcall.parseAsRoot(words(line))
            return ""
        } catch { return Environment.suggesting(Rollcall.fullMessage(for: error), for: words(line)) }
    }

    /// The message of the error that `body` throws.
    private func message(_ body: () throws -> Void) -> String {
        do { try body() } catch { return Rollcall.message(for: error) }
        return ""
    }

    // MARK: - Wrong ones

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
        "import github --base-url=https://example.org/#me:pw", "import github --progress=loud",
        "import file @/people.csv --header-file=@/text", "import file @/people.csv --encoding=klingon",
        "import file @/people.csv --rows=a,b,c,d", "import file @/people.csv --map=name=a --map=name=b",
        "backup copy --keep=0", "pictures --every=0s", "pictures --limit=-1", "pictures --rate=0",
        "pictures --rate=fast",
        "pictures --allow-network=10.0.0.0/99", "pictures --allow-network=intranet", "pictures --directory=Slug!",
        "pictures --proxy=socks5://me:pw@proxy", "pictures --public-url=people", "export --format=xml",
    ])
    func aWrongValueIsNamed(_ line: String) throws {
        let option = try #require(line.split(separator: " ").last).prefix { $0 != "=" }, refusal = refusal(line)
        #expect(refusal.contains(option) && !refusal.contains("pw"), "\(refusal)")
    }

    @Test(arguments: [
        ("import file @/people.csv --frmat csv", "Unknown option '--frmat'. Did you mean '--format'?"),
        ("import file @/people.csv --dir x", "Unknown option '--dir'. Did you mean '--directory'?"),
        ("import file @/people.csv --every soon", "The value 'soon' is invalid for '--every <duration>'"),
        ("import file @/people.csv --map login", "--map: expected KEY=TEXT, found \"login\""),
        ("import file - --every 1h", "--every: standard input can be read only once; expected a file"),
        ("directories settings team --icon title", "--icon: expected KEY=TEXT, found \"title\""),
        ("directories settings team --replace", "--replace: expected a file"),
        ("import file", "Missing expected argument '<path>'"),
        (
            "directories rename a B",
            "The value 'B' is invalid for '<new>': expected 1 to 64 of a–z, 0–9, - and _, starting with a letter or digit"
        ),
        (
            "serve --port 70000",
            "The value '70000' is invalid for '--port <port>': expected a whole number from 0 to 65,535"
        ),
        ("import nonsense", "Unexpected argument 'nonsense'"),
        ("serve --directories Team", "--directories: expected slugs separated by commas, as in team,board, found"),
        ("serve --directories team,team", "--directories: expected each directory once"),
        ("serve --directories team --directory guests", "--directory: expected one of --directories (team)"),
        ("serve --private --allow-origin https://a.example", "--allow-origin: --private allows no other origin"),
        ("serve --private --frame-ancestors self", "--frame-ancestors: --private allows no frame"),
        ("directories describe crew --accent red", "--accent: expected a colour"),
        ("directories describe crew --link Imprint", "--link: expected LABEL=URL"),
        ("directories describe crew --link Imprint=", "--link: expected LABEL=URL, found \"Imprint=\""),
        (
            "directories describe crew --link A=javascript:alert(1)",
            "--link: expected an http, https or mailto URL"
        ),
        ("directories describe crew --licence-url javascript:x", "--licence-url: expected an http or https URL"),
        ("directories describe crew --pictures some", "--pictures: expected one of"),
        ("directories describe crew --title a\u{1B}[31mb", "--title: expected a line of text"),
        ("directories describe crew --description a\nb", "--description: expected a line of text"),
        ("export --format json --proof", "--proof: expected ndjson or csv"),
        ("export team.ods", "team.ods: expected .xlsx, .csv, .json or .ndjson, or --format"),
        ("check 127.0.0.1:8080/", "expected"), ("check ftp://a.example/", "begins with https:// or http://"),
        ("check 127.0.0.1:9", "did you mean: rollcall check http://127.0.0.1:9"),
        ("templates copy nope --to a", "no template nope; rollcall templates lists all"),
        ("templates copy foot --to a", "foot (did you mean \"_foot\"?); rollcall templates lists all"),
        ("wall -o a.png", "a.png: expected a name that ends in .svg"),
        ("wall --max 501", "--max: expected 1 to 500 people in an image, found 501"),
        ("forget ada --directory No!", "invalid for '--directory <slug>': expected 1 to 64"), ("forget", "expected"),
    ])
    func anOptionErrorComesFirst(_ line: String, _ message: String) {
        let refusal = refusal(line)
        #expect(refusal.hasPrefix("rollcall: ") && refusal.contains(message), "\(refusal)")
        #expect(refusal.contains("--help'"), "\(refusal)")
    }

    @Test func aTitleHasAnEnd() {
        let words = ["directories", "describe", "crew", "--title", String(repeating: "x", count: 1001)]
        #expect(message { _ = try Rollcall.parseAsRoot(words) }.contains("at most 1,000 characters"))
    }

    /// What only a run finds, before it opens the database.
    @Test(arguments: [
        ("import github --token-file @/none", "--token-file: cannot open @/none: No such file or directory"),
        ("import github --token-file @/folder", "--token-file: cannot read @/folder: it is not a file"),
        (
            "import stackexchange --key-file @/empty",
            "--key-file: expected one line of visible ASCII characters in @/empty, found something else"
        ),
        ("import github --token-file @/token --base-url http://github.example", "--base-url: expected an https URL"),
        ("import github --limit 100 --prune", "--prune needs a whole import, but --limit ends it early"),
        ("import file http://example.org/secret.csv", "expected an https URL, found an http URL"),
        ("import file https://me:secret@example.org/people.csv", "without a user or a password"),
        ("import file ftp://example.org/secret.csv", "a URL that begins with https:// or http:// is expected"),
        ("export --database @/none", "there is no database @/none"),
        ("directories --database @/none", "there is no database @/none"),
        ("show ann --database @/none", "there is no database @/none"),
        ("forget ann --database @/none", "there is no database @/none"),
        ("forget ann --database @/folder", "@/folder is a folder; the database is a file"),
        ("import file @/people.csv --database @/folder", "@/folder is a folder; the database is a file"),
        ("export --database @/text", "@/text is not an SQLite database; expected one that rollcall made"),
        ("serve --database @/none/db", "there is no folder @/none to make the database in"),
        ("backup @/copy --database @/none", "there is no database @/none"),
        ("backup @/folder", "@/folder is a folder; with --keep and a number"),
        ("backup @/none --keep 2", "--keep: there is no folder @/none"),
        ("backup @/text --keep 2", "--keep: expected a folder, found the file @/text"),
    ])
    func aRunThatCannotSucceedSaysWhy(_ line: String, _ expected: String) throws {
        var command = try Rollcall.parseAsRoot(words(line))
        let found = message { try command.run() }
        #expect(found.contains(expected.replacing("@", with: folder.path)), "\(found)")
        #expect(!found.contains("secret"))
    }

    /// Editors of Windows write a byte order mark.
    @Test func aFileOfHeaderFieldsIsTextInUTF8() throws {
        func refusal(_ bytes: [UInt8]) throws -> String {
            let file = try write("fields", bytes)
            let command = try ImportFile.parse(["https://a.example/people.csv", "--header-file", file])
            return message { _ = try command.layout.remoteFile(command.path) }
        }
        #expect(try refusal(Array("\u{FEFF}X-Key: a\r\n".utf8)) == "")
        #expect(try refusal([0x58, 0x3A, 0xFF]).contains("--header-file: expected text in UTF-8 in "))
    }

    // MARK: - Other words

    @Test(arguments: [
        ("import @/people.csv", "import file @/people.csv"), ("import people.csv", "import file people.csv"),
        ("import -", "import file -"), ("import @/folder", "import git @/folder"),
        ("import csv @/people.csv", "import file @/people.csv"),
        ("import excel people.xlsx", "import file people.xlsx"),
        ("import --directory team @/people.csv", "import file --directory team @/people.csv"),
        ("import --directory git @/people.csv", "import file --directory git @/people.csv"),
        ("import --directory team file people.csv", "import file --directory team people.csv"),
        ("import --private file people.csv", "import file --private people.csv"),
        ("import https://example.org/secret.csv", "import file URL"),
    ])
    func anImportWithoutASourceGetsASuggestion(_ line: String, _ command: String) {
        let found = message { try CommandHints.checkImport(words(line)) }
        #expect(found.hasSuffix("did you mean: rollcall \(command.replacing("@", with: folder.path))?"), "\(found)")
        #expect(!found.contains("secret"))
    }

    @Test(arguments: [
        ("templates show page", "did you mean: rollcall templates copy page"),
        ("pictures show", "expected one of fetch, import, remove"),
        ("check 127.0.0.1:9", "did you mean: rollcall check http://127.0.0.1:9"),
        ("ls", "\"ls\" is not a command; did you mean: rollcall directories"),
        ("rename a b", "\"rename\" is not a command; did you mean: rollcall directories rename a b"),
        ("find ann", "did you mean: rollcall serve, then http://127.0.0.1:8080/?q=ann"),
        ("version", "did you mean: rollcall --version"), ("start", "did you mean: rollcall serve"),
        (
            "serve @/people.csv",
            "did you mean: rollcall @/people.csv to look, rollcall import file @/people.csv to publish"
        ),
        ("peeple.csv", "there is no file peeple.csv"),
        ("remove Anna Becker", "did you mean: rollcall forget 'Anna Becker' (a person)"),
        (
            "remove Anna Becker --directory team",
            "did you mean: rollcall forget 'Anna Becker' --directory team (a person)"
        ),
        ("directories show team", "did you mean: rollcall directories describe"),
        ("import file @/people.csv --dir x", "Did you mean '--directory'?"),
        ("serv", "\"serv\" is neither a command nor a file; did you mean: rollcall serve"),
        ("@/people.csv --database x", "--database belongs to a directory that is kept"),
        ("@/folder", "@/folder has no table"),
    ])
    func naturalWordsGetHints(_ line: String, _ hint: String) {
        let output = said { Rollcall.status(of: words(line)) }
        let hint = hint.replacing("@/", with: folder.path + "/")
        #expect(output.status == 1 && output.output.isEmpty && output.error.contains(hint), "\(output)")
    }

    // MARK: - Meanings

    @Test(arguments: [
        ("people.jsonl", "ndjson"), ("people", "ndjson"), (".people", "ndjson"), ("again.CSV", "csv"),
        ("a/team.json", "json"), ("team.xlsx", "xlsx"), ("team.txt --format csv", "csv"), ("-", "ndjson"),
    ])
    func theNameOfTheFileChoosesTheFormat(_ line: String, _ format: String) throws {
        #expect(try Export.parse(words(line)).chosenFormat?.rawValue == format)
    }

    private func serving(_ line: String) throws -> Serve {
        try #require(Rollcall.parseAsRoot(words("serve " + line)) as? Serve)
    }

    @Test func theOptionsOfAServerAreItsConfiguration() throws {
        let options = try serving(
            """
            --max-connections 9 --max-connections-per-address 3 --max-event-streams 4 --idle-timeout 5 --drain-timeout 6 \
            --server-timing --reuse-port --trusted-proxies 10.0.0.0/8 --port 81 --hostname ::1 --base-path people/ \
            --public-url https://a.example --noindex --pictures link --auto-pages 7 --shared-max-age 8 --cache-size 1 \
            --max-excel 11 --exports off --metrics public --directory team --allow-origin none
            """)
        let server = try options.server([]), limits = server.limits, site = try options.site()
        #expect(limits.maxConnections == 9 && limits.maxConnectionsPerAddress == 3 && limits.maxLiveBodies == 4)
        #expect(server.timeouts.idle == .seconds(5) && server.timeouts.drain == .seconds(6))
        #expect(server.tellsTimings && server.takesOver && server.trustedProxies.count == 1)
        #expect(server.addresses == [.tcp(hostname: "::1", port: 81)])
        #expect(site.basePath == "/people" && site.publicURL == "https://a.example/people" && site.isNoIndex)
        #expect(site.autoPages == 7 && site.sharedMaxAge == 8 && site.maxExcel == 11 && site.cacheBytes == 1 << 20)
        #expect(site.pictures == .link && !site.allowsExports && site.metrics == .everybody)
        #expect(site.updates == .newPeople)
        #expect(site.defaultDirectory == Slug("team") && site.allowedOrigins == .only([]))
        #expect(try serving("--live off").server([]).limits.maxLiveBodies == 0)
        #expect(try serving("--metrics off").site().metrics == .nobody && serving("").site().metrics == .loopback)
        #expect(try serving("--unix-socket a --port 1").server([]).addresses == [.unix(path: "a")])
    }

    @Test(arguments: [
        ("--hostname 0.0.0.0", true), ("--hostname *", true), ("--hostname 127.0.0.2", false),
        ("--hostname ::1", false),
        ("--hostname localhost", false), ("--hostname 0.0.0.0 --unix-socket a", false),
    ])
    func aServerIsReachableFromOutsideOrNot(_ line: String, _ isReachable: Bool) throws {
        #expect(try serving(line).isReachableFromOutside == isReachable)
    }

    /// Every user of a machine can read its command lines.
    @Test(arguments: [
        ("mysql://me:hunter2@host/people", "mysql://…", "postgres://host/people"),
        ("postgres://me:hunter2@host/people", "postgres://me@host:5432/people", "PGPASSFILE"),
        // libpq would read a part of it as the name of a host or a database.
        ("postgres://me:hun/ter2@host/people", "postgres://…", "write %2F and %40"),
        ("postgres://me:hun@ter2@host/people", "postgres://…", "write %2F and %40"),
        ("postgres:people", "postgres:…", "found one without // after postgres:"),
    ])
    func aPasswordOrTheURLOfAnotherKindOfDatabaseIsRejected(_ url: String, _ shown: String, _ advice: String) {
        let location = DatabaseLocation(argument: url), found = message { _ = try location.place }
        #expect(found.contains(advice) && !found.contains("hun") && !found.contains("ter2"), "\(found)")
        #expect(location.description == shown)
    }

    @Test func aDatabaseOnAServerIsNotBackedUpToAFile() {
        let location = DatabaseLocation(argument: "postgres://host/people")
        let found = message {
            try location.backUp(to: path("copy"), withPictures: false, lockTimeout: 1) { false }
        }
        #expect(found.contains("pg_dump"), "\(found)")
    }

    @Test func theFileOfAURLNamesTheDirectory() throws {
        let name = { (url: String) in ImportFile.name(of: try RemoteFile(RemoteFile.address(url), userAgent: "test")) }
        for (url, expected) in [
            ("https://a.example/staff.csv?token=abc", "staff.csv"), ("https://a.example/export?format=csv", "people"),
            ("https://a.example/", "people"), ("https://a.example/%E6%97%A5.csv", "people"),
            ("https://a.example/team/export.csv", "people"),
            ("https://docs.google.com/spreadsheets/d/1aB_c-9/edit#gid=5", "people"),
        ] { #expect(try name(url) == expected, "\(url)") }
    }

    // MARK: - Help

    @Test func helpListsTheMostUsedOptionsFirst() throws {
        for (command, order) in [
            (
                Serve.self as any ParsableCommand.Type,
                "DATA --database ADDRESS --port --public-url PAGES --directory LIMITS --idle-timeout"
            ),
            (ImportFile.self, "ARGUMENTS FILE --format DIRECTORY --directory --database IMPORT --dry-run --batch-size"),
            (ImportGitHub.self, "GITHUB --token-file DIRECTORY --directory IMPORT REQUESTS --timeout"),
        ] {
            let help = Rollcall.helpMessage(for: command), expected = order.split(separator: " ").map(String.init)
            // Headings and options, without the usage and the text before them.
            let words = help.split(separator: "\n").compactMap { line in
                line.firstMatch(of: /^([A-Z ]+):$|^  (--[a-z-]+)/).map { String($0.1 ?? $0.2 ?? "") }
            }
            let places = expected.compactMap(words.firstIndex)
            #expect(places.count == expected.count && places == places.sorted(), "\(words)")
        }
    }

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
        let root = try JSONDecoder().decode(Tool.self, from: Data(Rollcall._dumpHelp().utf8)).command
        #expect((root.subcommands?.count ?? 0) > 10)
        check(root)
    }
}
