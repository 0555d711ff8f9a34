import Bytes
import TestSupport
import Testing

@testable import StoreSQLite

@Suite("Sets of ids")
struct IDSetTests {
    /// Calls `body` with `ids` as posting lists, as the index stores them.
    private func withEntries<Result>(of ids: Set<Int64>, _ body: ([PostingList]) -> Result) -> Result {
        let buffer = ByteBuffer()
        let users = ids.sorted().map { (id: $0, place: PostingList.unknownPlace) }
        buffer.append(NGram("a".unicodeScalars), users, scratch: ByteBuffer())
        var entries: [PostingList] = []
        var index = 0
        while let entry = PostingList(buffer.bytes, at: &index) { entries.append(entry) }
        return body(entries)
    }

    /// Returns a set of `ids`, as a bitmap or as a list.
    private func set(_ ids: Set<Int64>, in range: ClosedRange<Int64>, asBits: Bool) -> IDSet {
        withEntries(of: ids) { entries in
            if asBits {
                var bits = Bitmap(range)
                for entry in entries { bits.insert(entry) }
                bits.counted()
                return .bits(bits)
            }
            var list = IDList()
            for entry in entries.reversed() { list.insert(entry) }
            list.sorted()
            list.filtered()
            return .list(list)
        }
    }

    private static let ranges: [ClosedRange<Int64>] = [
        1...1, 1...64, 63...65, 1...5000, 9_000...70_000, 1...Int64.max, (.max - 3000)...Int64.max,
    ]

    @Test(arguments: ranges, [false, true])
    func membershipIsExact(_ range: ClosedRange<Int64>, asBits: Bool) {
        var random = SplitMix(state: 3)
        let ids = Set((0..<600).map { _ in Int64.random(in: range, using: &random) })
        let set = set(ids, in: range, asBits: asBits && Bitmap.size(range) < 1 << 20)
        #expect(set.count == ids.count)
        let sorted = ids.sorted()
        for isDescending in [false, true] {
            var met: [Int64] = []
            while let next = set.next(after: met.last, isDescending: isDescending) { met.append(next) }
            #expect(met == (isDescending ? sorted.reversed() : sorted))
        }
        let asked = sorted + sorted.filter { $0 < .max }.map { $0 + 1 } + [0, 1, .max, range.lowerBound]
        for id in asked {
            #expect(set.contains(id) == ids.contains(id))
            #expect(set.count(before: id) == sorted.count { $0 < id })
            #expect(set.next(after: id, isDescending: false) == sorted.first { $0 > id })
            #expect(set.next(after: id, isDescending: true) == sorted.last { $0 < id })
        }
        var members: [Int64] = []
        _ = asked.withUnsafeBufferPointer { run in
            set.forEachMember(of: run) { id in
                members.append(id)
                return members.count < 700
            }
        }
        #expect(members == Array(asked.filter(ids.contains).prefix(700)))
        let some = set.filtered { $0 % 3 == 0 }
        #expect(some.all == sorted.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    }

    /// Ranks posting lists that share some ids with the set: the closer the ids are, the more of them are read or
    /// skipped at once.
    @Test(arguments: ranges, [false, true])
    func ranksCoverExactlyTheSharedIDs(_ range: ClosedRange<Int64>, asBits: Bool) {
        var random = SplitMix(state: 4)
        for count in [5, 300] {
            let ids = Set((0..<count).map { _ in Int64.random(in: range, using: &random) })
            let others = Set((0..<3000).map { _ in Int64.random(in: range, using: &random) })
            let set = set(ids, in: range, asBits: asBits && Bitmap.size(range) < 1 << 20)
            let ranks = RankSelect(set)
            var met: [Int] = []
            withEntries(of: others) { entries in
                for entry in entries {
                    ranks.forEach(in: entry) { rank, place in
                        met.append(rank)
                        #expect(place == PostingList.unknownPlace)
                    }
                }
            }
            let sorted = ids.sorted()
            #expect(met == sorted.indices.filter { others.contains(sorted[$0]) })
        }
    }

    @Test func idsAreABitmapWhereThatIsSmall() {
        let ranges = [(1...3000, true), (1...500_000, true), (1...600_000, false), (1...Int64.max, false)]
        for (range, areBits) in ranges as [(_, Bool)] {
            let ids = Set((0..<1000).map { range.lowerBound + $0 * 3 })
            var collection = IDSetBuilder(range)
            withEntries(of: ids) { entries in for entry in entries { collection.insert(entry) } }
            let set = collection.finished()
            #expect(set.all == ids.sorted())
            if case .bits(let bits) = set {
                #expect(areBits)
                if case .list = IDSet(bits) { Issue.record("a list is larger") }
            } else {
                #expect(!areBits)
            }
        }
        var few = Bitmap(1...3000)
        few.insert(IDList([7, 8]))
        few.counted()
        if case .bits = IDSet(few) { Issue.record("a bitmap is larger") }
        #expect(IDSet(few).all == [7, 8])
    }
}
