/// The ranks of many ids in a sorted list, by a hash table with open addressing.
///
/// Where ids are hashes, a posting list of a hundred ids is spread over the whole list, and a search for each of them
/// costs many steps that memory waits for. Here it costs two.
struct HashedRanks {
    /// The rank in each place, or -1.
    private var table: [Int32]
    private let shift: UInt64

    /// Fewer ids are found sooner by searching for them.
    static let minCount = 4096

    init(_ ids: [Int64]) {
        let bits = UInt64(64 - (ids.count * 2).leadingZeroBitCount)
        shift = 64 - bits
        table = [Int32](repeating: -1, count: 1 << Int(bits))
        let (shift, mask) = (shift, table.count &- 1)
        table.withUnsafeMutableBufferPointer { table in
            for (rank, id) in ids.enumerated() {
                var place = Self.place(of: id, shift)
                while table[place] >= 0 { place = (place &+ 1) & mask }
                table[place] = Int32(truncatingIfNeeded: rank)
            }
        }
    }

    /// Calls `body` for each id of a posting list that is one of `ids`, those that the table was made of.
    @inline(__always) func forEachRank(
        of ids: UnsafeBufferPointer<Int64>, _ list: PostingList, _ body: (_ rank: Int, _ offset: UInt8) -> Void
    ) {
        let (shift, mask) = (shift, table.count &- 1)
        table.withUnsafeBufferPointer { table in
            list.forEach { id, offset in
                var place = Self.place(of: id, shift)
                while table[place] >= 0 {
                    let rank = Int(table[place])
                    if ids[rank] == id {
                        body(rank, offset)
                        break
                    }
                    place = (place &+ 1) & mask
                }
                return id
            }
        }
    }

    @inline(__always) private static func place(of id: Int64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
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
