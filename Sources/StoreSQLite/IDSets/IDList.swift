/// Ids as a sorted list.
struct IDList {
    private(set) var ids: [Int64]
    private var filter: BloomFilter?

    /// Of ids that ascend.
    init(_ ids: [Int64] = []) {
        self.ids = ids
    }

    /// Takes the ids of entries. Then ``sorted()`` is due.
    mutating func insert(_ entry: PostingList) { entry.forEachID { ids.append($0) } }

    /// Takes those that are in `others`. Then ``sorted()`` is due.
    mutating func insert(_ entry: PostingList, among others: IDList) {
        others.forEachRank(entry) { rank, _ in ids.append(others.ids[rank]) }
    }

    /// See ``RankSelect/forEach(in:_:)``.
    @inline(__always) func forEachRank(_ entry: PostingList, _ body: (_ rank: Int, _ place: UInt8) -> Void) {
        ids.withUnsafeBufferPointer { ids in
            var index = -1
            entry.forEach { id, place in
                if index < 0 { index = ids.firstIndex(atOrAfter: id) }
                while index < ids.count, ids[index] < id { index &+= 1 }
                if index < ids.count, ids[index] == id {
                    body(index, place)
                    index &+= 1
                }
                return index < ids.count ? ids[index] : .max
            }
        }
    }

    /// See ``IDSet/filtered(_:)``.
    func filtered(_ isIncluded: (_ rank: Int) -> Bool) -> IDList {
        var kept = IDList()
        for (rank, id) in ids.enumerated() where isIncluded(rank) { kept.ids.append(id) }
        kept.filtered()
        return kept
    }

    /// Brings the ids into order: as they are already where users came in the order of their ids.
    mutating func sorted() {
        if !zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { ids.sort() }
    }

    /// Makes ``contains(_:)`` quick. Due when there are no more changes.
    mutating func filtered() { filter = BloomFilter(ids) }

    /// The same, with a quick ``contains(_:)``.
    var withFilter: IDList {
        var list = self
        list.filtered()
        return list
    }

    @inline(__always) func contains(_ id: Int64) -> Bool {
        filter?.mayContain(id) != false && first(atOrAfter: id) == id
    }

    func count(before id: Int64) -> Int { firstIndex(atOrAfter: id) }

    func first(atOrAfter id: Int64) -> Int64? {
        let index = firstIndex(atOrAfter: id)
        return index < ids.count ? ids[index] : nil
    }

    func last(atOrBefore id: Int64) -> Int64? {
        let index = id == .max ? ids.count : firstIndex(atOrAfter: id + 1)
        return index > 0 ? ids[index - 1] : nil
    }

    private func firstIndex(atOrAfter id: Int64) -> Int {
        ids.withUnsafeBufferPointer { $0.firstIndex(atOrAfter: id) }
    }
}

extension UnsafeBufferPointer<Int64> {
    /// The place of the first number that is not less than `id`, of numbers that ascend.
    fileprivate func firstIndex(atOrAfter id: Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Tells of most ids at a glance that they are not among many: a Bloom filter of two hashes and thirty-two bits for each id, in
/// at most 8 MiB. To look for one in vain in the list takes fifty times as long.
private struct BloomFilter {
    private var words: [UInt64]
    private let bits: UInt64

    init(_ ids: [Int64]) {
        bits = UInt64(min(max(64 - (ids.count * 32).leadingZeroBitCount, 10), 26))
        words = [UInt64](repeating: 0, count: 1 << Int(bits - 6))
        for id in ids {
            let hash = Self.hash(id)
            words[Int(first(hash) >> 6)] |= 1 << (first(hash) & 63)
            words[Int(second(hash) >> 6)] |= 1 << (second(hash) & 63)
        }
    }

    @inline(__always) func mayContain(_ id: Int64) -> Bool {
        let hash = Self.hash(id)
        return has(first(hash)) && has(second(hash))
    }

    @inline(__always) private func has(_ bit: UInt64) -> Bool { words[Int(bit >> 6)] & 1 << (bit & 63) != 0 }

    /// The hash's uppermost bits, which depend on all of the id's, and those below them.
    @inline(__always) private func first(_ hash: UInt64) -> UInt64 { hash &>> (64 &- bits) }
    @inline(__always) private func second(_ hash: UInt64) -> UInt64 { (hash &<< bits) &>> (64 &- bits) }

    @inline(__always) private static func hash(_ id: Int64) -> UInt64 {
        UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    }
}
