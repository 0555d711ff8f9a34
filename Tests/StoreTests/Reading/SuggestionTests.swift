import Directories
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Names that a search without matches may mean", .onEveryStore)
struct SuggestionTests {
    private let database: TestedDatabase
    private let store: any EngineStore
    private let directory: Int64

    init() throws {
        database = try TestedDatabase()
        store = try database.open()
        let writer = try store.openDirectory(StoreSuite.slug, title: nil, source: "test")
        let names: [String?] = [
            "Jürgen Groß", "Anna Müller", "Anna Müller", "Anne Miller", "Hans Muller-Thurgau", "Alexander Schmidt", nil,
        ]
        _ = try writer.write(names.enumerated().map { User(id: Int64($0 + 1), login: "login\($0)", name: $1) })
        directory = writer.directory.id
    }

    @Test(arguments: [
        ("jurgne", ["Jürgen Groß"]), ("Jurgne Gros", ["Jürgen Groß"]),
        ("mulller", ["Anna Müller", "Hans Muller-Thurgau"]),
        ("anna muler", ["Anna Müller"]), ("aleksander", ["Alexander Schmidt"]), ("aleksandr", []),
        ("llogin6", ["login6"]), ("grs", []), ("zzzz", []), ("jurgne zz", []), ("aleksndr", []),
    ])
    func theyAreSpelledAlmostAlike(_ text: String, _ names: [String]) throws {
        let search = try #require(Search(text))
        #expect(try store.makeReader().suggestions(for: search, directory: directory, limit: 3) == names)
    }

    @Test func atMostTheLimitIsReturned() throws {
        let search = try #require(Search("mulller"))
        #expect(try store.makeReader().suggestions(for: search, directory: directory, limit: 1) == ["Anna Müller"])
        #expect(try store.makeReader().suggestions(for: search, directory: 99, limit: 3) == [])
    }
}
