import People
import Publishing
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// Counts bound the reads of a search, whatever its words are.
@Suite("The cost of searches", .onEveryStore)
struct SearchCostTests {
    private let database: TestedDatabase
    private let reader: StoreReader
    private let writer: any DirectoryWriter

    init() throws {
        database = try TestedDatabase()
        let store = try database.open()
        reader = try store.makeStoreReader()
        writer = try store.openDirectory(StoreSuite.slug, title: nil, source: "test")
        reader.searchEngine.limits.counted = 10
    }

    private func write(_ names: [String]) throws {
        _ = try writer.write(names.enumerated().map { User(id: Int64($0 + 1), login: "u\($0)", name: $1) })
    }

    private func query(_ text: String, _ start: UserQuery.Start = .first, limit: Int = 7) throws -> UserQuery {
        let search = try #require(Search(text))
        return UserQuery(
            directory: writer.directory.id, search: search, sort: Sort(.relevance(then: Sort(.name))), start: start,
            limit: limit)
    }

    /// Many titles begin like the word, and the people have it elsewhere.
    @Test func theTextsOfATierAreNotAllRead() throws {
        try write((0..<400).map { "Maria\($0) Hoffmann" } + (0..<40).map { "Mia\($0) Manger" } + ["Manfred Abt"])
        func read() throws -> Int {
            let before = reader.searchEngine.texts.count
            #expect(try reader.page(query("man"))?.users.rows.count == 7)
            return reader.searchEngine.texts.count - before
        }
        #expect(try read() > 400)
        reader.searchEngine.cache = SearchCache()
        reader.searchEngine.limits.tierTexts = 20
        #expect(try read() < 100)
    }

    /// Everybody's title begins with the word, which the index knows: the end of the list is found by few texts.
    @Test func theWorstMatchesAreFoundByFewTexts() throws {
        try write((0..<400).map { "Johanna\($0) Abt" })
        reader.searchEngine.limits.tierTexts = 20
        reader.searchEngine.limits.matchedByOffset = 20
        var query = try query("jo")
        query.sort.direction = .descending
        #expect(try reader.page(query)?.users.rows.count == 7)
        #expect(reader.searchEngine.texts.count < 100)
    }

    /// Whichever tier somebody belongs to, a walk from either end meets everybody once.
    @Test(arguments: [0, 3, 20, 2_000], ["k", "ka", "kar", "ka mi", "k m", "민", "미", "karo", "-k", "ㄱ"])
    func everyMatchIsFoundOnce(_ tierTexts: Int, _ text: String) throws {
        let parts = ["Ka", "Karo", "Mika", "Karomi", "Roka", "민준", "미나", "Mi", "K-ka", "Akami", "김미"]
        try write((0..<242).map { "\(parts[$0 % 11]) \(parts[$0 / 11 % 11])\($0)" } + ["ka", "ka mi", "k m", "kar"])
        reader.searchEngine.limits.counted = 0
        let exact = try #require(try reader.page(query(text, limit: 300)))
        reader.searchEngine.cache = SearchCache()
        reader.searchEngine.limits.tierTexts = tierTexts
        reader.searchEngine.limits.provenFrom = 50
        for limit in [7, 120] {
            var forward = try query(text, limit: limit)
            var backward = try query(text, .last, limit: limit)
            let ids = try StoreSuite.chain(reader, &forward, backward: false)
            #expect(Set(ids).count == ids.count && Set(ids) == Set(exact.users.rows.map(\.id)))
            #expect(try StoreSuite.chain(reader, &backward, backward: true) == ids)
            if tierTexts == 2_000 { #expect(ids == exact.users.rows.map(\.id)) }
        }
    }

    /// A page far down a search of counted matches, whose positions are exact.
    @Test func aPageByNumberReadsFewTexts() throws {
        try write((0..<300).map { "Zoltan Abt\($0)" } + (0..<300).map { "Anna\($0) Zoltansen" })
        reader.searchEngine.limits = SearchLimits(accented: 100, provenFrom: 100)
        let page = try reader.page(query("zoltan", .at(400)))
        #expect(page?.firstPosition == 401)
        #expect(page?.total == 600)
        #expect(page?.users.rows.allSatisfy { $0.id > 300 } == true)
        #expect(reader.searchEngine.texts.count < 50)
    }

    /// Everybody has the n-grams of the word, and nobody has the word.
    @Test func textsThatDecideAboutAWordAreLimited() throws {
        try write((0..<60).map { "Anna\($0) Nabu" })
        reader.searchEngine.limits.maxTextsVerified = 60
        #expect(try reader.page(query("annab"))?.users.rows.isEmpty == true)
        reader.searchEngine.cache = SearchCache()
        reader.searchEngine.limits.maxTextsVerified = 59
        #expect(reason { _ = try reader.page(query("annab")) } == .tooBroad)
        let filter = ChosenFilter(.type, ["User"])
        let counts = try reader.counts(of: [filter], among: try #require(Search("annab")), in: writer.directory.id)
        #expect(counts?.first == .some(nil))
    }
}
