import Foundation
import People
import Publishing
import Synchronization
import TestSupport
import Testing

@testable import StoreEngine

@Suite("Stores", .onEveryStore)
final class EveryStoreTests: DirectoryStage {
    @Test func pagesAreRightFromEveryEntryPointAfterEveryChange() throws {
        var random = SplitMix(walk: 7)
        var model = Model()
        let readers = try StoreSuite.readers(store)
        func check() throws {
            for (sort, reader) in readers {
                try StoreSuite.check(reader, model, writer.directory.id, sort, &random)
            }
        }
        try check()
        for round in 0..<RandomWalk.rounds(12) {
            if round % 4 == 3 {
                try writer.beginPruning()
                model.users = model.users.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
                _ = try writer.write(Array(model.users.values))
                _ = try writer.removeUsersNotWritten(.missing)
            } else {
                let size = [1, 7, 500, 40][round % 4]
                let batch = (0..<size).map { _ in random.user(id: Int64.random(in: 1...2000, using: &random)) }
                let isNew = Set(batch.map(\.id)).filter { model.users[$0] == nil }.count
                #expect(try writer.write(batch).added == isNew)
                model.write(batch)
                #expect(try writer.write(Array(model.users.values)) == WriteCounts(unchanged: model.users.count))
            }
            #expect(writer.directory.total == model.users.count)
            try check()
        }
    }

    /// Batches in one transaction, in which users are added, changed and changed back.
    @Test func batchesWrittenTogetherEqualBatchesWrittenOneByOne() throws {
        var random = SplitMix(walk: 17)
        var model = Model()
        let readers = try StoreSuite.readers(store)
        for round in 0..<RandomWalk.rounds(12) {
            let ids: ClosedRange<Int64> = round % 3 == 0 ? 1...300 : 1...(.max)
            let batches = (0..<Int.random(in: 1...6, using: &random)).map { number in
                // Every other round in ascending order, like most files.
                (0..<40).map { _ in
                    random.user(
                        id: round % 2 == 0
                            ? Int64.random(in: ids, using: &random)
                            : Int64(number * 100) + Int64.random(in: 1...100, using: &random))
                }
            }
            var counts = WriteCounts()
            let generation = writer.directory.generation
            try writer.begin()
            for batch in batches { counts += try writer.append(UserBatch(batch), checkpoint: nil) }
            try writer.commit()
            let before = model.users
            for batch in batches { model.write(batch) }
            #expect(counts.added == model.users.count - before.count)
            #expect(counts.added + counts.changed + counts.unchanged + counts.repeated == batches.count * 40)
            #expect(writer.directory.total == model.users.count)
            #expect(writer.directory.generation == generation + 1)
            for (sort, reader) in readers {
                for search in [nil, Search("ka"), Search("k"), Search("민"), Search("kami")] {
                    try StoreSuite.check(reader, model, writer.directory.id, sort, &random, search: search)
                }
            }
        }
    }

    @Test func batchesWrittenTogetherAreSavedTogetherOrNotAtAll() throws {
        _ = try writer.write([User(id: 1, login: "ada")])
        let before = writer.directory
        try writer.begin()
        _ = try writer.append(UserBatch([User(id: 2, login: "bo"), User(id: 1, login: "eve")]), checkpoint: nil)
        _ = try writer.append(UserBatch([User(id: 3, login: "cy")]), checkpoint: nil)
        writer.rollback()
        writer.rollback()
        #expect(writer.directory == before)
        #expect(try writer.write([User(id: 1, login: "ada")]) == WriteCounts(unchanged: 1))
        let page = try #require(try reader.page(UserQuery(directory: before.id, limit: 9)))
        #expect(page.users.users.map(\.login) == ["ada"])
    }

    @Test func aTransactionThatIsNeverCommittedSavesNothing() throws {
        var writer: (any DirectoryWriter)? = try store.openDirectory(slug, title: nil, source: "test")
        try writer?.begin()
        _ = try writer?.append(UserBatch([User(id: 1, login: "ada")]), checkpoint: nil)
        writer = nil
        let next = try store.openDirectory(slug, title: nil, source: "test")
        #expect(next.directory.total == 0)
        #expect(try next.write([User(id: 1, login: "ada")]) == WriteCounts(added: 1))
    }

    private final class Counts: Sendable { let value = Mutex<WriteCounts?>(nil) }

    @Test func writersOnTwoThreadsTakeTurns() throws {
        try writer.begin()
        _ = try writer.append(UserBatch([User(id: 1, login: "ada")]), checkpoint: nil)
        let other = DispatchQueue(label: "other writer")
        let hasBegun = DispatchSemaphore(value: 0)
        let counts = Counts()
        other.async { [store, slug] in
            hasBegun.signal()
            let batch = UserBatch([User(id: 1, login: "ada"), User(id: 2, login: "bo")])
            let written = try? store.openDirectory(slug, title: nil, source: "test").write(batch)
            counts.value.withLock { $0 = written }
        }
        hasBegun.wait()
        try writer.commit()
        other.sync {}
        #expect(counts.value.withLock { $0 } == WriteCounts(added: 1, unchanged: 1))
    }

    @Test func followingPagesVisitsEveryUserOnce() throws {
        var random = SplitMix(walk: 3)
        var model = Model()
        model.write((1...700).map { random.user(id: $0 * 3) })
        _ = try writer.write(Array(model.users.values))
        for (sort, reader) in try StoreSuite.readers(store, sorts: StoreSuite.searchSorts) {
            let isByRelevance = if case .relevance = sort.key { true } else { false }
            for search in [isByRelevance ? Search("m") : nil, Search("ka"), Search("민"), Search("kami")] {
                let expected = model.sorted(sort, search).map(\.id)
                var query = UserQuery(directory: writer.directory.id, search: search, sort: sort, limit: 9)
                #expect(try StoreSuite.chain(reader, &query, backward: false) == expected, "\(query)")
                query.start = .last
                #expect(try StoreSuite.chain(reader, &query, backward: true) == expected, "\(query)")
            }
        }
    }

    @Test func searchesFindTheSameUsersAsAScan() throws {
        var random = SplitMix(walk: 11)
        var model = Model()
        let texts = [
            "k", "KA", "kami", "kaROmi", "ss", "ẞ", "i", "i̇", "σ", "é", "e\u{301}", "e", "김", "민", "민준", "준김", "한",
            "x\u{302}",
            "x", "\"", "*", "or", "OR ka", "NOT", "ka AND", "NEAR(ka mi)", "-", "_7", "77", "ka mi 7", "m  K",
            "k k", "zzz", "민준김",
            "kakakaka", "k\u{0}", "ㅁ", "ㄱㅁ", "ㅎ ka", "김ㅁ", "미", "기", "'", "%", "(", "text:ka", "^ka", "ka*",
        ]
        let readers = try StoreSuite.readers(store, sorts: StoreSuite.searchSorts)
        for round in 0..<RandomWalk.rounds(4) {
            let batch = (0..<[200, 100, 1, 0][round % 4]).map { _ in
                random.user(id: Int64.random(in: 1...300, using: &random))
            }
            try writer.beginPruning()
            model.write(batch)
            if round == 3 { model.users = model.users.filter { $0.key % 3 == 0 } }
            _ = try writer.write(Array(model.users.values))
            _ = try writer.removeUsersNotWritten(.missing)
            for (index, (sort, reader)) in readers.enumerated() {
                // Every other text. The others come in the next round, and in the next order.
                for (number, text) in texts.enumerated() where number % 2 == (round + index) % 2 {
                    let search = try #require(Search(text))
                    try StoreSuite.check(reader, model, writer.directory.id, sort, &random, search: search)
                }
            }
        }
    }

    @Test func usersAreFoundByIDOnceAndInOrder() throws {
        var random = SplitMix(walk: 5)
        var model = Model()
        model.write((1...50).map { random.user(id: $0 * 2) })
        _ = try writer.write(Array(model.users.values))
        let ids: [Int64] = [40, 3, 8, 8, .max, 2, -1, 100, 0]
        for sort in StoreSuite.sorts {
            let page = try #require(try reader.users(ids: ids, sort: sort, directory: writer.directory.id))
            #expect(page.users.users == model.sorted(sort).filter { ids.contains($0.id) }, "\(sort)")
            let nobody = try reader.users(ids: [1], sort: sort, directory: writer.directory.id)
            #expect(nobody?.users.rows.isEmpty == true, "\(sort)")
            #expect(try reader.users(ids: [2], sort: sort, directory: 77) == nil, "\(sort)")
        }
    }

    @Test func aUserIsFoundByLoginInAnyCaseAndTheNewestWins() throws {
        let long = String(repeating: "l", count: 200)
        let users = ["Anna", "bob", "ANNA", "Straße", long + "x", long + "y"].enumerated().map {
            User(id: Int64($0.offset) * 10 + 1, login: $0.element)
        }
        _ = try writer.write(users)
        func find(_ login: String) throws -> Page? {
            try reader.user(login: login, id: nil, directory: writer.directory.id)
        }
        let anna = try #require(try find("anna"))
        #expect(anna.users.users == [users[2]])
        #expect(anna.firstPosition == 3)
        #expect(anna.total == 6)
        #expect(anna.hasPrevious && anna.hasNext)
        #expect(try find("Anna")?.users.users == [users[0]])
        func find(_ id: Int64) throws -> Page? {
            try reader.user(login: "anna", id: id, directory: writer.directory.id)
        }
        #expect(try find(1)?.users.users == [users[0]] && find(1)?.firstPosition == 1 && find(21)?.firstPosition == 3)
        #expect(try find(11) == nil && find(2) == nil)
        #expect(try reader.ids(login: "Anna", directory: writer.directory.id, limit: 9) == [21, 1])
        #expect(try reader.ids(login: "Anna", directory: writer.directory.id, limit: 1) == [21])
        #expect(try find("STRASSE")?.users.users == [users[3]])
        #expect(try find(long + "X")?.users.users == [users[4]])
        #expect(try find(long + "Y")?.hasNext == false)
        #expect(try find("bob")?.firstPosition == 2)
        #expect(try find("bo") == nil)
        #expect(try find(long) == nil)
        #expect(try find("") == nil)
        #expect(try reader.user(login: "bob", id: nil, directory: 99) == nil)
    }

    @Test func theLastUserWithAnIDInABatchWins() throws {
        let batch = [User(id: 2, login: "b"), User(id: 1, login: "a"), User(id: 2, login: "c", name: "C")]
        #expect(try writer.write(batch) == WriteCounts(added: 2, repeated: 1))
        let page = try reader.page(UserQuery(directory: writer.directory.id, limit: 9))
        #expect(page?.users.users == [batch[1], batch[2]])
    }

    @Test func theGenerationGrowsOnlyWithChanges() throws {
        let writer = try store.openDirectory(slug, title: "People", source: "test")
        let user = User(id: 1, login: "a")
        var (counts, removed) = (WriteCounts(), 0)
        var seen = [writer.directory.generation]
        func step(_ body: () throws -> Void) rethrows -> Bool {
            try body()
            seen.append(writer.directory.generation)
            return seen[seen.count - 1] > seen[seen.count - 2]
        }
        #expect(try step { _ = try writer.write([user]) })
        #expect(try !step { _ = try writer.write([user]) })
        #expect(try !step { _ = try writer.write([]) })
        var other = user
        other.more = "{}"
        #expect(try step { counts = try writer.write([other]) })
        #expect(
            try !step {
                try writer.beginPruning()
                _ = try writer.write([other])
                _ = try writer.removeUsersNotWritten(.missing)
            })
        #expect(
            try step {
                try writer.beginPruning()
                removed = try writer.removeUsersNotWritten(.missing)
            })
        #expect(counts == WriteCounts(changed: 1) && removed == 1)
        let second = try store.openDirectory(Slug("second")!, title: nil, source: "test")
        #expect(second.directory.generation > writer.directory.generation)
        #expect(second.directory.title == "second")
        #expect(try store.openDirectory(slug, title: nil, source: "test").directory == writer.directory)
        #expect(store.storedDirectories == [writer.directory, second.directory])
        let renamed = try store.openDirectory(slug, title: "Folk", source: "test").directory
        #expect(renamed.title == "Folk" && renamed.generation > second.directory.generation)
    }

    @Test func writesOfAnotherProcessAreSeen() throws {
        let other = try database.open()
        let writer = try other.openDirectory(slug, title: nil, source: "test")
        let query = UserQuery(directory: writer.directory.id, limit: 9)
        for id in 1...3 as ClosedRange<Int64> {
            _ = try writer.write([User(id: id, login: "u\(id)")])
            #expect(try reader.page(query)?.users.rows.count == Int(id))
        }
        try eventually("the other store sees it") { store.storedDirectories == [writer.directory] }
    }

    @Test func readersDuringWritesSeeWholeBatches() async throws {
        let query = UserQuery(directory: writer.directory.id, sort: Sort(.login), start: .last, limit: 10)
        try await withThrowingTaskGroup(of: Void.self) { [store, slug] group in
            for first in [1, 10_001] as [Int64] {
                group.addTask {
                    let writer = try store.openDirectory(slug, title: nil, source: "test")
                    for batch in 0..<20 as Range<Int64> {
                        _ = try writer.write((0..<50).map { User(id: first + batch * 50 + $0, login: "u\($0)") })
                    }
                }
            }
            group.addTask {
                let reader = try store.makeReader()
                var total = 0
                while total < 2000 {
                    let page = try #require(try reader.page(query))
                    let now = try #require(page.total)
                    #expect(now >= total && now % 50 == 0)
                    #expect(page.firstPosition.map { $0 == now - 9 } ?? (now == 0))
                    total = now
                    // The writers may have no other thread.
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
    }
}
