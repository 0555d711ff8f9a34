/// A set of ids as a bit for each number in a range.
package struct Bitmap {
    /// The number of the first bit, divided by 64.
    private let base: Int64
    private var words: [UInt64]
    package private(set) var count = 0

    package init(_ range: ClosedRange<Int64>) {
        base = range.lowerBound >> 6
        words = [UInt64](repeating: 0, count: Self.size(range))
    }

    /// Returns the size of the bitmap for a range, in words of 64 bits.
    package static func size(_ range: ClosedRange<Int64>) -> Int {
        Int(range.upperBound >> 6 - range.lowerBound >> 6) + 1
    }

    var size: Int { words.count }

    /// Inserts the ids of a posting list; of a damaged one, those in the range. Call ``updateCount()`` afterwards.
    package mutating func insert(_ list: PostingList) {
        insert { insert in list.forEachID(insert) }
    }

    /// Inserts ids in the range. Call ``updateCount()`` afterwards.
    package mutating func insert(_ list: IDList) {
        insert { insert in list.ids.forEach(insert) }
    }

    /// Inserts ids; those outside the range are left out. Call ``updateCount()`` afterwards.
    mutating func insert(_ ids: UnsafeBufferPointer<Int64>) { insert { insert in ids.forEach(insert) } }

    /// Inserts each id that `body` passes on, except those outside the range.
    @inline(__always) private mutating func insert(_ body: ((Int64) -> Void) -> Void) {
        let base = base
        words.withUnsafeMutableBufferPointer { words in
            body { id in
                let word = id >> 6 &- base
                if word >= 0, word < words.count { words[Int(word)] |= 1 << UInt64(id & 63) }
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

    /// Removes the ids that `other`, a bitmap of the same range, does not have. Call ``updateCount()`` afterwards.
    mutating func formIntersection(_ other: Bitmap) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for index in 0..<Swift.min(words.count, others.count) { words[index] &= others[index] }
            }
        }
    }

    /// Removes the ids of `other`, a bitmap of the same range. Call ``updateCount()`` afterwards.
    mutating func subtract(_ other: Bitmap) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for index in 0..<Swift.min(words.count, others.count) { words[index] &= ~others[index] }
            }
        }
    }

    /// Inserts the ids of `other`, a bitmap of the same range. Call ``updateCount()`` afterwards.
    mutating func formUnion(_ other: Bitmap) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for index in 0..<Swift.min(words.count, others.count) { words[index] |= others[index] }
            }
        }
    }

    /// Returns the number of ids that `other`, a bitmap of the same range, has, too.
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
        _ list: PostingList, _ countsBeforeWords: [Int32], _ body: (_ rank: Int, _ offset: UInt8) -> Void
    ) {
        words.withUnsafeBufferPointer { words in
            countsBeforeWords.withUnsafeBufferPointer { counts in
                list.forEach { id, offset in
                    let index = id >> 6 &- base
                    guard index >= 0, index < words.count else { return id }
                    let bit: UInt64 = 1 << UInt64(id & 63)
                    let word = words[Int(index)]
                    if word & bit != 0 {
                        body(Int(counts[Int(index)]) &+ (word & (bit - 1)).nonzeroBitCount, offset)
                    }
                    return id
                }
            }
        }
    }

    /// All ids, ascending.
    var all: [Int64] {
        var all: [Int64] = []
        all.reserveCapacity(count)
        for (index, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                all.append((Int64(index) + base) << 6 | Int64(rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return all
    }

    func count(before id: Int64) -> Int {
        guard id >> 6 >= base else { return 0 }
        let word = Int(Swift.min(id >> 6 - base, Int64(words.count)))
        var count = 0
        for bits in words[..<word] { count += bits.nonzeroBitCount }
        // In the id's own word, only the bits below its bit count.
        return word < words.count ? count + (words[word] & (1 << UInt64(id & 63) - 1)).nonzeroBitCount : count
    }

    @inline(__always) func contains(_ id: Int64) -> Bool {
        let word = id >> 6 &- base
        return word >= 0 && word < words.count && words[Int(word)] & 1 << UInt64(id & 63) != 0
    }

    func first(atOrAfter id: Int64) -> Int64? {
        var word = Swift.max(id >> 6, base) - base
        var mask: UInt64 = id >> 6 < base ? ~0 : ~0 << UInt64(id & 63)
        while word < words.count {
            let bits = words[Int(word)] & mask
            if bits != 0 { return (word + base) << 6 | Int64(bits.trailingZeroBitCount) }
            mask = ~0
            word += 1
        }
        return nil
    }

    func last(atOrBefore id: Int64) -> Int64? {
        var word = Swift.min(id >> 6 - base, Int64(words.count) - 1)
        var mask: UInt64 = id >> 6 - base > word ? ~0 : ~0 >> UInt64(63 - id & 63)
        while word >= 0 {
            let bits = words[Int(word)] & mask
            if bits != 0 { return (word + base) << 6 | Int64(63 - bits.leadingZeroBitCount) }
            mask = ~0
            word -= 1
        }
        return nil
    }
}
