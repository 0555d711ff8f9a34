/// A set of ids as a sorted list.
package struct IDList {
    package private(set) var ids: [Int64]
    private var filter: BloomFilter?

    /// The list of `ids`, which ascend.
    package init(_ ids: [Int64] = []) {
        self.ids = ids
    }

    /// Appends the ids of a posting list. Call ``sort()`` afterwards.
    package mutating func insert(_ list: PostingList) { list.forEachID { ids.append($0) } }

    /// Appends those ids of a posting list that are in `others`. Call ``sort()`` afterwards.
    mutating func insert(_ list: PostingList, among others: IDList) {
        others.forEachRank(list) { rank, _ in ids.append(others.ids[rank]) }
    }

    /// See ``RankSelect/forEach(in:_:)``.
    @inline(__always) func forEachRank(_ list: PostingList, _ body: (_ rank: Int, _ offset: UInt8) -> Void) {
        ids.withUnsafeBufferPointer { ids in
            var index = -1
            list.forEach { id, offset in
                if index < 0 { index = ids.firstIndex(atOrAfter: id) }
                while index < ids.count, ids[index] < id { index &+= 1 }
                if index < ids.count, ids[index] == id {
                    body(index, offset)
                    index &+= 1
                }
                return index < ids.count ? ids[index] : .max
            }
        }
    }

    /// See ``IDSet/filtered(_:)``.
    func filtered(_ isIncluded: (_ rank: Int) -> Bool) -> IDList {
        var result = IDList()
        for (rank, id) in ids.enumerated() where isIncluded(rank) { result.ids.append(id) }
        result.addFilter()
        return result
    }

    /// Returns the ids that are in both lists.
    func intersection(_ other: IDList) -> IDList {
        let (few, many) = ids.count < other.ids.count ? (ids, other.ids) : (other.ids, ids)
        var result: [Int64] = []
        many.withUnsafeBufferPointer { many in
            var start = 0
            for id in few {
                start = many.firstIndex(atOrAfter: id, from: start)
                guard start < many.count else { return }
                if many[start] == id { result.append(id) }
            }
        }
        return IDList(result)
    }

    /// Sorts the ids, which are in order already if the texts came in the order of their ids.
    package mutating func sort() {
        if !zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { ids.sort() }
    }

    /// Makes ``contains(_:)`` fast with a Bloom filter. Call this after the last change.
    package mutating func addFilter() { filter = BloomFilter(ids) }

    /// The same list with a Bloom filter.
    package var withFilter: IDList {
        var list = self
        list.addFilter()
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
    /// Returns the index, from `start` on, of the first of these ascending numbers that is not less than `id`.
    fileprivate func firstIndex(atOrAfter id: Int64, from start: Int = 0) -> Int {
        var low = start
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
