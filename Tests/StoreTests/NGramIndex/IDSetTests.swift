import Bytes
import TestSupport
import Testing

@testable import NGramIndex

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

    /// A set of `ids`, as a bitmap or as a list.
    private func set(_ ids: Set<Int64>, in range: ClosedRange<Int64>, asBitmap: Bool) -> IDSet {
        withLists(of: ids) { lists in
            if asBitmap {
                var bitmap = Bitmap(range)
                for list in lists { bitmap.insert(list) }
                bitmap.updateCount()
                return .bitmap(bitmap)
            }
            var set = IDList()
            for list in lists.reversed() { set.insert(list) }
            set.sort()
            set.addFilter()
            return .list(set)
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
            for kinds in 0..<8 {
                let parts = sets.enumerated().map { set($1, in: range, asBitmap: kinds >> $0 & 1 == 1) }
                let all = IDSet.union(of: parts, in: range)
                #expect(all.all == Set(sets.joined()).sorted() && all.count == all.all.count)
                let both = sets[0].intersection(sets[1]).sorted()
                #expect(parts[0].intersection(parts[1]).all == both)
                #expect(parts[0].intersection(parts[1]).count == both.count)
                #expect(parts[0].intersectionCount(parts[1]) == both.count)
                #expect(parts[0].subtracting(parts[1]).all == sets[0].subtracting(sets[1]).sorted())
                #expect(IDSet(IDList(sets[2].sorted()), in: range).all == sets[2].sorted())
            }
        }
    }

    @Test(arguments: ranges, [false, true])
    func membershipIsExact(_ range: ClosedRange<Int64>, asBitmap: Bool) {
        var random = SplitMix(walk: 3)
        let ids = Set((0..<600).map { _ in Int64.random(in: range, using: &random) })
        let set = set(ids, in: range, asBitmap: asBitmap && Bitmap.size(range) < 1 << 20)
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
    @Test(arguments: ranges, [false, true])
    func ranksCoverExactlyTheSharedIDs(_ range: ClosedRange<Int64>, asBitmap: Bool) {
        var random = SplitMix(walk: 4)
        for count in [5, 300, 5000] {
            let ids = Set((0..<count).map { _ in Int64.random(in: range, using: &random) })
            let others = Set((0..<3000).map { _ in Int64.random(in: range, using: &random) })
            let set = set(ids, in: range, asBitmap: asBitmap && Bitmap.size(range) < 1 << 20)
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
            var builder = IDSetBuilder(range)
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
        var few = Bitmap(1...3000)
        few.insert(IDList([7, 8]))
        few.updateCount()
        if case .bitmap = IDSet(few) { Issue.record("a bitmap takes more memory") }
        #expect(IDSet(few).all == [7, 8])
    }
}
