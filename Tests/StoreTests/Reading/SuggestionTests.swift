import People
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Names that a search without matches may mean", .onEveryStore)
final class SuggestionTests: DirectoryStage {
    private var directory: Int64 { writer.directory.id }

    override init() throws {
        try super.init()
        let names: [String?] = [
            "Jürgen Groß", "Anna Müller", "Anna Müller", "Anne Miller", "Hans Muller-Thurgau", "Alexander Schmidt", nil,
        ]
        _ = try writer.write(names.enumerated().map { User(id: Int64($0 + 1), login: "login\($0)", name: $1) })
    }

    @Test(arguments: [
        ("jurgne", ["Jürgen Groß"]), ("Jurgne Gros", ["Jürgen Groß"]),
        ("mulller", ["Anna Müller", "Hans Muller-Thurgau"]),
        ("anna muler", ["Anna Müller"]), ("aleksander", ["Alexander Schmidt"]), ("aleksandr", []),
        ("llogin6", ["login6"]), ("grs", []), ("zzzz", []), ("jurgne zz", []), ("aleksndr", []),
    ])
    func theyAreSpelledAlmostAlike(_ text: String, _ names: [String]) throws {
        let search = try #require(Search(text))
        #expect(try reader.suggestions(for: search, directory: directory, limit: 3).map(\.name) == names)
    }

    /// The result depends on counts alone: among people who share as many n-grams, the texts of the first are read.
    @Test(arguments: [
        (SearchEngine.SuggestionLimits.texts - 1, ["Xaverius"]), (SearchEngine.SuggestionLimits.texts, [String]()),
    ])
    func theWorkIsLimited(_ others: Int, _ names: [String]) throws {
        // Three n-grams of the word each, and none has it.
        var users = (0..<others).map { User(id: Int64($0 + 100), login: "x\($0)", name: "Averi\($0) Xavq") }
        users.append(User(id: 10_000, login: "last", name: "Xaverius"))
        _ = try writer.write(users)
        let found = try reader.suggestions(for: try #require(Search("xaveris")), directory: directory, limit: 3)
        #expect(found.map(\.name) == names)
    }

    @Test func aWholeNameIsFoundHoweverShort() throws {
        _ = try writer.write([User(id: 50, login: "li-bo", name: "Li Bo")])
        let found = try reader.suggestions(for: try #require(Search("li bo")), directory: directory, limit: 3)
        #expect(found == [SimilarPerson(name: "Li Bo", login: "li-bo")])
    }

    @Test func atMostTheLimitIsReturned() throws {
        let search = try #require(Search("mulller"))
        let found = try reader.suggestions(for: search, directory: directory, limit: 1)
        #expect(found == [SimilarPerson(name: "Anna Müller", login: "login1")])
        #expect(try reader.suggestions(for: search, directory: 99, limit: 3) == [])
    }
}
