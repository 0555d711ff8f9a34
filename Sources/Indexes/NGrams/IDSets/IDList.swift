import Base

/// A set of ids as a sorted list.
package struct IDList {
    package private(set) var ids: [Int64]
    private var filter: BloomFilter?

    /// The list of `ids`, which ascend.
    package init(_ ids: [Int64] = []) {
        self.ids = ids
    }

    /// The ids that are in any of `lists`. The ids of each list ascend.
    init(union lists: [[Int64]]) {
        ids = []
        ids.reserveCapacity(lists.reduce(0) { $0 + $1.count })
        for list in lists { ids += list }
        sort()
    }

    /// Appends the ids of a posting list. Call ``sort()`` afterwards.
    package mutating func insert(_ list: PostingList) {
        append(atMost: list.postings.count) { append in list.forEachID(append) }
    }

    /// Appends ids. Call ``sort()`` afterwards.
    mutating func insert(_ ids: UnsafeBufferPointer<Int64>) { self.ids.append(contentsOf: ids) }

    /// Appends those ids of a posting list that are in `others`. Call ``sort()`` afterwards.
    mutating func insert(_ list: PostingList, among others: IDList) {
        others.ids.withUnsafeBufferPointer { others in
            append(atMost: list.postings.count) { append in
                Self.forEachRank(of: others, list, through: others.last ?? .min) { rank, _ in append(others[rank]) }
            }
        }
    }

    /// Appends the ids that `body` passes on: at most `count`, as each posting takes at least a byte. Collecting them
    /// first costs a third of appending one by one.
    @inline(__always) private mutating func append(atMost count: Int, _ body: ((Int64) -> Void) -> Void) {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { buffer in
            var count = 0
            body { id in
                buffer[count] = id
                count &+= 1
            }
            ids.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// See ``RankSelect/forEach(in:_:)``.
    @inline(__always) func forEachRank(
        _ list: PostingList, through last: Int64, _ body: (_ rank: Int, _ offset: UInt8) -> Void
    ) {
        ids.withUnsafeBufferPointer { Self.forEachRank(of: $0, list, through: last, body) }
    }

    @inline(__always) private static func forEachRank(
        of ids: UnsafeBufferPointer<Int64>, _ list: PostingList, through last: Int64,
        _ body: (_ rank: Int, _ offset: UInt8) -> Void
    ) {
        var index = -1
        list.forEach(through: last) { id, offset in
            index = index < 0 ? ids.firstIndex(atOrAfter: id) : ids.firstIndex(atOrAfter: id, near: index)
            if index < ids.count, ids[index] == id {
                body(index, offset)
                index &+= 1
            }
            return index < ids.count ? ids[index] : .max
        }
    }

    /// See ``IDSet/filtered(_:)``.
    func filtered(_ isIncluded: (_ rank: Int) -> Bool) -> IDList {
        var result = IDList()
        for (rank, id) in ids.enumerated() where isIncluded(rank) { result.ids.append(id) }
        return result
    }

    /// Returns the ids that are in both lists.
    func intersection(_ other: IDList) -> IDList {
        let (few, many) = ids.count < other.ids.count ? (ids, other.ids) : (other.ids, ids)
        var result: [Int64] = []
        many.withUnsafeBufferPointer { many in
            var start = 0
            for id in few {
                start = many.firstIndex(atOrAfter: id, near: start)
                guard start < many.count else { return }
                if many[start] == id { result.append(id) }
            }
        }
        return IDList(result)
    }

    /// Sorts the ids, which are in order already if the texts came in the order of their ids, and leaves each in once.
    package mutating func sort() {
        if areDistinct { return }
        ids.sortAscending()
        if areDistinct { return }
        let sorted = ids
        ids.removeAll(keepingCapacity: true)
        for id in sorted where id != ids.last { ids.append(id) }
    }

    /// Whether the ids ascend, and none is repeated.
    var areDistinct: Bool {
        ids.withUnsafeBufferPointer { ids in (1..<max(ids.count, 1)).allSatisfy { ids[$0 &- 1] < ids[$0] } }
    }

    /// The same list with a Bloom filter, which makes ``contains(_:)`` fast. Changes of it would need another one.
    package var withFilter: IDList {
        var list = self
        list.filter = BloomFilter(ids)
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
    /// Returns the index of the first of these ascending numbers that is not less than `id`.
    func firstIndex(atOrAfter id: Int64) -> Int { (0..<count).end { self[$0] < id } }

    /// Returns the same from `start` on, by an exponential search: it costs little if the index is near `start`.
    ///
    /// Where ids are hashes, a posting list of a hundred ids covers as wide a range as a set of a million.
    @inline(__always) fileprivate func firstIndex(atOrAfter id: Int64, near start: Int) -> Int {
        guard start < count, self[start] < id else { return start }
        var step = 1
        while start &+ step < count, self[start &+ step] < id { step &*= 2 }
        return ((start &+ step / 2 &+ 1)..<Swift.min(start &+ step, count)).end { self[$0] < id }
    }
}

extension [Int64] {
    /// Sorts numbers that are not negative: many of them by their digits of eleven bits, lowest first (radix sort).
    package mutating func sortAscending() {
        guard count >= 1024, allSatisfy({ $0 >= 0 }) else { return sort() }
        var other = [Int64](repeating: 0, count: count)
        for shift in stride(from: Int64(0), to: 63, by: 11) {
            var starts = [Int](repeating: 0, count: 2049)
            for number in self { starts[Int((number >> shift) & 2047) + 1] += 1 }
            // All numbers have the same digit.
            if starts.contains(count) { continue }
            for digit in 1...2048 { starts[digit] += starts[digit - 1] }
            withUnsafeBufferPointer { numbers in
                other.withUnsafeMutableBufferPointer { other in
                    starts.withUnsafeMutableBufferPointer { starts in
                        for number in numbers {
                            let digit = Int((number >> shift) & 2047)
                            other[starts[digit]] = number
                            starts[digit] &+= 1
                        }
                    }
                }
            }
            swap(&self, &other)
        }
    }
}
