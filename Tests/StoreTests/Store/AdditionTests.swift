import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("People who were added lately", .onEveryStore)
final class AdditionTests: DirectoryStage {
    private func user(_ id: Int64, _ name: String = "Ann", type: String = "User") -> User {
        User(id: id, login: "u\(id)", name: name, type: type)
    }

    private var start: Int64 = 0

    override init() throws {
        try super.init()
        _ = try writer.write([user(5), user(50, "Bob")])
        start = writer.directory.generation
    }

    private func count(since generation: Int64, _ search: Search? = nil) throws -> Int? {
        try #require(try reader.additions(among: search, in: writer.directory.id, after: 0)).count(since: generation)
    }

    @Test func everybodyAddedSinceAGenerationIsCounted() throws {
        #expect(try count(since: start) == 0)
        #expect(try count(since: 0) == 2)
        _ = try writer.write([user(1), user(60)])
        let middle = writer.directory.generation
        _ = try writer.write([user(3, "Bob"), user(50, "Bobby")])
        #expect(try count(since: start) == 3)
        #expect(try count(since: middle) == 1)
        #expect(try count(since: writer.directory.generation) == 0)
        #expect(try reader.additions(among: nil, in: 999, after: 0) == nil)
        let later = try #require(try reader.additions(among: nil, in: writer.directory.id, after: middle))
        #expect(later.knownSince == middle && later.changes.map(\.count) == [1])
    }

    @Test func onlyThoseWhomTheSearchFindsCount() throws {
        _ = try writer.write([user(1, "Zoe"), user(2, "Zoë", type: "Bot"), user(3, "Ann", type: "Bot")])
        let bots = ChosenFilter(.type, ["Bot"])
        #expect(try count(since: start, Search("zoe")) == 2)
        #expect(try count(since: start, Search("", filters: [bots])) == 2)
        #expect(try count(since: start, Search("zo", filters: [bots])) == 1)
        #expect(try count(since: start, Search("bob")) == 0)
        #expect(try count(since: start, Search("", filters: [ChosenFilter(.type, ["None"])])) == 0)
    }

    @Test func thoseWhoHaveLeftDoNotCountAndThoseWhoCameBackCountOnce() throws {
        _ = try writer.write([user(1), user(2), user(3)])
        try writer.beginPruning()
        _ = try writer.write([user(5), user(50, "Bob"), user(1)])
        #expect(try writer.removeUsersNotWritten(.missing) == 2)
        #expect(try count(since: start) == 1)
        let middle = writer.directory.generation
        _ = try writer.write([user(3)])
        #expect(try count(since: start) == 2)
        #expect(try count(since: middle) == 1)
    }

    @Test func afterAPersonIsForgottenTheListsAreGone() throws {
        _ = try writer.write([user(1), user(2)])
        _ = try store.forget(.id(1), in: slug)
        #expect(try count(since: start) == nil)
        let after = try #require(store.directories.first).generation
        _ = try writer.write([user(7)])
        #expect(try count(since: after) == 1)
    }
}

@Suite("The table of additions")
final class AdditionTableTests: DirectoryStage {
    /// Calls `body` with the table of a directory whose generation is 1.
    private func with(_ body: (AdditionTable) throws -> Void) throws {
        try store.transaction { connection in
            defer { connection.removeStatements() }
            try body(AdditionTable(of: writer.directory.id, on: connection))
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
