/// Ids as a sorted list.
struct IDList {
    private(set) var ids: [Int64] = []
    private var filter = IDFilter([])

    /// Takes the ids of entries, those in `others` alone if there are any. Then ``sorted()`` is due.
    mutating func insert(_ entry: GramEntry, among others: IDList?) {
        guard let others else { return entry.forEachID { ids.append($0) } }
        others.ids.withUnsafeBufferPointer { others in
            var index = -1
            entry.forEachID { id in
                if index < 0 { index = others.firstIndex(atOrAfter: id) }
                while index < others.count, others[index] < id { index += 1 }
                if index < others.count, others[index] == id { ids.append(id) }
            }
        }
    }

    /// Brings the ids into order: as they are already where users came in the order of their ids.
    mutating func sorted() {
        if !zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { ids.sort() }
    }

    /// Makes ``contains(_:)`` quick. Due when there are no more changes.
    mutating func filtered() { filter = IDFilter(ids) }

    func contains(_ id: Int64) -> Bool { filter.mayContain(id) && first(atOrAfter: id) == id }

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

/// Tells of most ids at a glance that they are not among many: a bit each of sixteen times as many bits (a Bloom filter with
/// one hash), in at most 8 MiB.
private struct IDFilter {
    private var words: [UInt64]
    private let shift: UInt64

    init(_ ids: [Int64]) {
        let bits = min(max(64 - (ids.count * 16).leadingZeroBitCount, 10), 26)
        shift = UInt64(64 - bits)
        words = [UInt64](repeating: 0, count: 1 << (bits - 6))
        for id in ids {
            let bit = Self.hash(id) >> shift
            words[Int(bit >> 6)] |= 1 << (bit & 63)
        }
    }

    func mayContain(_ id: Int64) -> Bool {
        let bit = Self.hash(id) >> shift
        return words[Int(bit >> 6)] & 1 << (bit & 63) != 0
    }

    private static func hash(_ id: Int64) -> UInt64 { UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 }
}
