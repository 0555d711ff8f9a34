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
        try rollcall("show", "ada-byron", "--directory", "people").expect(
            output: "former handles  ada-byron", "known by        a hash of the key", "a photo of your own")
        try rollcall("directories", "settings", "people").expect(
            output: #""title": "Our staff""#, #""key": ["E-Mail"]"#, #""show": "private""#)

        let server = try serve(database: database)
        let page = try curl(server.url + "/?directory=staff", "-L").text
        let picture = try #require(page.firstMatch(of: #/\/pictures\/[0-9a-f]{16}\.webp/#)).output
        #expect(try get(server.url + String(picture)).status == 200 && page.contains("CC BY 4.0"))
        #expect(try get(server.url + "/?directory=board").text.contains("Annie Easley"))
        #expect(try get(server.url + "/users/ada-byron?directory=people").status == 301)

        try rollcall(
            "import", "file", "-", "--directory", "people",
            input: "Name,Team,E-Mail,Pay\nAda King,Engines,ada@example.org,9\nOlga,X,olga@example.org,1\n"
        ).expect(output: "1 changed", "1 forgotten left out")
        try rollcall(
            "import", "file", "-", "--directory", "board", "--missing", "keep",
            input: #"{"id":9,"login":"gone","name":"Gone Away"}"#
        ).expect(output: "1 forgotten left out")
    }

    /// The tests of commands have the others: two servers cannot start in their process.
    @Test func ofALaterFormatAreNotServed() throws {
        try load("Name\nAda\n")
        try SQLiteFile(database).execute("PRAGMA user_version = 99")
        try rollcall(["serve", "--port", "0"], database: database).expect(1, error: "has format 99, of ")
    }
}
