import Bytes
import Directories
import Foundation
import TestSupport
import Testing

@testable import StoreSQLite

@Suite("Sort index")
struct SortIndexWriterTests {
    let path = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("rollcall-\(UUID().uuidString)").path

    /// Limits so small that every batch splits and joins blocks.
    static let small = [
        SortIndexWriter.Limits(count: 8, newCount: 6, minCount: 3, bytes: 4000),
        SortIndexWriter.Limits(count: 2, newCount: 1, minCount: 1, bytes: 4000),
        SortIndexWriter.Limits(count: 64, newCount: 48, minCount: 10, bytes: 60),
    ]

    @Test(arguments: small)
    func ordersAreRightAfterAnyChanges(limits: SortIndexWriter.Limits) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLiteStore(path: path)
        let writer = try #require(
            try store.openDirectory(StoreSuite.slug, title: nil, source: "test") as? SQLiteWriter)
        writer.tables.ranks.limits = limits
        var random = SplitMix(state: 21)
        var model = Model()
        for round in 0..<28 {
            let size = [3, 60, 0, 200, 9][round % 5]
            if round % 7 == 6 {
                // Removes some users, and all of them in the last rounds.
                model.users = model.users.filter { _ in round < 25 && Int.random(in: 0..<4, using: &random) > 0 }
                try writer.beginPruning()
                _ = try writer.write(Array(model.users.values))
                _ = try writer.removeUsersNotWritten()
            }
            let batch = (0..<size).map { _ in random.user(id: random.id()) }
            model.write(batch)
            _ = try writer.write(batch)
            try check(writer.directory, model, limits)
        }
    }

    @Test func longNamesAndGreatIDsFit() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLiteStore(path: path)
        let writer = try store.openDirectory(StoreSuite.slug, title: nil, source: "test")
        var model = Model()
        // Users that are equal in everything that orders compare, with as many bytes as allowed.
        let name = String(repeating: "𐐨", count: 200)
        model.write(
            (0..<300).map { User(id: .max - $0 * $0, login: name + "\($0)", name: name, reputation: .max - $0 % 2) })
        model.write([User(id: 1, login: "a", reputation: .min + 1), User(id: 2, login: "a", reputation: nil)])
        _ = try writer.write(Array(model.users.values))
        try check(writer.directory, model, SortIndexWriter.Limits())
    }

    @Test func damagedBlocksAreAnErrorAndNoCrash() throws {
        var random = SplitMix(state: 4)
        for order in IndexedOrder.allCases {
            let run = SortBlock(order)
            let changes = SortBlock(order)
            var places: [SortChange] = []
            for id in 0..<40 as Range<Int64> {
                let start = changes.text.count
                changes.text.append([UInt8(id % 8) + 97, UInt8(id / 8) + 97])
                let text = Slice(offset: start, count: order.isText ? 2 : 0)
                var place = SortKey(text: text, in: changes.text.bytes, id: id)
                if !order.isText { place = SortKey(number: order == .id ? .min : id / 3, id: id) }
                places.append(SortChange(place: place, delta: 1))
            }
            places.sort { $0.place.compare(in: changes.text.bytes, to: $1.place, in: changes.text.bytes) < 0 }
            try run.append(SortBlock(order), changed: places[...], changes.text.bytes)
            let whole = ByteBuffer()
            run.encode(0..<40, to: whole)
            for _ in 0..<500 {
                var bytes = Array(whole.bytes.prefix(Int.random(in: 0...whole.count, using: &random)))
                for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let read = SortBlock(order)
                do { try bytes.withUnsafeBytes { try read.append($0) } } catch { #expect(error is StoreError) }
            }
        }
    }

    /// Compares all orders, walked in both directions, with and without a snapshot in memory, and checks the invariants
    /// of blocks.
    func check(_ directory: Directory, _ model: Model, _ limits: SortIndexWriter.Limits) throws {
        let connection = try Connection(reading: path, cacheKiB: 100)
        let known = SharedState()
        known.note(
            ranks: try SortIndexSnapshot(of: directory, from: connection),
            of: directory.id)
        let readers = [SharedState(), known].map { state in Result { try SQLiteReader(path: path, state: state) } }
        for sort in StoreSuite.sorts {
            let everyone = model.sorted(sort)
            let scan = IndexScan(key: sort.key, isDescending: sort.direction == .descending)
            for reader in readers {
                let reader = try reader.get()
                #expect(try ids(reader, scan, nil, directory) == everyone.map(\.id), "\(sort)")
                for index in stride(from: 0, to: everyone.count, by: 1 + everyone.count / 5) {
                    let bound = try SeekKey(.after(everyone[index].cursor(sort.key)), key: sort.key)
                    let inclusive = everyone[index...].map(\.id)
                    #expect(try ids(reader, scan, bound, isInclusive: true, directory) == inclusive)
                    #expect(try ids(reader, scan, bound, directory) == Array(inclusive.dropFirst()))
                    let query = UserQuery(
                        directory: directory.id, sort: sort, start: .after(everyone[index].cursor(sort.key)), limit: 7)
                    let page = try #require(try reader.page(query))
                    #expect(page.users.users == Array(everyone[(index + 1)...].prefix(7)))
                    #expect(page.firstPosition == (index + 1 == everyone.count ? nil : index + 2))
                }
            }
        }
        try checkRuns(connection, directory, limits)
    }

    func ids(
        _ reader: SQLiteReader, _ scan: IndexScan, _ bound: SeekKey?, isInclusive: Bool = false, _ directory: Directory
    ) throws -> [Int64] {
        var ids: [Int64] = []
        try reader.walkIDs(scan, from: bound, isInclusive: isInclusive, in: directory) { run in
            ids += run
            return true
        }
        return ids
    }

    func checkRuns(_ connection: StoreSQLite.Connection, _ directory: Directory, _ limits: SortIndexWriter.Limits) throws {
        let orders = try BlockDirectory.all(of: directory.id, total: directory.total, from: connection)
        let rows = try connection.statement("SELECT count(*) FROM userRun\(directory.id)")
        defer { rows.reset() }
        #expect(try rows.step() && rows.number(0) == orders.reduce(0) { $0 + $1.rows.count })
        for (order, runs) in zip(IndexedOrder.allCases, orders) {
            #expect(runs.counts.reduce(0, +) == directory.total)
            for index in runs.starts.indices {
                let entries = SortBlock(order)
                let statement = try connection.run(runs.rows[index], of: directory.id)
                let bytes = statement.blob(0).count
                try entries.append(statement.blob(0))
                statement.reset()
                let count = entries.places.count
                #expect(count == runs.counts[index])
                #expect(count <= limits.count && (bytes <= limits.bytes || count == 1))
                #expect(count > 0 || index == 0)
                // Every entry of a block is positioned after the block's start and before the next block's.
                for place in entries.places {
                    #expect(runs.index(of: place, entries.text.bytes) == index)
                }
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
