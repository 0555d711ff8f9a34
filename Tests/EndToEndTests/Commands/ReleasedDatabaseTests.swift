import Foundation
import TestDatabases
import TestSupport
import Testing

/// `Tests/released` makes the databases.
@Suite("Databases of released versions", .onThreadsForPrograms)
final class ReleasedDatabaseTests: Stage {
    private static let archives: [URL] = {
        let folder = RollcallProcess.packageFolder.appending(path: "Tests/EndToEndTests/Released")
        return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }()

    @Test func eachVersionHasLeftSome() { #expect(Self.archives.contains { $0.lastPathComponent == "0.9.0.tar.gz" }) }

    @Test(arguments: archives, ["people", "backup"])
    func areOpenedWithAllThatTheyHave(_ archive: URL, _ name: String) throws {
        #expect(try run("/bin/tar", ["-xf", archive.path, "-C", folder.path]).status == 0)
        let database = folder.appending(path: "\(name).sqlite").path
        func rollcall(_ arguments: String..., input: String = "") throws -> Output {
            try self.rollcall(arguments, database: database, input: input)
        }

        let people = try rollcall("export", "--directory", "people", "--with-private").output
        #expect(people.split(separator: "\n").count == 2 && people.contains("\"Pay\":\"1000\""), "\(people)")
        #expect(try !rollcall("export", "--directory", "people").output.contains("1000"))
        let ada = try rollcall("show", "ada-byron", "--directory", "people").output
        for part in ["former handles  ada-byron", "known by        a hash of the key", "a photo of your own"] {
            #expect(ada.contains(part), "\(ada)")
        }
        let settings = try rollcall("directories", "settings", "people").output
        for part in [#""title": "Our staff""#, #""key": ["E-Mail"]"#, #""show": "private""#] {
            #expect(settings.contains(part), "\(settings)")
        }

        let server = try serve(database: database)
        let page = try curl(server.url + "/?directory=staff", "-L").text
        let picture = try #require(page.firstMatch(of: #/\/pictures\/[0-9a-f]{16}\.webp/#)).output
        #expect(try get(server.url + String(picture)).status == 200 && page.contains("CC BY 4.0"))
        #expect(try get(server.url + "/?directory=board").text.contains("Annie Easley"))
        #expect(try get(server.url + "/users/ada-byron?directory=people").status == 301)

        let again = try rollcall(
            "import", "file", "-", "--directory", "people",
            input: "Name,Team,E-Mail,Pay\nAda King,Engines,ada@example.org,9\nOlga,X,olga@example.org,1\n")
        #expect(again.output.contains("1 changed") && again.output.contains("1 forgotten left out"), "\(again.output)")
        let gone = try rollcall(
            "import", "file", "-", "--directory", "board", "--missing", "keep",
            input: #"{"id":9,"login":"gone","name":"Gone Away"}"#)
        #expect(gone.output.contains("1 forgotten left out"), "\(gone.output)")
    }

    /// The tests of commands have the others: two servers cannot start in their process.
    @Test func ofALaterFormatAreNotServed() throws {
        try load("Name\nAda\n")
        try SQLiteFile(database).execute("PRAGMA user_version = 99")
        let output = try rollcall(["serve", "--port", "0"], database: database)
        #expect(output.status == 1 && output.error.contains("has format 99, of "), "\(output)")
    }
}
