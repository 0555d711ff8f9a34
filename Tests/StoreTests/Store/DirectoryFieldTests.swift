import Base
import Foundation
import Indexes
import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// Orders, filters and searches by the fields of a table, compared with a model.
@Suite("Fields of a directory", .onEveryStore)
final class DirectoryFieldTests: DirectoryStage {
    /// A team, skills, a date and a number.
    static let settings: DirectorySettings = {
        var settings = DirectorySettings()
        var (skills, joined, score) = (
            FieldSettings(key: "skills", from: "Skills"), FieldSettings(key: "joined", from: "Joined"),
            FieldSettings(key: "reputation", from: "Score")
        )
        (skills.type, skills.split) = (.list, ";")
        joined.type = .date
        score.type = .number
        settings.own.fields = [
            FieldSettings(key: "department", from: "Team"), skills, joined, score,
            FieldSettings(key: "last_name", from: "Last"),
        ]
        settings.own.search = ["department", "skills"]
        settings.own.filters = ["department", "skills"]
        // People can be sorted by their reputation without an offer.
        settings.own.sorts = ["place", "name", "surname", "joined", "department"]
        return settings
    }()

    static let sorts: [Sort] =
        ResolvedSettings(settings).shown.orders.flatMap { order in
            Sort.Direction.allCases.map { Sort(.field(order), $0) }
        } + [Sort(.login), Sort(.name, .descending), Sort(.id, .descending)]

    static func user(id: Int64, _ random: inout SplitMix) -> User {
        var user = random.user(id: id)
        let choose = { (random: inout SplitMix, values: [String]) in values.randomElement(using: &random)! }
        var columns: [String: String] = [:]
        columns["Team"] = choose(&random, ["Sales", "Technik", "김팀", "SALES", ""])
        columns["Skills"] = choose(&random, ["Swift; Rust", "Rust;Go;Rust", "go", "", "Kamiß"])
        columns["Joined"] = choose(&random, ["2019-03-01", "1969-12-31", "2025-10-02", "", "soon"])
        columns["Score"] = choose(&random, ["", "7", "-12", "112"])
        columns["Last"] = choose(&random, ["", "Müller", "müller", "Groß", "김"])
        let members = columns.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
        user.more = "{" + members.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
        return user
    }

    static func batch(_ users: [User], of directory: StoredDirectory) -> UserBatch {
        let batch = UserBatch(settings: directory.settings)
        for (user, place) in zip(users, Int64(1)...) { batch.append(user) { $0.place = place } }
        return batch
    }

    /// Writes all users of the model in a random sequence, and notes their places.
    private func write(_ model: inout Model, _ random: inout SplitMix) throws -> WriteCounts {
        let users = model.users.values.sorted { $0.id < $1.id }.shuffled(using: &random)
        model.places = Dictionary(uniqueKeysWithValues: zip(users.map(\.id), 1...))
        try writer.beginPruning()
        let counts = try writer.write(Self.batch(users, of: writer.directory))
        _ = try writer.removeUsersNotWritten(.missing)
        return counts
    }

    @Test func pagesAreRightFromEveryEntryPointAfterEveryChange() throws {
        try writer.adopt(Self.settings)
        var random = SplitMix(walk: 31)
        var model = Model()
        model.settings = writer.directory.settings.shown
        let readers = try StoreSuite.readers(store, sorts: Self.sorts)
        for round in 0..<RandomWalk.rounds(5) {
            if round % 5 == 3 { model.users = model.users.filter { $0.key % 3 > 0 } }
            let size = [300, 40, 1, 0, 0][round % 5]
            for _ in 0..<size {
                let id = Int64.random(in: 1...500, using: &random)
                model.users[id] = Self.user(id: id, &random)
            }
            let counts = try write(&model, &random)
            if round % 5 == 4 {
                #expect(counts == WriteCounts(unchanged: model.users.count), "only the places are others")
            }
            for (index, (sort, reader)) in readers.enumerated() {
                try check(reader, model, sort, &random)
                // Every other search. The others come in the next round, and in the next order.
                for (number, (text, filters)) in Self.searches.enumerated() where number % 2 == (round + index) % 2 {
                    let search = try #require(Search(text, filters: filters))
                    try check(reader, model, sort, &random, search: search)
                }
            }
        }
        try checkCounts(model)
    }

    private static let searches: [(String, [ChosenFilter])] = [
        ("", [ChosenFilter(Filter("department"), "Sales")]), ("", [ChosenFilter(Filter("skills"), "rust")]),
        ("ka", [ChosenFilter(Filter("skills"), "Go"), ChosenFilter(Filter("department"), "technik")]),
        ("technik", []), ("rust ka", []), ("wift", []), ("rust go", []), ("go", []), ("nobody has this", []),
        ("", [ChosenFilter(Filter("department"), "Nobody")]),
        ("", [ChosenFilter(Filter("skills"), ["Go", "Swift"]), ChosenFilter(Filter("department"), ["Sales", "김팀"])]),
        ("ka", [ChosenFilter(Filter("skills"), ["Go", "Nobody", "rust"])]),
        ("", [ranges("joined", "2019..2024")]), ("", [ranges("joined", "..1969", "2025-10")]),
        ("", [ranges("reputation", "8..")]),
        ("ka", [ranges("reputation", "..12"), ChosenFilter(Filter("skills"), "go")]),
        ("", [ranges("joined", "2030..")]), ("", [ranges("reputation", "-1..2")]),
    ]

    private static func ranges(_ key: String, _ texts: String...) -> ChosenFilter {
        let resolved = ResolvedSettings(settings).shown
        return ChosenFilter(Filter(key), [], ranges: texts.compactMap { ValueRange($0, of: Filter(key), in: resolved) })
    }

    /// The counts beside each filter, compared with those of the model: with several filters and words, while the
    /// directory changes, and from what is kept.
    @Test(arguments: [10_000, 5])
    func valuesAreCountedAmongThoseWhomAllElseLeaves(counted: Int) throws {
        try writer.adopt(Self.settings)
        var random = SplitMix(walk: 77)
        var model = Model()
        model.settings = writer.directory.settings.shown
        let reader = try store.makeStoreReader()
        reader.searchEngine.limits.counted = counted
        for size in [300, 40] {
            for _ in 0..<size {
                let id = Int64.random(in: 1...500, using: &random)
                model.users[id] = Self.user(id: id, &random)
            }
            _ = try write(&model, &random)
            for (text, filters) in Self.searches + Self.searches {
                let search = try #require(Search(text, filters: filters))
                try checkCounts(of: search, reader, model, areCounted: counted > 5 || search.words.isEmpty)
            }
        }
    }

    private func checkCounts(of search: Search, _ reader: StoreReader, _ model: Model, areCounted: Bool) throws {
        let asked = writer.directory.filters.map { ChosenFilter($0.filter, $0.values.map(\.value)) }
        let counts = try #require(try reader.counts(of: asked, among: search, in: writer.directory.id))
        for (filter, counts) in zip(asked, counts) {
            let others = search.filtered { $0.filter != filter.filter }
            let users = model.users.values.filter { others?.matches($0, model.settings) ?? true }
            guard let counts else {
                #expect(!areCounted && users.count > 5)
                continue
            }
            let expected = filter.values.map { value in
                let one = Search("", filters: [ChosenFilter(filter.filter, value)])
                return users.count { one?.matches($0, model.settings) ?? false }
            }
            #expect(counts == expected, "\(search)")
        }
    }

    /// A filter of numbers or dates that is not an order finds its ranges by the values.
    @Test func rangesNeedNoOrder() throws {
        var settings = Self.settings
        settings.own.filters = ["joined", "reputation"]
        settings.own.sorts = []
        try writer.adopt(settings)
        var random = SplitMix(walk: 5)
        var model = Model()
        model.settings = writer.directory.settings.shown
        for id in 1...200 as ClosedRange<Int64> { model.users[id] = Self.user(id: id, &random) }
        _ = try write(&model, &random)
        for filter in [
            Self.ranges("joined", "2019..2024"), Self.ranges("reputation", "8.."),
            Self.ranges("joined", "..2019", "2025"),
            ChosenFilter(Filter("reputation"), ["7"], ranges: Self.ranges("reputation", "100..").ranges),
        ] {
            let search = try #require(Search("", filters: [filter]))
            let page = try reader.page(UserQuery(directory: writer.directory.id, search: search, limit: 100))
            #expect(page?.total == model.sorted(Sort(), search).count && page?.total ?? 0 > 0, "\(filter)")
        }
    }

    private func check(
        _ reader: any UserReader, _ model: Model, _ sort: Sort, _ random: inout SplitMix, search: Search? = nil
    ) throws {
        if case .field(let order) = sort.key, order.key == "reputation" {
            // Numbers are stored in a form that sorts the same way; only the sequence is compared.
            var query = UserQuery(directory: writer.directory.id, search: search, sort: sort, limit: 100)
            let ids = try StoreSuite.chain(reader, &query, backward: false)
            #expect(ids == model.sorted(sort, search).map(\.id))
            return
        }
        try StoreSuite.check(reader, model, writer.directory.id, sort, &random, search: search)
    }

    private func checkCounts(_ model: Model) throws {
        let filters = try database.open().directories[0].filters
        #expect(filters.map(\.filter.key) == ["department", "skills"])
        for (filter, field) in zip(filters, model.settings.filters) {
            var counts: [String: Int] = [:]
            for user in model.users.values {
                for value in Set(user.values(of: model.settings.fields[field]).map(\.folded)) {
                    counts[value, default: 0] += 1
                }
            }
            #expect(Dictionary(uniqueKeysWithValues: filter.values.map { ($0.value.folded, $0.count) }) == counts)
        }
    }

    // MARK: - Changes of settings

    private var directory: StoredDirectory { get throws { try database.open().storedDirectories[0] } }

    private func expectWhole(_ model: Model) throws {
        var random = SplitMix(walk: 5)
        for sort in Self.sorts {
            guard case .field = sort.key else { continue }
            try check(reader, model, sort, &random)
        }
        for (text, filters) in Self.searches {
            let search: Search = try #require(Search(text, filters: filters))
            try check(reader, model, Sort(.name), &random, search: search)
        }
        try checkCounts(model)
        let connection = try store.makeReadingConnection()
        let texts = try connection.statement("SELECT id, content FROM userText1")
        defer { texts.reset() }
        var expected: [Int64: String] = [:]
        while try texts.step() {
            expected[texts.number(0)] = String(decoding: SavedText(texts.blob(1)).text, as: UTF8.self)
        }
        #expect(try NGramOffsets(in: connection.blobs(.userNGram, of: 1)).ofTexts == NGramOffsets(of: expected))
    }

    /// Deriving users again gives the same as importing them again, except for their positions.
    @Test func changedSettingsApplyToUsersThatAreThereAlready() throws {
        var random = SplitMix(walk: 37)
        var model = Model()
        for id in 1...200 as ClosedRange<Int64> { model.users[id] = Self.user(id: id, &random) }
        _ = try write(&model, &random)
        let before = try directory
        try store.set(Self.settings, of: slug)
        #expect(try directory.generation > before.generation && directory.total == 200)
        model.settings = try directory.settings.shown
        let places = model.places
        model.places = [:]
        try expectWhole(model)
        // The next import sets the positions, and nobody counts as changed.
        model.places = places
        let users = model.users.values.sorted { places[$0.id]! < places[$1.id]! }
        #expect(try writer.write(Self.batch(users, of: directory)) == WriteCounts(unchanged: 200))
        try expectWhole(model)
        // Other labels derive nothing again, and a forced derivation changes nothing.
        var labelled = Self.settings
        labelled.own.fields[0].label = .text("Abteilung")
        try store.set(labelled, of: slug)
        var done = 0
        try store.reindex(slug) { done = $0 }
        #expect(done == 200)
        try expectWhole(model)
        // Without settings, nobody is filtered, searched or sorted by a field.
        try store.set(DirectorySettings(), of: slug)
        #expect(try database.open().directories[0].filters.isEmpty)
        #expect(try reader.page(UserQuery(directory: 1, search: Search("technik"), limit: 9))?.total == 0)
        #expect(throws: StoreError.self) {
            try reader.page(UserQuery(directory: 1, sort: Self.sorts[0], limit: 9))
        }
    }

    @Test func theFiltersOfAServiceAreThoseOfItsSettings() throws {
        let users = [
            User(id: 1, login: "rick", more: #"{"status":"Alive","species":"Human","gender":"Male"}"#),
            User(id: 2, login: "beth", more: #"{"status":"Dead","species":"Human","gender":"Female"}"#),
        ]
        var settings = DirectorySettings.of(.rickAndMorty)
        try writer.adopt(settings)
        _ = try writer.write(users)
        let filters = writer.directory.filters
        settings.own.search = ["species"]
        try writer.adopt(settings)
        #expect(writer.directory.filters == filters && filters.count == 3)
        settings.own.filters = ["species", "status"]
        try writer.adopt(settings)
        #expect(writer.directory.filters.map(\.filter) == [.species, .status])
        #expect(try writer.write(users) == WriteCounts(unchanged: 2))
    }

    // MARK: - Private and erased values

    private func files(contain text: String) throws -> Bool { try database.holds(text) }

    private func settings(_ visibility: FieldVisibility) -> DirectorySettings {
        var settings = Self.settings
        var salary = FieldSettings(key: "salary", from: "Gehalt")
        salary.show = visibility
        settings.own.fields.append(salary)
        settings.own.search?.append("salary")
        settings.own.filters?.append("salary")
        return settings
    }

    @Test func privateValuesAreStoredAndReadByTheirPublisherOnly() throws {
        let more = #"{"Gehalt":"72000-secret","Team":"Sales"}"#
        try writer.adopt(settings(.private))
        _ = try writer.write(Self.batch([User(id: 1, login: "anna", more: more)], of: writer.directory))
        let query = UserQuery(directory: 1, limit: 9)
        for sort in Self.sorts {
            var query = query
            query.sort = sort
            #expect(try reader.page(query)?.users.users.map(\.more) == [#"{"Team":"Sales"}"#])
            query.search = Search("anna")
            #expect(try reader.page(query)?.users.users.map(\.more) == [#"{"Team":"Sales"}"#])
        }
        let anna = try reader.user(login: "anna", id: nil, directory: 1)
        #expect(anna?.users.users.map(\.more) == [#"{"Team":"Sales"}"#])
        #expect(try store.makeReader(for: .publisher).page(query)?.users.users.map(\.more) == [more])
        #expect(try reader.page(UserQuery(directory: 1, search: Search("72000"), limit: 9))?.total == 0)
        #expect(writer.directory.filters.map(\.filter.key) == ["department"])
        #expect(try files(contain: "72000-secret"))
    }

    @Test(arguments: [FieldVisibility.private, .never])
    func theTypeOfPeopleIsHiddenAndErasedLikeOtherFields(_ visibility: FieldVisibility) throws {
        _ = try writer.write([User(id: 1, login: "ann", type: "Trialist"), User(id: 2, login: "bo")])
        try store.set(.field("type", visibility), of: slug)
        let page = try #require(try reader.page(UserQuery(directory: writer.directory.id, limit: 10)))
        #expect(page.users.users.allSatisfy { $0.more == nil })
        #expect(try files(contain: "Trialist") == (visibility == .private))
    }

    @Test func aHiddenReputationSortsNobody() throws {
        _ = try writer.write(
            [5, 9, 1].enumerated().map { index, number in
                User(id: Int64(index) + 1, login: ["ann", "bo", "cy"][index], more: #"{"reputation":\#(number)}"#)
            })
        try store.set(.field("reputation", .private), of: slug)
        let sort = try #require(store.directories[0].settings.sort("reputation", .descending))
        #expect(sort == Sort())
        for search in [nil, Search("o"), Search("c")] {
            let query = UserQuery(directory: writer.directory.id, search: search, sort: sort, limit: 10)
            let ids = try #require(try reader.page(query)).users.rows.map { $0.id }
            #expect(ids == (search == nil ? [1, 2, 3] : search == Search("o") ? [2] : [3]))
        }
    }

    @Test(arguments: [FieldRole.login, .name])
    func namesThatAddressesAreMadeOfStayPublic(_ role: FieldRole) throws {
        try store.set(.field(role.rawValue, .private), of: slug)
        try store.set(DirectorySettings(), of: slug)
        _ = try writer.write([User(id: 1, login: "ann", name: "Ann")])
        #expect(throws: StoreError.self) { try store.set(.field(role.rawValue, .never), of: slug) }
        #expect(store.directories[0].settings == ResolvedSettings.empty.shown)
    }

    @Test func valuesThatAreNoLongerStoredAreErasedFromTheFile() throws {
        try writer.adopt(settings(.public))
        var users = (1...300).map {
            User(id: $0, login: "u\($0)", more: #"{"Gehalt":"7\#($0)-secret","Team":"Sales"}"#)
        }
        users[7].more = #"{"Gehalt":"78-secret"}"#
        let batch = Self.batch(users, of: writer.directory)
        _ = try writer.write(batch)
        let found = UserQuery(directory: 1, search: Search("secret"), limit: 9)
        #expect(try reader.page(found)?.total == 300)
        #expect(try files(contain: "secret"))
        try writer.adopt(settings(.never))
        #expect(try reader.page(found)?.total == 0)
        let page = try #require(try reader.page(UserQuery(directory: 1, limit: 100)))
        #expect(page.users.users[0].more == #"{"Team":"Sales"}"# && page.users.users[7].more == nil)
        #expect(try !files(contain: "secret"))
        #expect(try files(contain: "Sales"))
    }

    @Test func valuesOfHiddenPeopleAreErasedToo() throws {
        try writer.adopt(settings(.public))
        let batch = UserBatch(settings: writer.directory.settings)
        batch.append(User(id: 1, login: "anna", more: #"{"Gehalt":"secret"}"#)) { $0.marks = .hidden }
        _ = try writer.write(batch)
        #expect(try files(contain: "secret"))
        var only = settings(.public)
        only.own.fields = []
        only.own.others = .never
        try writer.adopt(only)
        #expect(try !files(contain: "secret"))
    }

    // MARK: - Files with some of the columns

    @Test func aFileWithSomeOfTheColumnsKeepsTheOthers() throws {
        var settings = DirectorySettings()
        settings.own.fields = [
            FieldSettings(key: "name", from: "{First} {Last}"), FieldSettings(key: "title", from: "Position"),
        ]
        settings.own.columns = ["First", "Last", "Position", "City"]
        try writer.adopt(settings)
        let more = #"{"First":"Anna","Last":"Müller","Position":"Boss","City":"Köln"}"#
        _ = try writer.write(
            Self.batch(
                [User(id: 1, login: "anna", name: "Anna Müller", more: more, generated: [])], of: writer.directory))

        func patch(_ headings: [String], name: String = "", _ more: String) throws -> (WriteCounts, User?) {
            let batch = UserBatch(settings: writer.directory.settings)
            batch.extent = .columns(headings)
            batch.append(User(id: 0, login: "", name: name, more: more)) { $0.handle = batch.buffer.keep("anna") }
            let counts = try writer.write(batch)
            return (counts, try reader.page(UserQuery(directory: 1, limit: 9))?.users.users.first)
        }

        let same = try patch(["City"], #"{"City":"Köln"}"#)
        #expect(same.0 == WriteCounts(unchanged: 1))
        let moved = try patch(["City"], #"{"City":"Bonn"}"#)
        #expect(moved.1?.more == #"{"First":"Anna","Last":"Müller","Position":"Boss","City":"Bonn"}"#)
        #expect(moved.0 == WriteCounts(changed: 1) && moved.1?.name == "Anna Müller" && moved.1?.login == "anna")
        let emptied = try patch(["Position"], #"{"Position":""}"#)
        #expect(emptied.1?.more == #"{"First":"Anna","Last":"Müller","City":"Bonn"}"#)
        let married = try patch(["Last", "Position"], name: "Bauer", #"{"Last":"Bauer","Position":"Boss"}"#)
        #expect(married.1?.name == "Anna Bauer")
        #expect(married.1?.more == #"{"First":"Anna","Last":"Bauer","Position":"Boss","City":"Bonn"}"#)
    }

    @Test(arguments: [UserFlags.noIndex, .hidden])
    func aFileWithoutMarksKeepsThem(_ mark: UserFlags) throws {
        func write(_ city: String, _ change: (UserBatch, inout UserToWrite) -> Void) throws {
            let batch = UserBatch(settings: writer.directory.settings)
            batch.append(User(id: 1, login: "anna", more: #"{"City":"\#(city)"}"#)) { change(batch, &$0) }
            _ = try writer.write(batch)
        }
        for marks in [[], mark] { try write("Ulm") { $1.marks = marks } }
        try write("Bonn") { batch, _ in batch.extent = .columns(["City"]) }
        let person = try #require(try database.open().people([.id(1)], in: nil).people.first)
        #expect(person.flags == mark && person.user?.more == #"{"City":"Bonn"}"#)
    }
}
