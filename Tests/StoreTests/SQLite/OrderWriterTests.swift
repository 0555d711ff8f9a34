import Base
import Foundation
import People
import Publishing
import Indexes
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Orders")
final class OrderWriterTests: DatabaseFolder {
    /// Limits so small that every batch splits and joins blocks.
    static let small = [
        SortIndexWriter.Limits(count: 8, newCount: 6, minCount: 3, bytes: 4000),
        SortIndexWriter.Limits(count: 2, newCount: 1, minCount: 1, bytes: 4000),
        SortIndexWriter.Limits(count: 64, newCount: 48, minCount: 10, bytes: 60),
    ]

    /// So many are sorted by several threads.
    @Test func theChangesOfManyUsersAreSortedInEachOrder() {
        let changes = UserChanges(besideDirectoriesOf: 0)
        let batch = UserBatch((1...30_000).map { User(id: $0, login: "user\($0 * 7919 % 30_000)") })
        for user in batch.records { _ = changes.add(user, from: batch.buffer.bytes) }
        var counts: [Int] = []
        changes.forEachOrder { _, sorted in
            let bytes = changes.texts.bytes
            counts.append(sorted.count)
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.key.compare(in: bytes, to: $1.key, in: bytes) < 0 })
        }
        #expect(counts == changes.orders.map { _ in 30_000 })
    }

    @Test(arguments: small)
    func ordersAreRightAfterAnyChanges(limits: SortIndexWriter.Limits) throws {
        let store = try SQLiteStore(path: database)
        let writer = try #require(try store.openDirectory(StoreSuite.slug, title: nil, source: "test") as? UserWriter)
        writer.tables.orders.limits = limits
        var random = SplitMix(walk: 21)
        var model = Model()
        for round in 0..<28 {
            let size = [3, 60, 0, 200, 9][round % 5]
            if round % 7 == 6 {
                // Removes some users, and all of them in the last rounds.
                model.users = model.users.filter { _ in round < 25 && Int.random(in: 0..<4, using: &random) > 0 }
                try writer.beginPruning()
                _ = try writer.write(Array(model.users.values))
                _ = try writer.removeUsersNotWritten(.missing)
            }
            let batch = (0..<size).map { _ in random.user(id: random.id()) }
            model.write(batch)
            _ = try writer.write(batch)
            try check(writer.directory, model, limits)
        }
    }

    @Test func longNamesAndGreatIDsFit() throws {
        let store = try SQLiteStore(path: database)
        let writer = try store.openDirectory(StoreSuite.slug, title: nil, source: "test")
        var model = Model()
        // Users that are equal in everything that orders compare, with as many bytes as allowed.
        let name = String(repeating: "𐐨", count: 200)
        model.write((0..<300).map { User(id: .max - $0 * $0, login: name + "\($0)", name: name) })
        model.write([User(id: 1, login: "a"), User(id: 2, login: "a")])
        _ = try writer.write(Array(model.users.values))
        try check(writer.directory, model, SortIndexWriter.Limits())
    }

    /// Compares all orders, walked in both directions, with and without a snapshot in memory, and checks the invariants
    /// of blocks.
    func check(_ directory: StoredDirectory, _ model: Model, _ limits: SortIndexWriter.Limits) throws {
        let connection = try SQLiteConnection(reading: database, cacheKiB: 100)
        let known = SharedState()
        known.note(try #require(try connection.sortIndexSnapshot(of: directory.id)), of: directory.id)
        let readers = [SharedState(), known].map { state in Result { try StoreReader(path: database, state: state) } }
        for sort in StoreSuite.sorts {
            let everyone = model.sorted(sort)
            let order = try IndexedOrder(sort, directory.settings.shown)
            let scan = IndexScan(order: order, isDescending: sort.isReadBackwards)
            for reader in readers {
                let reader = try reader.get()
                #expect(try ids(reader, scan, directory) == everyone.map(\.id), "\(sort)")
                for index in stride(from: 0, to: everyone.count, by: 1 + everyone.count / 5) {
                    let seek = try SeekKey(.after(everyone[index].cursor(sort.key)), order)
                    let inclusive = everyone[index...].map(\.id)
                    let before = IndexScan(order: order, isDescending: !scan.isDescending, from: seek)
                    #expect(try ids(reader, before.reversed, directory) == inclusive)
                    #expect(try ids(reader, scan.from(seek), directory) == Array(inclusive.dropFirst()))
                    let query = UserQuery(
                        directory: directory.id, sort: sort, start: .after(everyone[index].cursor(sort.key)), limit: 7)
                    let page = try #require(try reader.page(query))
                    #expect(page.users.users == Array(everyone[(index + 1)...].prefix(7)))
                    #expect(page.firstPosition == (index + 1 == everyone.count ? nil : index + 2))
                }
            }
        }
        try checkBlocks(connection, directory, limits)
    }

    func ids(_ reader: StoreReader, _ scan: IndexScan, _ directory: StoredDirectory) throws -> [Int64] {
        var ids: [Int64] = []
        try reader.orders.scanIDs(scan, in: ShownDirectory(directory)) { block in
            ids += block
            return true
        }
        return ids
    }

    func checkBlocks(
        _ connection: SQLiteConnection, _ directory: StoredDirectory, _ limits: SortIndexWriter.Limits
    ) throws {
        let directories = try BlockDirectoryTable(of: directory.id, on: connection).load(
            IndexedOrder.all(directory.settings.shown), total: directory.total)
        let storage = SQLiteBlobs(.userBlock, of: directory.id, on: connection)
        let rows = try connection.statement("SELECT count(*) FROM userBlock\(directory.id)")
        defer { rows.reset() }
        #expect(try rows.step() && rows.number(0) == directories.reduce(0) { $0 + $1.count })
        for (order, blocks) in zip(IndexedOrder.all(directory.settings.shown), directories) {
            #expect(blocks.counts.reduce(0, +) == directory.total)
            for index in blocks.starts.indices {
                let block = SortBlock(order.kind)
                var size = 0
                let isFound = try storage.get(blocks.numbers[index]) { bytes in
                    size = bytes.count
                    try block.append(bytes)
                }
                let count = block.keys.count
                #expect(isFound && count == blocks.counts[index])
                #expect(count <= limits.count && (size <= limits.bytes || count == 1))
                #expect(count > 0 || index == 0)
                // Every key of a block is at or after the block's start and before the next block's.
                for key in block.keys { #expect(blocks.index(of: key, block.text.bytes) == index) }
            }
        }
    }
}

extension SplitMix {
    /// Returns an id, usually one of a few hundred, so that batches overlap with earlier ones.
    fileprivate mutating func id() -> Int64 {
        switch Int.random(in: 0..<20, using: &self) {
        case 0: Int64.random(in: 1...(.max), using: &self)
        case 1: .max - Int64.random(in: 0...9, using: &self)
        default: Int64.random(in: 1...300, using: &self)
        }
    }
}
