import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Filters", .onEveryStore)
final class FilterTests: DirectoryStage {
    private static let choices: [[ChosenFilter]] = [
        [ChosenFilter(.status, "Alive")], [ChosenFilter(.species, "Human \"x\"")],
        [ChosenFilter(.status, "Dead"), ChosenFilter(.gender, "Female")],
        [ChosenFilter(.status, "unknown"), ChosenFilter(.species, "Alien"), ChosenFilter(.gender, "Male")],
        [ChosenFilter(.status, "Nobody has this")], [ChosenFilter(.type, "User")],
        [ChosenFilter(.status, ["Alive", "Nobody has this", "unknown"])],
        [ChosenFilter(.status, ["Alive", "Dead"]), ChosenFilter(.gender, ["Female", "Male"])],
    ]

    private func character(_ random: inout SplitMix, _ id: Int64) -> User {
        var user = random.user(id: id)
        let status = ["Alive", "Dead", "unknown"].randomElement(using: &random)!
        let species = ["Human \\\"x\\\"", "Alien"].randomElement(using: &random)!
        let gender = ["\"Female\"", "\"Male\"", "\"\"", "null", "7"].randomElement(using: &random)!
        user.more = #"{"status":"\#(status)","species":"\#(species)","gender":\#(gender)}"#
        return user
    }

    /// Compares the counts in the store with counts of the model.
    private func checkCounts(_ model: Model, _ filters: [Filter]) throws {
        let found = try database.open().directories[0].filters
        for filter in filters {
            var counts: [String: Int] = [:]
            for user in model.users.values {
                if let value = user.values[filter], !value.isEmpty { counts[value, default: 0] += 1 }
            }
            let values = found.first { $0.filter == filter }?.values ?? []
            #expect(Dictionary(uniqueKeysWithValues: values.map { ($0.value, $0.count) }) == counts, "\(filter)")
            #expect(values.map(\.count) == values.map(\.count).sorted(by: >))
        }
    }

    /// Searches with and without an exact count, words combined with filters, in all orders, while users are added,
    /// changed and removed.
    @Test(arguments: [10_000, 5])
    func pagesAreRightFromEveryEntryPoint(counted: Int) throws {
        var random = SplitMix(walk: 71)
        var model = Model()
        try writer.adopt(.of(.rickAndMorty))
        let readers = try StoreSuite.sorts.map { (sort: $0, reader: try store.makeStoreReader()) }
        for (_, reader) in readers { reader.searchEngine.limits.counted = counted }
        for round in 0..<RandomWalk.rounds(3) {
            let batch = (0..<[150, 50, 0][round % 3]).map { _ in
                character(&random, Int64.random(in: 1...250, using: &random))
            }
            try writer.beginPruning()
            model.write(batch)
            if round == 2 { model.users = model.users.filter { $0.key % 3 > 0 } }
            _ = try writer.write(UserBatch(model.users.values))
            _ = try writer.removeUsersNotWritten(.missing)
            try checkCounts(model, [.status, .species, .gender])
            let words = counted > 5 ? ["", "ka", "kaRo mi"] : [""]
            for (sort, reader) in readers {
                for filters in Self.choices {
                    for text in words {
                        let search = try #require(Search(text, filters: filters))
                        try StoreSuite.check(reader, model, writer.directory.id, sort, &random, search: search)
                    }
                }
            }
        }
    }

    /// The client may have seen another spelling of the value before an import, and need not know the current one.
    @Test func aValueMatchesInAnyCase() throws {
        _ = try writer.write([User(id: 1, login: "ada"), User(id: 2, login: "bo", type: "Bot")])
        for text in ["Bot", "bot", "BOT"] { #expect(try ids(ofType: text) == [2]) }
    }

    private func page(ofType type: String) throws -> Page {
        let search = Search("", filters: [ChosenFilter(.type, type)])
        let query = UserQuery(directory: writer.directory.id, search: search, limit: 9)
        return try #require(try reader.page(query))
    }

    private func ids(ofType type: String) throws -> [Int64] { try page(ofType: type).users.rows.map(\.id) }

    @Test func valuesThatDifferOnlyInCaseAreOneValue() throws {
        func write(_ types: [String], from first: Int64) throws {
            let users = zip(first..., types).map { User(id: $0, login: "bot\($0)", type: $1) }
            #expect(try writer.write(users).added == types.count)
        }
        try write(["Bot", "bot", "ÄRZTIN", "User", "ärztin", "bot"], from: 1)
        // Another process knows only what is in the file.
        let other = try database.open().openDirectory(writer.directory.slug, title: nil, source: "file")
        _ = try other.write([User(id: 7, login: "bot7", type: "BOT"), User(id: 8, login: "bot8", type: "Ärztin")])
        let page = try self.page(ofType: "bot")
        #expect(page.users.rows.map(\.id) == [1, 2, 6, 7])
        let counts = ["Bot": 4, "ÄRZTIN": 3, "User": 1]
        #expect(page.directory.filters.first?.values.map(\.value).sorted() == counts.keys.sorted())
        #expect(page.directory.filters.first?.values.allSatisfy { counts[$0.value] == $0.count } == true)
    }

    @Test func aChangedValueMovesTheUser() throws {
        _ = try writer.write([User(id: 1, login: "ada"), User(id: 2, login: "bo", type: "Bot")])
        #expect(try writer.write([User(id: 1, login: "ada", type: "Bot")]) == WriteCounts(changed: 1))
        #expect(try ids(ofType: "Bot") == [1, 2])
        #expect(try page(ofType: "Bot").directory.filters == [FilterCounts(.type, [.init(value: "Bot", count: 2)])])
        _ = try store.forget(.login("bo"), in: nil)
        #expect(try ids(ofType: "Bot") == [1])
        #expect(try page(ofType: "Bot").directory.filters == [FilterCounts(.type, [.init(value: "Bot", count: 1)])])
    }

    @Test func stackExchangeUsersAreRegistered() throws {
        let users = ["registered", "moderator"].enumerated().map { id, type in
            User(id: Int64(id + 1), login: "u\(id)", more: #"{"user_type":"\#(type)"}"#)
        }
        try writer.adopt(.of(.stackExchange))
        _ = try writer.write(users)
        let values = [FilterCounts.Value(value: "moderator", count: 1), .init(value: "registered", count: 1)]
        #expect(writer.directory.filters == [FilterCounts(Filter("user_type"), values)])
    }

    @Test func aFieldWithTooManyValuesIsNeverAFilterAgain() throws {
        let users = (1...60).map { User(id: Int64($0), login: "u\($0)", type: "type \($0)") }
        _ = try writer.write(Array(users.prefix(Filter.maxValues)))
        #expect(writer.directory.filters.first?.values.count == Filter.maxValues)
        _ = try writer.write(users)
        #expect(writer.directory.filters == [])
        try writer.beginPruning()
        _ = try writer.write(Array(users.prefix(2)))
        _ = try writer.removeUsersNotWritten(.missing)
        #expect(writer.directory.filters == [], "its counts would be incomplete")
        #expect(try reader.page(UserQuery(directory: writer.directory.id, limit: 9))?.total == 2)
    }

    /// The text stayed in the table, without a number of people.
    @Test func nothingIsKeptOfAValueThatNobodyHas() throws {
        _ = try writer.write([User(id: 1, login: "ada", type: "Secret"), User(id: 2, login: "bo", type: "Bot")])
        _ = try writer.write([User(id: 1, login: "ada", type: "Open")])
        #expect(try database.number("SELECT count(*) FROM filterValue WHERE value = 'Secret'") == 0)
        _ = try writer.write([User(id: 3, login: "cy", type: "Third")])
        let values = ["Bot", "Open", "Third"].map { FilterCounts.Value(value: $0, count: 1) }
        #expect(writer.directory.filters == [FilterCounts(.type, values)])
        #expect(try database.number("SELECT count(*) FROM filterValue") == 3, "the number is used again")
        let other = try database.open().openDirectory(slug, title: nil, source: "file")
        _ = try other.write([User(id: 4, login: "di", type: "Secret"), User(id: 3, login: "cy", type: "Bot")])
        #expect(try ids(ofType: "Third") == [] && ids(ofType: "Secret") == [4] && ids(ofType: "Bot") == [2, 3])
    }

    /// Directories whose settings name no filters offered a private type, and counted it.
    @Test func whatIsPrivateIsNoFilter() throws {
        _ = try writer.write([User(id: 1, login: "ada"), User(id: 2, login: "bo", type: "Bot")])
        #expect(writer.directory.filters.map(\.filter) == [.type])
        try store.set(.field("type", .private), of: slug)
        let page = try self.page(ofType: "Bot")
        #expect(page.total == 0 && page.directory.filters == [])
        #expect(try database.number("SELECT count(*) FROM filterValue") == 0)
        try store.set(DirectorySettings(), of: slug)
        #expect(try self.page(ofType: "Bot").total == 1)
    }

    @Test func longValuesAreNotCounted() throws {
        let long = String(repeating: "x", count: Filter.maxValueBytes + 1)
        _ = try writer.write([User(id: 1, login: "ada", type: long), User(id: 2, login: "bo", type: "User")])
        #expect(writer.directory.filters == [FilterCounts(.type, [.init(value: "User", count: 1)])])
    }

    /// The next transaction does not build on counts that were rolled back.
    @Test func aFailedBatchChangesNoCounts() throws {
        _ = try writer.write([User(id: 1, login: "ada", type: "User")])
        #expect(throws: StoreError.self) {
            try writer.write([User(id: 2, login: "bo", type: "Bot"), User(id: 3, login: "")])
        }
        _ = try writer.write([User(id: 4, login: "cy", type: "Club")])
        let values = [FilterCounts.Value(value: "Club", count: 1), .init(value: "User", count: 1)]
        #expect(writer.directory.filters == [FilterCounts(.type, values)])
    }

    @Test func removingADirectoryRemovesItsFilters() throws {
        _ = try writer.write([User(id: 1, login: "ada")])
        try store.remove(slug)
        #expect(try database.number("SELECT count(*) FROM filterValue") == 0)
    }
}
