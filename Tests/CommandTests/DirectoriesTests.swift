import Foundation
import TestDatabases
import TestSupport
import Testing

@testable import rollcall

/// What `rollcall directories` says. The end-to-end tests have what a server does about it.
@Suite("Directories on the command line")
final class DirectoriesTests: Desk {
    override init() throws {
        try super.init()
        try importing("id,login\n7,ada\n9,bob\n")
        try importing("id,login\n1,zoe\n", into: "crew")
    }

    private func objects(_ words: String...) throws -> [[String: Any]] {
        let output = rollcall(line: "directories " + words.joined(separator: " ")).output
        return try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
    }

    @Test func directoriesAreListed() throws {
        let printed = rollcall("directories").output
        let lines = printed.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines[0] == ["directory", "title", "source", "users", "pictures", "last", "import"])
        #expect(lines[1].prefix(5) == ["team", "(default)", "team", "file", "2"])
        #expect(lines[2].prefix(5) == ["crew", "crew", "file", "1", "0"] && lines[2][5].hasSuffix("Z"))
        let all = try objects("--format", "json")
        #expect(all.map { $0["slug"] as? String } == ["team", "crew"])
        #expect(all[0]["users"] as? Int == 2 && all[0]["isDefault"] as? Bool == true)
    }

    @Test func looksAndPrivacyAreListed() throws {
        let looks = "--private --accent #0a7d5a --link Mail=mailto:a@b.example"
        #expect(rollcall(line: "directories describe crew " + looks).output == "crew is described\n")
        #expect(rollcall("directories").output.contains("\ncrew (private)"))
        let crew = try #require(objects("describe", "crew").first)
        #expect(crew["isPrivate"] as? Bool == true && crew["accent"] as? String == "#0a7d5a")
        #expect((crew["links"] as? [[String: String]])?.first?["label"] == "Mail")
    }

    @Test(arguments: [
        ("reindex team", "team: rebuilt the orders, filters and search index of 2 users\n", ""),
        ("reindex nobody", "", "has no directory nobody; it has team, crew"),
        ("rename crew new", "crew is now called new\n", ""), ("default crew", "crew is now the default\n", ""),
        ("rename crow new", "", "has no directory crow; it has team, crew"),
        ("rename crew team", "", "directory team exists already"),
        ("default crow", "", "has no directory crow"),
        ("remove crew", "", "expected --yes to remove crew and its 1 users"),
        ("remove crew --yes", "removed crew with 1 users\n", ""),
        ("describe crow --title X", "", "has no directory crow"),
        ("settings crow", "", "has no directory crow; it has team, crew"),
    ])
    func eachCommandSaysWhatItDid(_ line: String, _ said: String, _ error: String) {
        let output = rollcall(line: "directories " + line)
        #expect(output.output == said && output.status == (error.isEmpty ? 0 : 1), "\(output)")
        #expect(error.isEmpty ? output.error.isEmpty : output.error.contains(error), "\(output)")
        if !error.isEmpty {
            store.refresh()
            #expect(store.storedDirectories.map(\.slug.text) == ["team", "crew"])
        }
    }

    /// The file, its format, this one, and what to do; not a byte of it changes.
    @Test func aDatabaseOfALaterFormatIsRefusedByEveryCommand() throws {
        try SQLiteFile(database).execute("PRAGMA user_version = 99")
        let bytes = stored
        let copied = said { Rollcall.status(of: ["copy", database, path("other.sqlite")]) }
        let lines = [
            "export", "forget ada", "show ada", "directories", "pictures", "wall", "list",
            "backup \(path("copy"))",
            "directories remove team --yes", "directories describe team --title x",
            "import file \(try write("list.csv", "Name\nBob\n")) --directory team",
        ]
        for output in lines.map({ rollcall(line: $0) }) + [copied] {
            #expect(output.status == 1 && output.error.contains("\(database) has format 99, of "), "\(output)")
            #expect(output.error.contains("use the newer one"), "\(output)")
            #expect(output.error.split(separator: "\n").count == 1, "\(output)")
        }
        #expect(try stored == bytes && !files.contains { $0.hasPrefix("copy") || $0.hasPrefix("other") })
    }
}
