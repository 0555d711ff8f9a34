import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("People who were added lately")
struct AdditionTests {
    private func user(_ id: Int64, _ name: String = "Ann", type: String = "User") -> User {
        User(id: id, login: "u\(id)", name: name, type: type)
    }

    /// Calls `body` with a store, a writer of a directory with two people, a reader, and the generation of the
    /// directory.
    private func with(
        _ tested: TestedStore, _ body: (any PublisherStore, any DirectoryWriter, any UserReader, Int64) throws -> Void
    ) throws {
        try tested.with { store, _ in
            let writer = try store.openDirectory(StoreSuite.slug, title: nil, source: "test")
            _ = try writer.write([user(5), user(50, "Bob")])
            try body(store, writer, try store.makeReader(), writer.directory.generation)
        }
    }

    private func count(
        _ reader: any UserReader, _ directory: Int64, since generation: Int64, _ search: Search? = nil
    ) throws -> Int? {
        try #require(try reader.additions(among: search, in: directory)).count(since: generation)
    }

    @Test(arguments: TestedStore.allCases)
    func everybodyAddedSinceAGenerationIsCounted(_ tested: TestedStore) throws {
        try with(tested) { _, writer, reader, start in
            let id = writer.directory.id
            #expect(try count(reader, id, since: start) == 0)
            #expect(try count(reader, id, since: 0) == 2)
            _ = try writer.write([user(1), user(60)])
            let middle = writer.directory.generation
            _ = try writer.write([user(3, "Bob"), user(50, "Bobby")])
            #expect(try count(reader, id, since: start) == 3)
            #expect(try count(reader, id, since: middle) == 1)
            #expect(try count(reader, id, since: writer.directory.generation) == 0)
            #expect(try reader.additions(among: nil, in: 999) == nil)
            let later = try #require(try reader.additions(among: nil, in: id, after: middle))
            #expect(later.knownSince == middle && later.changes.map(\.count) == [1])
        }
    }

    @Test(arguments: TestedStore.allCases)
    func onlyThoseWhomTheSearchFindsCount(_ tested: TestedStore) throws {
        try with(tested) { _, writer, reader, start in
            let id = writer.directory.id
            _ = try writer.write([user(1, "Zoe"), user(2, "Zoë", type: "Bot"), user(3, "Ann", type: "Bot")])
            let bots = ChosenFilter(.type, ["Bot"])
            #expect(try count(reader, id, since: start, Search("zoe")) == 2)
            #expect(try count(reader, id, since: start, Search("", filters: [bots])) == 2)
            #expect(try count(reader, id, since: start, Search("zo", filters: [bots])) == 1)
            #expect(try count(reader, id, since: start, Search("bob")) == 0)
            #expect(try count(reader, id, since: start, Search("", filters: [ChosenFilter(.type, ["None"])])) == 0)
        }
    }

    @Test(arguments: TestedStore.allCases)
    func thoseWhoHaveLeftDoNotCountAndThoseWhoCameBackCountOnce(_ tested: TestedStore) throws {
        try with(tested) { _, writer, reader, start in
            let id = writer.directory.id
            _ = try writer.write([user(1), user(2), user(3)])
            try writer.beginPruning()
            _ = try writer.write([user(5), user(50, "Bob"), user(1)])
            #expect(try writer.removeUsersNotWritten(.missing) == 2)
            #expect(try count(reader, id, since: start) == 1)
            let middle = writer.directory.generation
            _ = try writer.write([user(3)])
            #expect(try count(reader, id, since: start) == 2)
            #expect(try count(reader, id, since: middle) == 1)
        }
    }

    @Test(arguments: TestedStore.allCases)
    func afterAPersonIsForgottenTheListsAreGone(_ tested: TestedStore) throws {
        try with(tested) { store, writer, reader, start in
            let id = writer.directory.id
            _ = try writer.write([user(1), user(2)])
            _ = try store.forget(.id(1), in: StoreSuite.slug)
            #expect(try count(reader, id, since: start) == nil)
            let after = try #require(store.directories.first).generation
            _ = try writer.write([user(7)])
            #expect(try count(reader, id, since: after) == 1)
        }
    }

}

@Suite("The table of additions")
struct AdditionTableTests {
    /// Calls `body` with the table of a directory whose generation is 1.
    private func with(_ body: (AdditionTable) throws -> Void) throws {
        try TestedStore.sqlite.with { store, _ in
            let store = try #require(store as? any EngineStore)
            let id = try store.openDirectory(StoreSuite.slug, title: nil, source: "test").directory.id
            try store.transaction { connection in
                defer { connection.removeStatements() }
                try body(AdditionTable(of: id, on: connection))
            }
        }
    }

    private func rows(_ table: AdditionTable) throws -> [(generation: Int64, count: Int?)] {
        var rows: [(Int64, Int?)] = []
        try table.forEach { rows.append(($0, $1?.count)) }
        return rows
    }

    @Test func idsAreKeptAscending() throws {
        try with { table in
            try table.note([7, .max, 1], at: 5)
            try table.forEach { generation, ids in #expect(generation == 5 && ids == [1, 7, .max]) }
        }
    }

    /// Reading ten thousand texts for each list of readers would take long. The change of the total says enough.
    @Test func aGreatImportIsNotListed() throws {
        try with { table in
            try table.note([1], at: 5)
            try table.note(Array(1...Int64(AdditionTable.maxIDs)), at: 6)
            #expect(try rows(table).map(\.count) == [AdditionTable.maxIDs, 1])
            try table.note(Array(1...Int64(AdditionTable.maxIDs + 1)), at: 7)
            try table.note([2], at: 8)
            let rows = try rows(table)
            #expect(rows.map(\.generation) == [8, 7] && rows.map(\.count) == [1, nil])
        }
    }

    @Test func theOlderHalfIsDroppedWhenThereAreTooManyIDs() throws {
        try with { table in
            for generation in 1...5 { try table.note(Array(1...5000), at: Int64(generation)) }
            let rows = try rows(table)
            #expect(rows.map(\.generation) == [5, 4, 3] && rows.map(\.count) == [5000, 5000, nil])
        }
    }

    @Test func theOlderHalfIsDroppedWhenThereAreTooManyRows() throws {
        try with { table in
            for generation in 1...AdditionTable.maxRows + 1 { try table.note([1], at: Int64(generation)) }
            #expect(try rows(table).count == AdditionTable.maxRows / 2 + 1)
        }
    }
}
