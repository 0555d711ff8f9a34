import Foundation
import TestSupport
import Testing

@Suite("Importing and serving", .onThreadsForPrograms)
struct ImportingTests {
    let folder: URL
    var database: String { folder.appending(path: "people.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ text: String) throws -> String {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private func importFile(_ arguments: String...) throws -> Output {
        try run(binary(), ["import", "file"] + arguments + ["--database", database])
    }

    @Test func avatarsAndLinksThatAreNoURLsAreReportedOnce() throws {
        let people = """
            login,avatar,link
            ann,photos/ann.jpg,www.example.org
            bob,https://example.org/b.png,https://example.org/bob
            cy,,javascript:alert(1)
            x y,,ftp://example.org/
            """
        let database = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID().uuidString).sqlite").path
        let importing = ["import", "file", "-", "--directory", "team", "--database", database]
        let output = try run(binary(), importing, input: Data(people.utf8))
        let links =
            #"2 links dropped, first in line 4: link "javascript:alert(1)" "#
            + "(expected an http, https, mailto or tel URL)"
        let photos = "1 photo not found, first in line 2: photos/ann.jpg"
        let told = output.error.split(separator: "\n")
        #expect(output.status == 0 && told.filter { $0.contains("dropped") } == [links[...]], "\(output.error)")
        #expect(told.filter { $0.contains("photo") } == [photos[...]], "\(output.error)")
        let json = try run(binary(), importing + ["--progress", "json"], input: Data(people.utf8))
        let lines = json.error.split(separator: "\n").filter { $0.contains("dropped") }
        #expect(json.status == 0 && lines.count == 1 && lines[0].hasPrefix(#"{"note":"2 links"#), "\(json.error)")
        #expect(json.output.contains(#""droppedLinks":2"#), "\(json.output)")
        #expect(json.output.contains(#""missingPhotos":1"#), "\(json.output)")
        let none = try run(binary(), importing, input: Data("login,avatar\nann,\nbob,https://example.org/b\n".utf8))
        let missing = none.error.contains("\n1 column of the last import missing: link (website); ")
        #expect(none.status == 0 && missing && !none.error.contains("dropped"), "\(none.error)")
    }

    @Test func whatIsImportedIsServed() throws {
        let file = try write("team.csv", "id,login,name\n7,ada,Ada Lovelace\n9,김,\"Kim, Min-su\"\n")
        #expect(try importFile(file).status == 0)
        let program = try RollcallProcess(["serve", "--database", database])
        let page = try curl(program.url + "/")
        #expect(page.text.contains("Ada Lovelace") && page.text.contains("Min-su Kim"))
        #expect(page.fields["x-total-count"] == "2")
        #expect(try curl(program.url + "/fragment?q=lOvE").fields["x-total-count"] == "1")
        #expect(try curl(program.url + "/api/v3/users/ADA").text.contains(#""id":7"#))
    }

    @Test func aSecondImportChangesNothing() throws {
        let file = try write(
            "team.ndjson", (1...500).map { #"{"id":\#($0),"login":"user\#($0)"}"# }.joined(separator: "\n"))
        #expect(try importFile(file).status == 0)
        let program = try RollcallProcess(["serve", "--database", database])
        let tag = try curl(program.url + "/").fields["etag"]
        let again = try importFile(file)
        #expect(again.status == 0)
        #expect((again.output + again.error).contains("500 unchanged"))
        #expect(try curl(program.url + "/").fields["etag"] == tag)
    }

    @Test func rejectedRecordsAreNamedAndTheRestIsSaved() throws {
        let file = try write(
            "team.ndjson",
            "{\"id\":1,\"login\":\"a\"}\n{\"id\":-2,\"login\":\"b\"}\nnonsense\n{\"id\":4,\"login\":\"d\"}\n")
        let output = try importFile(file)
        #expect(output.status == 2)
        let told = output.output + output.error
        #expect(told.contains("line 2") && told.contains("line 3"))
        let program = try RollcallProcess(["serve", "--database", database])
        #expect(try curl(program.url + "/").fields["x-total-count"] == "2")
    }

    @Test func aMissingFileFails() throws {
        let output = try importFile(folder.appending(path: "missing.csv").path)
        #expect(output.status == 1)
        #expect(output.error.contains("missing.csv"))
    }

    @Test func aRunningServerSeesNewUsersWithoutARestart() async throws {
        let program = try RollcallProcess(["serve", "--database", database])
        #expect(try curl(program.url + "/").text.contains("Nobody here yet"))
        #expect(try importFile(try write("a.csv", "id,login\n1,ada\n"), "--directory", "team").status == 0)
        try await eventually { try curl(program.url + "/").text.contains("ada") }
        #expect(try importFile(try write("b.csv", "id,login\n2,bob\n"), "--directory", "team").status == 0)
        try await eventually { try curl(program.url + "/").fields["x-total-count"] == "2" }
    }

    @Test func severalDirectoriesShareOneDatabase() throws {
        #expect(try importFile(try write("a.csv", "id,login\n1,ada\n"), "--title", "Team A").status == 0)
        #expect(try importFile(try write("b.csv", "id,login\n1,bob\n")).status == 0)
        let program = try RollcallProcess(["serve", "--database", database])
        let page = try curl(program.url + "/").text
        #expect(page.contains("ada") && page.contains("Team A") && page.contains(#"href="/?directory=b""#))
        let other = try curl(program.url + "/?directory=b").text
        #expect(other.contains("bob") && other.contains(#"href="/users/bob?directory=b""#))
        #expect(try curl(program.url + "/?directory=c").status == 404)
    }

    @Test(arguments: ["日本.csv", "_-_.csv"])
    func aFileNameWithoutASlugNeedsADirectory(_ name: String) throws {
        let output = try importFile(try write(name, "id,login\n1,ada\n"))
        #expect(output.status == 1)
        #expect(output.error.contains("name the directory with --directory") && output.error.contains(name))
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try importFile(folder.appending(path: name).path, "--directory", "japan").status == 0)
    }

    @Test func usersAreReadFromStandardInput() throws {
        let output = try run(
            binary(), ["import", "file", "-", "--database", database], input: Data("id,login\n1,ada\n".utf8))
        #expect(output.status == 0)
        #expect(try run(binary(), ["directories", "--database", database]).output.contains("people (default)"))
    }

    @Test func invalidTitlesAreRejectedAndBlankOnesIgnored() throws {
        let file = try write("team.csv", "id,login\n1,ada\n")
        for title in ["a\u{1B}[31mb", "a\u{2028}b", String(repeating: "x", count: 1001)] {
            let output = try importFile(file, "--title", title)
            #expect(output.status == 1 && output.error.contains("--title: expected"), "\(output.error)")
        }
        #expect(try importFile(file, "--title", " \u{3000}").status == 0)
        let program = try RollcallProcess(["serve", "--database", database])
        #expect(try curl(program.url + "/").text.contains("<title>team</title>"))
    }

    @Test func aTruncatedFileRemovesNobody() throws {
        let whole = "id,login,name\r\n1,ada,Ada\r\n2,bo,Bo\r\n3,cy,Cy\r\n"
        #expect(try importFile(try write("team.csv", whole)).status == 0)
        let output = try importFile(try write("team.csv", String(whole.dropLast(7))), "--prune")
        #expect(output.status == 2 && output.error.contains("which was cut off"), "\(output.error)")
        #expect(output.output.contains("2 unchanged, 1 rejected"), "\(output.output)")
        #expect(output.error.contains("nobody was removed: some records were rejected"))
    }

    @Test func gitAuthorsAreImportedWithoutEmailAddresses() throws {
        let repository = folder.appending(path: "project")
        try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: true)
        func git(_ arguments: String...) throws {
            let output = try run("git", ["-C", repository.path] + arguments)
            #expect(output.status == 0, "\(output.error)")
        }
        try git("init", "-q")
        for (name, address) in [("Ada", "ada@example.org"), ("Ada L.", "ADA@example.org"), ("Bob", "bob@example.org")] {
            try git(
                "-c", "user.name=\(name)", "-c", "user.email=\(address)", "-c", "commit.gpgsign=false", "commit", "-q",
                "--allow-empty", "-m", "x")
        }
        let output = try run(binary(), ["import", "git", repository.path, "--database", database])
        #expect(output.status == 0, "\(output.error)")
        let program = try RollcallProcess(["serve", "--database", database])
        let json = try curl(program.url + "/api/v3/users").text
        #expect(json.components(separatedBy: "\"login\":").count - 1 == 2)
        #expect(!json.contains("example.org"))
        #expect(json.contains(#""reputation":2"#))
        let raw = try String(decoding: Data(contentsOf: URL(filePath: database)), as: UTF8.self)
        #expect(!raw.lowercased().contains("ada@example.org"))
    }

    @Test func anInterruptedImportIsCompletedByTheSameCommand() throws {
        let file = try write(
            "many.ndjson",
            (1...60_000).map { #"{"id":\#($0),"login":"user\#($0)","name":"User \#($0)"}"# }.joined(separator: "\n"))
        let program = try Program(
            RollcallProcess.executable(), ["import", "file", file, "--database", database, "--batch-size", "500"])
        // Killed at an arbitrary point once something has been written.
        try program.wait(until: "it has written") { FileManager.default.fileExists(atPath: database + "-wal") }
        program.stop(SIGKILL)
        #expect(try importFile(file).status == 0)
        let server = try RollcallProcess(["serve", "--database", database])
        #expect(try curl(server.url + "/").fields["x-total-count"] == "60000")
        let last = try curl(server.url + "/fragment?since=59999").text
        #expect(last.contains(#"aria-posinset="60000""#))
    }
}

/// Waits until `condition` holds. Fails the test after a minute.
func eventually(_ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !condition() {
        guard ContinuousClock.now < deadline else {
            throw ProgramFailure(description: "it did not come about in a minute")
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}
