import Foundation
import TestSupport
import Testing

/// People in a README, without a server.
@Suite("Contributors", .onThreadsForPrograms)
final class ContributorsTests: Stage {
    private var environment: [String: String] {
        [
            "ROLLCALL_DATABASE": path("people.sqlite"), "XDG_CACHE_HOME": folder.path,
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        ]
    }

    override init() throws {
        try super.init()
        try git("init", "-q", "-b", "main")
        try commit("Ann Lee", "ann@example.org")
        try commit("dependabot[bot]", "bot@example.org")
    }

    private func git(_ arguments: String...) throws {
        let output = try run("git", ["-C", folder.path] + arguments, environment: environment)
        try #require(output.status == 0, "\(output.error)")
    }

    private func commit(_ name: String, _ address: String) throws {
        try git("-c", "user.name=\(name)", "-c", "user.email=\(address)", "commit", "-q", "--allow-empty", "-m", "x")
    }

    private func command(_ arguments: String...) throws -> Output {
        try run(binary(), arguments, environment: environment)
    }

    @Test func aRepositoryIsImportedByItsAddressAndFetchedEachTime() throws {
        let address = "file://" + folder.path
        try command("import", "git", address, "--directory", "us").expect(output: "2 added")
        try commit("Bo", "bo@example.org")
        try command("import", "git", address, "--directory", "us").expect(output: "1 added")
        #expect(try command("list", "--format", "text").output.contains("Bo\t1\n"))
        #expect(try command("list", "--format", "text", "--bots").output.contains("dependabot[bot]"))
    }

    @Test(arguments: [
        (["ext::sh -c true"], 1, "found one that begins ext::"), (["--", "-x"], 1, "found an option of git"),
        (["https://user:s3cret@127.0.0.1:1/x.git"], 75, "cannot import https://127.0.0.1:1/x.git"),
    ])
    func anAddressThatCannotBeReadIsNamed(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let output = try run(binary(), ["import", "git"] + arguments, environment: environment)
        #expect(!output.expect(status, error: message).error.contains("s3cret"))
    }

    @Test func whatStandsBetweenTheMarksIsReplaced() throws {
        #expect(try command("import", "git", folder.path, "--directory", "us").status == 0)
        let readme = "# Us\n\n<!-- rollcall:start -->\nold\n<!-- rollcall:end -->\n\nMore.\n"
        try Data(readme.utf8).write(to: folder.appending(path: "README.md"))
        #expect(try command("list", "--into", path("README.md")).status == 0)
        let table = "| Name | Commits |\n| --- | ---: |\n| Ann Lee | 1 |\n"
        #expect(try text("README.md") == readme.replacing("old\n", with: table))
        try command("list", "--into", path("README.md")).expect(error: "is unchanged")
        try command("list", "--query", "zzz", "--into", path("README.md")).expect(1, error: "nobody is found")
        #expect(try text("README.md") == readme.replacing("old\n", with: table))
        try Data("no marks".utf8).write(to: folder.appending(path: "plain.md"))
        try command("list", "--into", path("plain.md")).expect(1, error: "expected the lines <!-- rollcall:start -->")
        #expect(try text("plain.md") == "no marks")
    }

    @Test func anEqualImageStaysUntouched() throws {
        #expect(try command("import", "git", folder.path, "--directory", "us").status == 0)
        #expect(try command("wall", "-o", path("a.svg")).status == 0)
        try command("wall", "-o", path("a.svg")).expect(error: "a.svg is unchanged")
        #expect(try command("wall").output == text("a.svg"))
        try command("wall", "--query", "zzz", "-o", path("a.svg")).expect(1, error: "nobody is found")
        #expect(try command("wall").output == text("a.svg"))
    }
}
