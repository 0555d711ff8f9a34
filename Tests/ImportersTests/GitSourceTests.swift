import Base
import Foundation
import People
import Publishing
import TestSupport
import Testing

@testable import Importers

/// A repository created for a test.
private final class Repository: TestFolder {
    var path: String { folder.path }
    private var commits = 0

    /// - Parameter commits: Their names and addresses.
    init(_ commits: (name: String, address: String)...) throws {
        try super.init()
        try git("init", "-q", "-b", "main")
        for (name, address) in commits { try commit(name, address) }
    }

    func git(_ arguments: String..., environment: [String: String] = [:]) throws {
        let settings = [
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_COMMITTER_NAME": "C",
            "GIT_COMMITTER_EMAIL": "c@example.com",
        ]
        let variables = ProcessInfo.processInfo.environment.merging(settings.merging(environment) { $1 }) { $1 }
        #expect(try ChildProcess("git", ["-C", path] + arguments, environment: variables).wait() == 0)
    }

    /// Adds a commit by `name`, a day after the previous one.
    func commit(_ name: String, _ address: String, coAuthors: [String] = []) throws {
        commits += 1
        let date = "\(1_000_000_000 + commits * 86_400) +0000"
        try git(
            "commit", "-q", "--allow-empty", "-m",
            (["x", ""] + coAuthors.map { "Co-authored-by: \($0)" }).joined(separator: "\n"),
            environment: [
                "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": address, "GIT_AUTHOR_DATE": date,
                "GIT_COMMITTER_DATE": date,
            ])
    }

    func people(
        _ options: GitSource.Options = GitSource.Options(), request: ImportRequest = ImportRequest()
    ) -> (users: [User], summary: ImportSummary, notes: [String]) {
        let writer = MemoryWriter()
        let source = GitSource(.folder(path, isFetched: false), options: options, request: request)
        let imported = imported(source, into: writer)
        return (writer.users.values.sorted { $0.login < $1.login }, imported.summary, imported.notes)
    }
}

extension User {
    fileprivate var commits: Int { (more?.firstMatch(of: /"reputation":([0-9]+)/)?.1).flatMap { Int($0) } ?? 0 }
}

@Suite("Authors of a git repository")
struct GitSourceTests {
    @Test func everyAddressIsOneUserWithCommitsAsReputation() throws {
        let repository = try Repository(
            ("Ada Byron", "ada@example.com"), ("Bo", "bo@example.com"), ("Ada B.", "ADA@example.com"),
            ("Ada Byron", "ada@example.com"))
        let users = repository.people().users
        #expect(users.map(\.login) == ["ada-byron", "bo"])
        #expect(users.map(\.name) == ["Ada Byron", "Bo"])
        #expect(users.map(\.commits) == [3, 1])
        #expect(
            users[0].more
                == #"{"type":"User","reputation":3,"first_commit_at":"2001-09-10T01:46:40Z","last_commit_at":"2001-09-13T01:46:40Z"}"#
        )
        #expect(repository.people().users == users)
    }

    @Test func mailmapIsUsed() throws {
        let repository = try Repository(("Old Name", "old@example.com"), ("New Name", "new@example.com"))
        try repository.write(".mailmap", "New Name <new@example.com> Old Name <old@example.com>\n")
        #expect(repository.people().users.map(\.name) == ["New Name"])
        #expect(repository.people().users.map(\.commits) == [2])
    }

    /// Returns the people of `lines` of git, with the names, addresses and seconds of commits, the latest first.
    private func people(
        _ lines: [(name: String, address: String, second: Int)], coAuthors: [String] = []
    ) throws -> [String] {
        try people(lines.map { ($0.name, $0.address, $0.second, nil) }, coAuthors)
    }

    /// - Parameter written: The address without the mailmap.
    private func people(
        _ lines: [(name: String, address: String, second: Int, written: String?)], _ coAuthors: [String] = []
    ) throws -> [String] {
        var authors = GitAuthors()
        for line in lines {
            let shared = coAuthors.joined(separator: "\u{1}")
            let text = "\(line.name)\0\(line.address)\0\(line.second)\0\(line.written ?? line.address)\0\(shared)"
            Array(text.utf8).withUnsafeBytes { authors.add(line: $0) }
        }
        authors.addCoAuthors(coAuthors)
        return try authors.people().people.map {
            "\(try user($0.record).name ?? "") \($0.addresses.joined(separator: " "))"
        }
    }

    /// The next free numbers are their ids. Nothing of an address decides, so that ids tell nothing of it.
    @Test func peopleComeInTheOrderOfTheirFirstCommits() throws {
        let lines = [("Jo Li", "a@x", 9), ("Bo", "z@x", 5), ("Cy", "m@x", 5), ("Jo Li", "k@x", 2), ("Bo", "b@x", 1)]
        #expect(try people(lines) == ["Bo b@x", "Jo Li k@x a@x", "Cy m@x", "Bo z@x"])
        let others = ["Ed <z@x>", "Al <y@x>"]
        let shared = try people([("Cy", "m@x", 5), ("Bo", "b@x", 5)], coAuthors: others)
        #expect(shared == ["Bo b@x", "Ed z@x", "Al y@x", "Cy m@x"])
    }

    /// A mailmap that comes later must neither make a second person of somebody, nor bring a forgotten one back.
    @Test func addressesThatAMailmapReplacesStayKnown() throws {
        let replaced =
            [("Ann Voss", "new@x", 9, "old@x"), ("Bo", "bo@x", 8, "bo@x")] as [(String, String, Int, String?)]
        #expect(try people(replaced) == ["Bo bo@x", "Ann Voss new@x old@x"])
        let shared = [("Ann", "a@x", 9, "root@x"), ("Bo", "b@x", 8, "root@x")] as [(String, String, Int, String?)]
        #expect(try people(shared) == ["Bo b@x", "Ann a@x"], "nobody is known by an address that several have")
    }

    @Test func anAddressIsNoName() throws {
        let repository = try Repository(("clara@example.com", "clara@example.com"), ("Bo", "bo@example.com"))
        let (users, _, notes) = repository.people()
        #expect(users.map(\.name) == ["Bo"] && notes == ["1 author left out, because the only name is an address"])
    }

    @Test func authorsWithTheSameNameAreJoinedAndReported() throws {
        let repository = try Repository(
            ("Jo Li", "z@example.com"), ("Bo", "b@example.com"), ("jo  LI", "a@example.com"), ("Bo", "c@example.com"),
            ("Jo Li", "a@example.com"))
        let (users, _, notes) = repository.people()
        #expect(users.map(\.name) == ["Bo", "Bo", "Jo Li"])
        #expect(users.map(\.commits) == [1, 1, 3])
        #expect(notes.count == 1)
        #expect(notes[0].contains("1 person with several addresses, for example Jo Li (2)"))
        var options = GitSource.Options()
        options.joinsNames = false
        let apart = repository.people(options).users
        #expect(apart.count == 4)
    }

    @Test func coAuthorsCountOncePerCommitAndGoThroughTheMailmap() throws {
        let repository = try Repository()
        try repository.commit(
            "Ada Byron", "ada@example.com",
            coAuthors: ["Kas <kas@old.example>", "kas <KAS@old.example>", "Ada <ada@example.com>", "nobody"])
        try repository.write(".mailmap", "Kasimir <kas@new.example> <kas@old.example>\n")
        let (users, _, notes) = repository.people()
        #expect(users.map(\.login) == ["ada-byron", "kasimir"])
        #expect(users.map(\.commits) == [1, 1])
        #expect(notes == ["1 Co-authored-by trailer names no address and does not count"])
        var options = GitSource.Options()
        options.countsCoAuthors = false
        #expect(repository.people(options).users.map(\.login) == ["ada-byron"])
    }

    /// The check of the contract: three commits of an account, two under a private address, a trailer for another.
    @Test func noReplyAddressesNameAccounts() throws {
        let repository = try Repository()
        for _ in 1...3 { try repository.commit("Ann Lee", "1+ann@users.noreply.github.com") }
        try repository.commit("Ann Lee", "ann@private.example")
        try repository.commit("Ann Lee", "ann@private.example", coAuthors: ["Kas <kas@example.com>"])
        let users = repository.people().users
        #expect(users.map(\.login) == ["ann", "kas"])
        #expect(users.map(\.commits) == [5, 1])
        #expect(users[0].more?.contains(#""html_url":"https://github.com/ann""#) == true)
        #expect(users[0].avatarURL == "https://avatars.githubusercontent.com/u/1")
        #expect(users[0].more?.contains("github.com/ann, via commit") == true)
        #expect(!"\(users)".contains("@"))
    }

    @Test(arguments: [
        ("GitHub Actions", "41898282+github-actions[bot]@users.noreply.github.com", "Bot"),
        ("renovate-bot", "29139614+renovate[bot]@users.noreply.github.com", "Bot"),
        ("Renovate", "bot@renovateapp.com", "Bot"),
        ("Jo", "k8s-bot@example.org", "Bot"), ("Claude", "noreply@anthropic.com", "Bot"),
        ("Copilot", "198982749+Copilot@users.noreply.github.com", "Bot"), ("mirror[bot]", "m@example.org", "Bot"),
        ("Deploy", "project_42_bot_1f2e@noreply.gitlab.com", "Bot"),
        ("Claude Monet", "claude@example.org", "User"), ("Jan Bot", "jan.bot@example.org", "User"),
        ("Mary Talbot", "talbot@example.org", "User"), ("Renovate Bot", "r@example.org", "User"),
    ])
    func programsAreKnownByTheirAddresses(_ name: String, _ address: String, _ type: String) {
        var authors = GitAuthors()
        Array("\(name)\0\(address)\01\0\(address)".utf8).withUnsafeBytes { authors.add(line: $0) }
        #expect(authors.people().people.map { $0.record.contains(#""type":"\#(type)""#) } == [true])
    }

    /// Of commits by Ann, with trailers.
    @Test(arguments: [
        (["Ann Lee <7+ann@users.noreply.github.com>"], ["Ann Lee 1"]),
        (["Bo Long-Name Day\n <bo@example.org>"], ["Ann Lee 1", "Bo Long-Name Day 1"]),
        (["Bo <bo at example dot org>", "Bo <bo@example.org>"], ["Ann Lee 1", "Bo 1"]),
        (
            ["Bo <7+bo@users.noreply.github.com>", "Bo Day <7+bo-day@users.noreply.github.com>"],
            ["Ann Lee 1", "Bo Day 1"]
        ),
    ])
    func aCommitCountsOnceForEachPerson(_ trailers: [String], _ people: [String]) throws {
        let repository = try Repository()
        try repository.commit("Ann Lee", "ann@example.org", coAuthors: trailers)
        let (users, _, notes) = repository.people()
        #expect(users.map { "\($0.name ?? "") \($0.commits)" }.sorted() == people, "\(notes)")
        #expect(!notes.contains { $0.contains("trailer") })
    }

    @Test func namesInLatin1AreRead() throws {
        var authors = GitAuthors()
        let line = Array("J".utf8) + [0xFC] + Array("rgen Gro".utf8) + [0xDF] + Array("\0j@x\01\0j@x".utf8)
        line.withUnsafeBytes { authors.add(line: $0) }
        #expect(try authors.people().people.map { try user($0.record).name } == ["Jürgen Groß"])
    }

    @Test(arguments: [
        ("jane at example dot com", ""), ("Jane Doe (jane [at] example.com)", "Jane Doe"), ("Look at me", "Look at me"),
        ("Jane AT mail DOT example DOT com", ""), ("Matt (Mat) Dot", "Matt (Mat) Dot"),
    ])
    func anAddressInWordsIsNoName(_ name: String, _ shown: String) {
        #expect(GitAuthors.withoutAddresses(name) == shown)
    }

    @Test func peopleOfOneNameWithDifferentAccountsStayApart() throws {
        let repository = try Repository(
            ("Wei Wang", "1+wei1@users.noreply.github.com"), ("Wei Wang", "2+wei2@users.noreply.github.com"))
        #expect(repository.people().users.map(\.login) == ["wei1", "wei2"])
    }

    @Test(arguments: [
        (
            "7+kim@users.noreply.github.com", "kim", "https://github.com/kim",
            "https://avatars.githubusercontent.com/u/7"
        ),
        ("kim@users.noreply.github.com", "kim", "https://github.com/kim", nil),
        ("7-kim.min@users.noreply.gitlab.com", "kim.min", "https://gitlab.com/kim.min", nil),
        ("7+kim@users.noreply.git.example.org", "kim", "https://git.example.org/kim", nil),
    ])
    func accountsAreRead(_ address: String, login: String, url: String, picture: String?) throws {
        let domains = GitAccount.domains + ["users.noreply.git.example.org"]
        let account = try #require(GitAccount(address, in: domains))
        #expect(account.login == login)
        #expect(account.url == url)
        #expect(account.picture == picture)
    }

    @Test(arguments: [
        "kim@example.com", "49+build[bot]@users.noreply.github.com", "1+..@users.noreply.github.com",
        "7+@users.noreply.github.com",
    ])
    func otherAddressesNameNoAccount(_ address: String) {
        #expect(GitAccount(address, in: GitAccount.domains) == nil)
    }

    @Test func noEmailAddressLeaks() throws {
        let repository = try Repository(
            ("carol@secret.example", "carol@secret.example"), ("Dan <dan@secret.example>", "dan@secret.example"),
            ("build[bot]", "49+build[bot]@secret.example"), ("@eve", "eve@secret.example"))
        let (users, summary, notes) = repository.people()
        #expect(!"\(users) \(summary) \(notes)".contains("secret"))
        #expect(users.map(\.login) == ["build-bot", "dan", "eve"])
        #expect(users.map { $0.more?.contains(#""type":"Bot""#) } == [true, false, false])
    }

    /// What a file would be read as by the same options.
    fileprivate struct Edit: CustomTestStringConvertible {
        var testDescription: String
        var request: ImportRequest

        init(_ description: String, _ edit: (inout SettingsEdits) -> Void) {
            (testDescription, request) = (description, ImportRequest())
            edit(&request.edits)
        }

        init(_ settings: String) {
            (testDescription, request) = (settings, ImportRequest())
            request.own = try? SettingsFile(json: Array(settings.utf8)).settings.own
        }
    }

    /// The people by their logins, names and pictures, with what else is stored of the first.
    fileprivate static let edits: [(edit: Edit, people: [String], members: [String])] = {
        let all = ["type", "reputation", "html_url", "account", "first_commit_at", "last_commit_at"]
        let people = ["ann Ann Lee 1", "bo Bo -"]
        let drops = all.map { dropped in
            (Edit("--drop \(dropped)") { $0.drop = [dropped] }, people, all.filter { $0 != dropped })
        }
        return drops + [
            (Edit("") { _ in }, people, all),
            (
                Edit("--only name,account") { $0.only = ["name", "account"] }, ["ann-lee Ann Lee -", "bo Bo -"],
                ["account"]
            ),
            (Edit("--only login") { $0.only = ["login"] }, ["ann - -"], []),
            (Edit("--drop name") { $0.drop = ["name"] }, ["ann - 1"], all),
            (Edit("--drop login") { $0.drop = ["login"] }, ["ann-lee Ann Lee 1", "bo Bo -"], all),
            (Edit("--drop avatar_url") { $0.drop = ["avatar_url"] }, ["ann Ann Lee -", "bo Bo -"], all),
            (Edit("--keep account") { $0.keep = ["account"] }, people, all),
            (Edit(#"{"others":"never"}"#), [], []),
            (
                Edit(#"{"others":"never","fields":[{"key":"name","from":"name","show":"public"}]}"#),
                ["ann-lee Ann Lee -", "bo Bo -"], []
            ),
            (
                Edit(#"{"fields":[{"key":"account","from":"account","show":"never"}]}"#), people,
                all.filter { $0 != "account" }
            ),
        ]
    }()

    /// As of a service: `WithheldValuesTests`.
    @Test(arguments: edits)
    fileprivate func whatThePublisherDropsIsNotStored(_ edit: Edit, _ people: [String], _ members: [String]) throws {
        let repository = try Repository(("Ann Lee", "1+ann@users.noreply.github.com"), ("Bo", "bo@example.org"))
        let (users, summary, _) = repository.people(request: edit.request)
        let shown = users.map { "\($0.login) \($0.name ?? "-") \($0.avatarURL?.suffix(1) ?? "-")" }
        #expect(shown == people, "\(summary)")
        #expect((users.first?.more ?? "").matches(of: /"([a-z_]+)":/).map { String($0.1) } == members)
    }

    @Test func whoCanNeitherBeNamedNorHiddenIsRefused() throws {
        let repository = try Repository(("Ann Lee", "1+ann@users.noreply.github.com"))
        for (edit, message) in [
            (Edit("") { $0.only = ["account"] }, "neither the login nor the name"),
            (Edit("") { $0.keep = ["name"] }, "cannot be private"), (Edit("") { $0.drop = ["acount"] }, "account, "),
        ] {
            let (users, summary, _) = repository.people(request: edit.request)
            #expect(users == [] && "\(summary.end)".contains(message), "\(summary.end)")
        }
    }

    @Test func bareAndShallowClonesWork() throws {
        let repository = try Repository()
        for number in 1...3 { try repository.commit("Ada", "ada\(number)@example.com") }
        let clone = try Repository()
        try clone.git("clone", "-q", "--bare", repository.path, clone.path + "/bare")
        try clone.git("clone", "-q", "--depth", "1", "file://" + repository.path, clone.path + "/shallow")
        #expect(imported(GitSource(.folder(clone.path + "/bare", isFetched: false))).summary.progress.users == 3)
        let shallow = imported(GitSource(.folder(clone.path + "/shallow", isFetched: false)))
        #expect(shallow.summary.progress.users == 1 && shallow.notes.count == 1)
    }

    @Test func anInvalidRepositoryIsAClearError() throws {
        let folder = try TestFolder()
        let message = { (path: String) in imported(GitSource(.folder(path, isFetched: false))).error }
        #expect(message(folder.folder.path).contains("not a git repository"))
        #expect(message(folder.folder.path + "/absent").contains("No such file or directory"))
        #expect(message("--version").hasPrefix("cannot import --version:"))
        let empty = try Repository()
        #expect(message(empty.path).hasSuffix("the repository has no commits"))
    }

    @Test func aRepositoryOfAnotherUserNamesTheCommandThatTrustsIt() {
        let complaint = """
            fatal: detected dubious ownership in repository at '/srv/code'
            To add an exception for this directory, call:

            \tgit config --global --add safe.directory /srv/code

            """
        #expect(
            GitProcess.reason(in: complaint) == """
                detected dubious ownership in repository at '/srv/code'; to read it: \
                git config --global --add safe.directory /srv/code
                """)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_735_689_599, "2024-12-31T23:59:59Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (.max, "9999-12-31T23:59:59Z"), (.min, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func datesAreISO8601(_ seconds: Int64, _ text: String) {
        #expect(GitAuthors.date(seconds) == text)
    }
}
