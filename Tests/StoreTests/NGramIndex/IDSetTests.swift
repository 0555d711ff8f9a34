import Base
import TestSupport
import Testing

@testable import Indexes

@Suite("Sets of ids")
struct IDSetTests {
    /// Calls `body` with posting lists that have `ids`.
    private func withLists<Result>(of ids: Set<Int64>, _ body: ([PostingList]) -> Result) -> Result {
        let buffer = ByteBuffer()
        let postings = ids.sorted().map { (id: $0, offset: PostingList.unknownOffset) }
        buffer.append(NGram("a".unicodeScalars), postings, scratch: ByteBuffer())
        var lists: [PostingList] = []
        var index = 0
        while let list = PostingList(buffer.bytes, at: &index) { lists.append(list) }
        return body(lists)
    }

    /// How the ids of a set are kept.
    enum Form: CaseIterable {
        case list, bitmap
        /// A bitmap of a space that has just some ids.
        case bitmapOfRanks
    }

    /// A set of `ids`, as a bitmap unless that would be large, or as a list. The space has `others`, too.
    private func set(
        _ ids: Set<Int64>, in range: ClosedRange<Int64>, as form: Form, beside others: Set<Int64> = []
    ) -> IDSet {
        withLists(of: ids) { lists in
            let space = form == .bitmapOfRanks ? IDSpace(ids.union(others).sorted()) : IDSpace(range)
            if let space, form != .list, space.size < 1 << 20 {
                var bitmap = Bitmap(space)
                for list in lists { bitmap.insert(list) }
                bitmap.updateCount()
                return .bitmap(bitmap)
            }
            var set = IDList()
            for list in lists.reversed() { set.insert(list) }
            set.sort()
            return .list(set.withFilter)
        }
    }

    private static let ranges: [ClosedRange<Int64>] = [
        1...1, 1...64, 63...65, 1...5000, 9_000...70_000, 1...Int64.max, (.max - 3000)...Int64.max,
    ]

    @Test(arguments: [1...64, 1...5000, 9_000...70_000] as [ClosedRange<Int64>])
    func setsAreCombined(_ range: ClosedRange<Int64>) {
        var random = SplitMix(walk: 11)
        for count in [0, 3, 40, 3000] {
            let sets = (0..<3).map { _ in Set((0..<count).map { _ in Int64.random(in: range, using: &random) }) }
            let universe = Set(sets.joined())
            for (kinds, form) in (0..<8).flatMap({ kinds in [Form.bitmap, .bitmapOfRanks].map { (kinds, $0) } }) {
                let space = form == .bitmapOfRanks ? IDSpace(universe.sorted()) : IDSpace(range)
                guard let space else { continue }
                let parts = sets.enumerated().map {
                    set($1, in: range, as: kinds >> $0 & 1 == 1 ? form : .list, beside: universe)
                }
                let all = IDSet.union(of: parts, in: space)
                #expect(all.all == Set(sets.joined()).sorted() && all.count == all.all.count)
                let both = sets[0].intersection(sets[1]).sorted()
                #expect(parts[0].intersection(parts[1]).all == both)
                #expect(parts[0].intersection(parts[1]).count == both.count)
                #expect(parts[0].intersectionCount(parts[1]) == both.count)
                #expect(parts[0].subtracting(parts[1]).all == sets[0].subtracting(sets[1]).sorted())
            }
        }
    }

    @Test(arguments: ranges, Form.allCases)
    func membershipIsExact(_ range: ClosedRange<Int64>, form: Form) {
        var random = SplitMix(walk: 3)
        let ids = Set((0..<600).map { _ in Int64.random(in: range, using: &random) })
        let others = Set((0..<600).map { _ in Int64.random(in: range, using: &random) })
        let set = set(ids, in: range, as: form, beside: others)
        #expect(set.count == ids.count)
        let sorted = ids.sorted()
        for isDescending in [false, true] {
            var found: [Int64] = []
            while let next = set.next(after: found.last, isDescending: isDescending) { found.append(next) }
            #expect(found == (isDescending ? sorted.reversed() : sorted))
        }
        let asked = sorted + sorted.filter { $0 < .max }.map { $0 + 1 } + [0, 1, .max, range.lowerBound]
        for id in asked {
            #expect(set.contains(id) == ids.contains(id))
            #expect(set.count(before: id) == sorted.count { $0 < id })
            #expect(set.next(after: id, isDescending: false) == sorted.first { $0 > id })
            #expect(set.next(after: id, isDescending: true) == sorted.last { $0 < id })
        }
        var members: [Int64] = []
        _ = asked.withUnsafeBufferPointer { block in
            set.forEachMember(of: block) { id in
                members.append(id)
                return members.count < 700
            }
        }
        #expect(members == Array(asked.filter(ids.contains).prefix(700)))
        let some = set.filtered { $0 % 3 == 0 }
        #expect(some.all == sorted.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    }

    /// The nearer the ids of the set are to each other, the more ids of a list are read or left out at once.
    @Test(arguments: ranges, Form.allCases)
    func ranksCoverExactlyTheSharedIDs(_ range: ClosedRange<Int64>, form: Form) {
        var random = SplitMix(walk: 4)
        for count in [5, 300, 5000] {
            let ids = Set((0..<count).map { _ in Int64.random(in: range, using: &random) })
            let others = Set((0..<3000).map { _ in Int64.random(in: range, using: &random) })
            let set = set(ids, in: range, as: form, beside: others)
            let ranks = RankSelect(set)
            var found: [Int] = []
            withLists(of: others) { lists in
                for list in lists {
                    ranks.forEach(in: list) { rank, offset in
                        found.append(rank)
                        #expect(offset == PostingList.unknownOffset)
                    }
                }
            }
            let sorted = ids.sorted()
            #expect(found == sorted.indices.filter { others.contains(sorted[$0]) })
        }
    }

    @Test(arguments: [0, 1, 1023, 1024, 5000], [1...7, 1...100_000, 0...Int64.max] as [ClosedRange<Int64>])
    func manyNumbersAreSorted(_ count: Int, _ range: ClosedRange<Int64>) {
        var random = SplitMix(walk: 8)
        var numbers = (0..<count).map { _ in Int64.random(in: range, using: &random) }
        let sorted = numbers.sorted()
        numbers.sortAscending()
        #expect(numbers == sorted)
    }

    @Test func idsAreABitmapWhereThatIsSmall() {
        let ranges = [(1...3000, true), (1...500_000, true), (1...600_000, false), (1...Int64.max, false)]
        for (range, isBitmap) in ranges as [(_, Bool)] {
            let ids = Set((0..<1000).map { range.lowerBound + $0 * 3 })
            var builder = IDSetBuilder(IDSpace(range))
            withLists(of: ids) { lists in for list in lists { builder.insert(list) } }
            let set = builder.finished()
            #expect(set.all == ids.sorted())
            if case .bitmap(let bitmap) = set {
                #expect(isBitmap)
                if case .list = IDSet(bitmap) { Issue.record("a list takes more memory") }
            } else {
                #expect(!isBitmap)
            }
        }
        var few = Bitmap(IDSpace(1...3000))
        few.insert(IDList([7, 8]))
        few.updateCount()
        if case .bitmap = IDSet(few) { Issue.record("a bitmap takes more memory") }
        #expect(IDSet(few).all == [7, 8])
    }

    @Test func idsThatAreFarApartAreABitmapOfTheirRanks() throws {
        #expect(IDSpace.isSparse(1...1_000_000, count: 30_000) && !IDSpace.isSparse(1...1_000_000, count: 40_000))
        var random = SplitMix(walk: 9)
        let ids = Set((0..<5000).map { _ in Int64.random(in: 1...(.max), using: &random) })
        var builder = IDSetBuilder(try #require(IDSpace(ids.sorted())))
        withLists(of: ids) { lists in for list in lists { builder.insert(list) } }
        let set = builder.finished()
        guard case .bitmap(let bitmap) = set else { throw Unexpected() }
        #expect(bitmap.size == 79 && set.all == ids.sorted())
    }

    private struct Unexpected: Error {}

    @Test func aSpaceHasIDsThatAscend() {
        #expect(IDSpace([]) == nil && IDSpace([2, 1]) == nil && IDSpace([1, 1]) == nil)
    }

    /// Most ids are in one bucket of the ranks: a person whose id is far away takes the others.
    @Test func ranksAreFoundWhereIDsAreUneven() throws {
        let ids = (1...5000).map(Int64.init) + [1 << 40, .max]
        let space = try #require(IDSpace(ids))
        for (rank, id) in ids.enumerated() { #expect(space.bit(of: id) == rank && space.id(ofBit: rank) == id) }
        for id in [0, 5001, 1 << 40 + 1, .max - 1] as [Int64] { #expect(space.bit(of: id) == nil) }
    }
}
