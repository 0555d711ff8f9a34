import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Forgetting")
struct ForgettingTests {
    let folder: URL
    var database: String { folder.appending(path: "people.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-forget-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func rollcall(_ arguments: String...) throws -> Output {
        try run(binary(), arguments + ["--database", database])
    }

    private func importTeam() throws -> Output {
        let file = folder.appending(path: "team.csv")
        try Data("id,login,name\n7,ada,Ada Lovelace\n9,bob,Bob\n11,김,Kim\n".utf8).write(to: file)
        return try rollcall("import", "file", file.path)
    }

    @Test func aServerDropsForgottenUsersAndImportsSkipThem() async throws {
        #expect(try importTeam().status == 0)
        let server = try RollcallProcess(["serve", "--database", database])
        #expect(try curl(server.url + "/users/ada").status == 200)
        #expect(try curl(server.url + "/").text.contains("Ada Lovelace"))
        let output = try rollcall("forget", "Ada")
        #expect(output.status == 0)
        #expect(output.output == "Ada: forgotten in team (1)\n")
        try await eventually { try curl(server.url + "/users/ada").status == 404 }
        #expect(try !curl(server.url + "/").text.contains("Ada"))
        #expect(try curl(server.url + "/fragment?q=lovelace").fields["x-total-count"] == "0")
        #expect(try curl(server.url + "/api/v3/users").fields["x-total-count"] == "2")

        let again = try importTeam()
        #expect(again.status == 0)
        #expect(again.output.contains("1 skipped"))
        #expect(!(again.output + again.error).lowercased().contains("ada"))
        #expect(try curl(server.url + "/users/ada").status == 404)
        let twice = try rollcall("forget", "ADA")
        #expect(twice.status == 0 && twice.output == "ADA: is already forgotten in all directories\n")

        #expect(try rollcall("forget", "--undo", "ada").status == 0)
        #expect(try importTeam().output.contains("1 added"))
        try await eventually { try curl(server.url + "/users/ada").status == 200 }
    }

    /// Ids and logins are then derived from whole rows, so they change when a row changes.
    @Test func usersWithoutIDAndLoginAreForgottenByName() throws {
        let file = folder.appending(path: "team.csv")
        let importing = { (people: String) in
            try Data(people.utf8).write(to: file)
            return try rollcall("import", "file", file.path, "--prune")
        }
        #expect(try importing("name,city\nJane Doe,Paris\nJane Doe,Oslo\nJohn Roe,Rome\n").status == 0)
        let lines = try rollcall("export").output.split(separator: "\n")
        let paris = try #require(lines.first { $0.contains("Paris") })
        let login = try #require(paris.firstMatch(of: /"login":"(.*?)"/)?.1)
        #expect(try rollcall("forget", String(login)).status == 0)
        let moved = "name,city\nJane DOE,London\nJane Doe,Oslo\nJohn Roe,Rome\n"
        #expect(try importing(moved).output.contains("0 added, 0 changed, 2 unchanged, 1 skipped"))
        #expect(try importing("name,city,team\nJane Doe,London,\n").output.contains("1 skipped"))
        // A user with the same name and an id is not skipped.
        #expect(try importing("id,name\n5,Jane Doe\n").output.contains("1 added"))
        #expect(try rollcall("forget", "--undo", String(login)).status == 0)
        #expect(try importing(moved).output.contains("3 added"))
    }

    @Test func errorsAreReported() throws {
        let missing = try rollcall("forget", "ada")
        #expect(missing.status == 1 && missing.error.contains("there is no database \(database)"))
        #expect(try importTeam().status == 0)
        #expect(try rollcall("forget").status == 1)
        let mixed = try rollcall("forget", "nobody", "김", "--id", "9")
        #expect(mixed.status == 1)
        #expect(mixed.error.contains("nobody: not found in all directories"))
        #expect(mixed.output == "김: forgotten in team (1)\nid 9: forgotten in team (1)\n")
        let elsewhere = try rollcall("forget", "ada", "--directory", "crew")
        #expect(elsewhere.status == 1 && elsewhere.error.contains("has no directory crew; it has team"))
        #expect(try rollcall("forget", "ada", "--directory", "No!").status == 1)
        let other = folder.appending(path: "crew.csv")
        try Data("id,login\n7,ada\n".utf8).write(to: other)
        #expect(try rollcall("import", "file", other.path).status == 0)
        let ambiguous = try rollcall("forget", "--id", "7")
        #expect(ambiguous.status == 1 && ambiguous.error.contains("several: team, crew"))
        #expect(try rollcall("forget", "--id", "7", "--directory", "crew").output == "id 7: forgotten in crew (1)\n")
        #expect(try rollcall("forget", "ada").output == "ada: forgotten in team (1)\n")
        let bundle = try rollcall("forget", "-dash")
        #expect(bundle.status == 1 && bundle.error.contains("\"-dash\" is not an option"), "\(bundle)")
        #expect(
            try run(binary(), ["forget", "--database", database, "--", "-dash"]).error.contains("-dash: not found"))
    }

    @Test func theEnvironmentIsUsedAndReported() throws {
        #expect(try importTeam().status == 0)
        let arguments = ["forget", "ada", "--database", database]
        let narrow = try run(binary(), arguments, environment: ["ROLLCALL_DIRECTORY": "team"])
        #expect(narrow.status == 0 && narrow.error.contains("only in team, because ROLLCALL_DIRECTORY is set"))
        let undone = try run(binary(), arguments + ["--directory", "team"], environment: ["ROLLCALL_UNDO": "1"])
        #expect(undone.status == 0 && undone.output == "ada: may be imported again in team\n", "\(undone)")
    }

    /// Data that a reader has held open since before cannot be overwritten: the command reports it, and running it
    /// again overwrites the data.
    @Test func aLongRunningReaderIsReported() throws {
        #expect(try importTeam().status == 0)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: database, configuration: configuration)
        try reader.inDatabase { db in
            try db.execute(sql: "BEGIN")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM directory") == 1)
        }
        let output = try rollcall("forget", "bob", "--lock-timeout", "1")
        #expect(output.status == 1 && output.error.contains("still stands in the file; run this again"), "\(output)")
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
        #expect(try rollcall("forget", "bob").status == 0)
        let files = [database, database + "-wal"].compactMap { FileManager.default.contents(atPath: $0) }
        #expect(files.allSatisfy { $0.range(of: Data("bob".utf8)) == nil })
    }
}
