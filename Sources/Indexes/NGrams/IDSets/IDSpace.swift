/// The ids of the texts in an index at one time, and the bit that stands for each in a ``Bitmap``.
///
/// Where ids are dense, the bits count from the least id to the greatest. Where they are far apart, such as hashes, the
/// bits count the ids themselves: the bit of an id is its rank.
package struct IDSpace: Sendable {
    /// The least and the greatest id.
    package let range: ClosedRange<Int64>
    let bitCount: Int
    private let ranks: IDRanks?
    /// The id of the first bit, if bits count from there.
    private let first: Int64

    /// A bitmap of less than this many bits for each id has no ranks: they take time to look up.
    private static let bitsPerID = 32

    /// The space of all ids in `range`.
    package init(_ range: ClosedRange<Int64>) {
        self.range = range
        // A multiple of 64, so that the bit in a word needs no subtraction.
        first = range.lowerBound & ~63
        bitCount = Int(min(range.upperBound - first, .max - 64)) + 1
        ranks = nil
    }

    /// The space of `ids`, or `nil` unless they ascend, and there are some.
    package init?(_ ids: [Int64]) {
        guard let least = ids.first, let greatest = ids.last, IDList(ids).areDistinct else { return nil }
        range = least...greatest
        first = 0
        bitCount = ids.count
        ranks = IDRanks(ids)
    }

    /// Whether `count` ids in `range` are so far apart that they need ranks.
    package static func isSparse(_ range: ClosedRange<Int64>, count: Int) -> Bool {
        (range.upperBound - range.lowerBound) / Int64(bitsPerID) > count
    }

    /// The id of the first bit, if bits count from there; `nil` if the bits of ids are their ranks.
    var firstOfDense: Int64? { ranks == nil ? first : nil }

    /// The size of a bitmap, in words of 64 bits.
    var size: Int { (bitCount + 63) / 64 }

    /// Calls `body` with what finds the bits of ids.
    @inline(__always) func withBits<Result>(_ body: (IDBits) throws -> Result) rethrows -> Result {
        guard let ranks else { return try body(IDBits(first: first, count: UInt64(bitCount))) }
        return try ranks.withBits(body)
    }

    /// Returns the bit of an id, or `nil` for an id that is not in the space.
    func bit(of id: Int64) -> Int? { withBits { $0.bit(of: id) } }

    /// Returns the bit of the first id that is not less than `id`; ``bitCount`` after the last one.
    func bit(atOrAfter id: Int64) -> Int {
        if let ranks { return ranks.rank(atOrAfter: id) }
        return id < first ? 0 : id > range.upperBound ? bitCount : Int(id - first)
    }

    func id(ofBit bit: Int) -> Int64 { ranks?.ids[bit] ?? first + Int64(bit) }
}

/// The ranks of sorted ids, found by their leading bits.
private final class IDRanks: Sendable {
    /// The ids, and after them some that are greater.
    let ids: [Int64]
    private let count: Int
    /// The rank of the first id of each bucket, and at last the number of ids. The leading bits of an id's distance
    /// from the first id are the number of its bucket.
    private let starts: [Int32]
    private let shift: UInt64

    init(_ ids: [Int64]) {
        self.ids = ids + [Int64](repeating: .max, count: IDBits.idsComparedAtOnce + 1)
        count = ids.count
        // About as many buckets as ids.
        let first = ids[0]
        let span = UInt64(bitPattern: ids[ids.count - 1] &- first)
        let bits = 64 - span.leadingZeroBitCount
        let shift = UInt64(max(0, bits - (64 - ids.count.leadingZeroBitCount)))
        var starts = [Int32](repeating: 0, count: Int(span >> shift) + 2)
        for id in ids { starts[Int(UInt64(bitPattern: id &- first) >> shift) + 1] += 1 }
        for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
        (self.starts, self.shift) = (starts, shift)
    }

    @inline(__always) func withBits<Result>(_ body: (IDBits) throws -> Result) rethrows -> Result {
        try ids.withUnsafeBufferPointer { ids in
            try starts.withUnsafeBufferPointer { starts in
                try body(
                    IDBits(first: ids[0], count: UInt64(starts.count - 1), shift: shift, ids: ids, starts: starts))
            }
        }
    }

    func rank(atOrAfter id: Int64) -> Int {
        ids.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[..<count]).firstIndex(atOrAfter: id) }
    }
}

/// Finds the bits of many ids in an ``IDSpace``, while its arrays are in reach.
struct IDBits {
    /// The id of the first bit.
    fileprivate let first: Int64
    /// The number of bits or, with ranks, of buckets.
    fileprivate let count: UInt64
    fileprivate var shift: UInt64 = 0
    fileprivate var ids: UnsafeBufferPointer<Int64>?
    fileprivate var starts = UnsafeBufferPointer<Int32>(start: nil, count: 0)

    /// How many ids of a bucket are compared without a branch: processors wait for memory several times at once only as
    /// long as they need not guess the outcome of a comparison.
    fileprivate static let idsComparedAtOnce = 3

    /// Returns the bit of an id, or `nil` for an id that is not in the space.
    @inline(__always) func bit(of id: Int64) -> Int? {
        let number = UInt64(bitPattern: id &- first) &>> shift
        guard number < count else { return nil }
        guard let ids else { return Int(truncatingIfNeeded: number) }
        let start = Int(starts[Int(truncatingIfNeeded: number)])
        let end = Int(starts[Int(truncatingIfNeeded: number &+ 1)])
        var rank = start
        if end &- start > Self.idsComparedAtOnce {
            rank = UnsafeBufferPointer(rebasing: ids[start..<end]).firstIndex(atOrAfter: id) &+ start
        } else {
            for place in start..<(start &+ Self.idsComparedAtOnce) { rank &+= ids[place] < id ? 1 : 0 }
        }
        return rank < end && ids[rank] == id ? rank : nil
    }
}
