import Bytes
import TestSupport
import Testing

@testable import StoreSQLite

@Suite("Sets of ids")
struct IDSetTests {
    /// A set of `ids`, as the index hands them over.
    private func set(_ ids: Set<Int64>, in range: ClosedRange<Int64>) -> IDSet {
        let buffer = ByteBuffer()
        buffer.append(Gram("a".unicodeScalars), ids.sorted(), scratch: ByteBuffer())
        var entries: [GramEntry] = []
        var index = 0
        while let entry = GramEntry(buffer.bytes, at: &index) { entries.append(entry) }
        switch IDSet(range, count: ids.count) {
        case .bits(var bits):
            for entry in entries { bits.insert(entry) }
            bits.counted()
            return .bits(bits)
        case .list(var list):
            for entry in entries.reversed() { list.insert(entry, among: nil) }
            list.sorted()
            list.filtered()
            return .list(list)
        }
    }

    @Test(arguments: [1...1, 1...64, 63...65, 1...5000, 9_000...70_000, 1...Int64.max, (.max - 3000)...Int64.max])
    func theyTellWhoIsInThem(_ range: ClosedRange<Int64>) {
        var random = SplitMix(state: 3)
        let ids = Set((0..<600).map { _ in Int64.random(in: range, using: &random) })
        let set = set(ids, in: range)
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
    }

    @Test func idsAreBitsWhereTheyAreNearEachOther() {
        for (range, count, areBits) in [
            (1...3_000_000, 1_000_000, true), (1...500, 1, true), (1...Int64.max, 1_000_000, false),
        ] {
            if case .bits = IDSet(range, count: count) { #expect(areBits) } else { #expect(!areBits) }
        }
    }
}
