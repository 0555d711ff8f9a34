/// A set of ids as a bit for each id of a space.
package struct Bitmap {
    private let space: IDSpace
    private var words: [UInt64]
    package private(set) var count = 0

    package init(_ space: IDSpace) {
        self.space = space
        words = [UInt64](repeating: 0, count: space.size)
    }

    var size: Int { words.count }

    /// Inserts the ids of a posting list; of a damaged one, those in the space. Call ``updateCount()`` afterwards.
    package mutating func insert(_ list: PostingList) {
        insert { insert in list.forEachID(insert) }
    }

    /// Inserts ids in the space. Call ``updateCount()`` afterwards.
    package mutating func insert(_ list: IDList) {
        insert { insert in list.ids.forEach(insert) }
    }

    /// Inserts ids; those outside the space are left out. Call ``updateCount()`` afterwards.
    mutating func insert(_ ids: UnsafeBufferPointer<Int64>) { insert { insert in ids.forEach(insert) } }

    /// Inserts each id that `body` passes on, except those outside the space.
    @inline(__always) private mutating func insert(_ body: ((Int64) -> Void) -> Void) {
        let space = space
        words.withUnsafeMutableBufferPointer { words in
            // Deciding once instead of for each id halves the cost.
            if let first = space.firstOfDense {
                let count = UInt64(space.bitCount)
                return body { id in
                    let bit = UInt64(bitPattern: id &- first)
                    if bit < count { words[Int(truncatingIfNeeded: bit &>> 6)] |= 1 &<< (bit & 63) }
                }
            }
            space.withBits { bits in
                body { id in
                    if let bit = bits.bit(of: id) { words[bit &>> 6] |= 1 &<< UInt64(bit & 63) }
                }
            }
        }
    }

    /// Counts the ids.
    package mutating func updateCount() {
        count = words.withUnsafeBufferPointer { words in
            var count = 0
            for word in words { count &+= word.nonzeroBitCount }
            return count
        }
    }

    /// Removes the ids that `other`, a bitmap of the same space, does not have. Call ``updateCount()`` afterwards.
    mutating func formIntersection(_ other: Bitmap) { combine(other, &) }

    /// Removes the ids of `other`, a bitmap of the same space. Call ``updateCount()`` afterwards.
    mutating func subtract(_ other: Bitmap) { combine(other) { $0 & ~$1 } }

    /// Removes the ids of a list. Call ``updateCount()`` afterwards.
    mutating func subtract(_ list: IDList) {
        words.withUnsafeMutableBufferPointer { words in
            space.withBits { bits in
                for id in list.ids {
                    if let bit = bits.bit(of: id) { words[bit &>> 6] &= ~(1 &<< UInt64(bit & 63)) }
                }
            }
        }
    }

    /// Inserts the ids of `other`, a bitmap of the same space. Call ``updateCount()`` afterwards.
    mutating func formUnion(_ other: Bitmap) { combine(other, |) }

    @inline(__always)
    private mutating func combine(_ other: Bitmap, _ operation: (UInt64, UInt64) -> UInt64) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for index in 0..<Swift.min(words.count, others.count) {
                    words[index] = operation(words[index], others[index])
                }
            }
        }
    }

    /// Returns the number of ids that `other`, a bitmap of the same space, has, too.
    func intersectionCount(_ other: Bitmap) -> Int {
        words.withUnsafeBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                var count = 0
                for index in 0..<Swift.min(words.count, others.count) {
                    count &+= (words[index] & others[index]).nonzeroBitCount
                }
                return count
            }
        }
    }

    /// See ``IDSet/filtered(_:)``.
    func filtered(_ isIncluded: (_ rank: Int) -> Bool) -> Bitmap {
        var result = self
        var rank = 0
        for index in words.indices {
            var rest = words[index]
            while rest != 0 {
                if !isIncluded(rank) { result.words[index] &= ~(rest & ~(rest - 1)) }
                rest &= rest - 1
                rank += 1
            }
        }
        result.updateCount()
        return result
    }

    /// The number of ids before each word.
    var countsBeforeWords: [Int32] {
        var count: Int32 = 0
        return words.map { word in
            defer { count += Int32(word.nonzeroBitCount) }
            return count
        }
    }

    /// See ``RankSelect/forEach(in:_:)``.
    @inline(__always) func forEachRank(
        _ list: PostingList, through last: Int64, _ countsBeforeWords: [Int32],
        _ body: (_ rank: Int, _ offset: UInt8) -> Void
    ) {
        words.withUnsafeBufferPointer { words in
            countsBeforeWords.withUnsafeBufferPointer { counts in
                space.withBits { bits in
                    list.forEach(through: last) { id, offset in
                        guard let bit = bits.bit(of: id) else { return id }
                        let (word, mask) = (words[bit &>> 6], 1 as UInt64 &<< UInt64(bit & 63))
                        if word & mask != 0 {
                            body(Int(counts[bit &>> 6]) &+ (word & (mask &- 1)).nonzeroBitCount, offset)
                        }
                        return id
                    }
                }
            }
        }
    }

    /// All ids, ascending.
    var all: [Int64] {
        // Empty arrays share their memory, and this would write its count of 0 there while other threads read it.
        if count == 0 { return [] }
        return [Int64](unsafeUninitializedCapacity: count) { ids, count in
            for (index, word) in words.enumerated() where word != 0 {
                var rest = word
                // No more than were counted, so that no caller can write behind the end.
                while rest != 0, count < ids.count {
                    ids.initializeElement(at: count, to: space.id(ofBit: index << 6 | rest.trailingZeroBitCount))
                    rest &= rest - 1
                    count += 1
                }
            }
        }
    }

    /// Returns those of `ids` that are in the set, or those that are not.
    func select(_ ids: [Int64], ifIn isIncluded: Bool) -> [Int64] {
        words.withUnsafeBufferPointer { words in
            space.withBits { bits in
                ids.filter { id in
                    guard let bit = bits.bit(of: id) else { return !isIncluded }
                    return (words[bit &>> 6] & 1 &<< UInt64(bit & 63) != 0) == isIncluded
                }
            }
        }
    }

    func count(before id: Int64) -> Int {
        let bit = space.bit(atOrAfter: id)
        var count = 0
        for bits in words[..<(bit >> 6)] { count += bits.nonzeroBitCount }
        // In the bit's own word, only those below it.
        return bit & 63 == 0 ? count : count + (words[bit >> 6] & (1 << UInt64(bit & 63) - 1)).nonzeroBitCount
    }

    func contains(_ id: Int64) -> Bool {
        guard let bit = space.bit(of: id) else { return false }
        return words[bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Calls `body` with those of `ids` that are in the set, in their order, until it returns `false`. Returns whether
    /// it never did.
    func forEachMember(of ids: UnsafeBufferPointer<Int64>, _ body: (Int64) throws -> Bool) rethrows -> Bool {
        try words.withUnsafeBufferPointer { words in
            try space.withBits { bits in
                for id in ids {
                    guard let bit = bits.bit(of: id), words[bit &>> 6] & 1 &<< UInt64(bit & 63) != 0 else { continue }
                    guard try body(id) else { return false }
                }
                return true
            }
        }
    }

    func first(atOrAfter id: Int64) -> Int64? {
        let bit = space.bit(atOrAfter: id)
        var mask: UInt64 = ~0 << UInt64(bit & 63)
        for word in (bit >> 6)..<max(words.count, bit >> 6) {
            let bits = words[word] & mask
            if bits != 0 { return space.id(ofBit: word << 6 | bits.trailingZeroBitCount) }
            mask = ~0
        }
        return nil
    }

    func last(atOrBefore id: Int64) -> Int64? {
        // The bits before that of the next id.
        let end = id == .max ? space.bitCount : space.bit(atOrAfter: id + 1)
        if end == 0 { return nil }
        var mask: UInt64 = ~0 >> UInt64(63 - (end - 1) & 63)
        for word in (0...((end - 1) >> 6)).reversed() {
            let bits = words[word] & mask
            if bits != 0 { return space.id(ofBit: word << 6 | (63 - bits.leadingZeroBitCount)) }
            mask = ~0
        }
        return nil
    }
}
