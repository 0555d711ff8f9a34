/// Many ids: a bit for each number from the least to the greatest, or a list where bits would take more room.
enum IDSet {
    case bits(IDBits)
    case list(IDList)

    /// Of ids in `range`; `count` of them at most.
    init(_ range: ClosedRange<Int64>, count: Int) {
        // Two bytes for each user at most: a page of GitHub's users leaves few numbers out, those of a git history have any.
        let span = range.upperBound >> 6 - range.lowerBound >> 6
        self = span < Swift.max(Int64(count) / 4, 1024) ? .bits(IDBits(range)) : .list(IDList())
    }

    var count: Int {
        switch self {
        case .bits(let bits): bits.count
        case .list(let list): list.ids.count
        }
    }

    /// Ascending.
    var all: [Int64] {
        switch self {
        case .bits(let bits): bits.all
        case .list(let list): list.ids
        }
    }

    @inline(__always) func contains(_ id: Int64) -> Bool {
        switch self {
        case .bits(let bits): bits.contains(id)
        case .list(let list): list.contains(id)
        }
    }

    func count(before id: Int64) -> Int {
        switch self {
        case .bits(let bits): bits.count(before: id)
        case .list(let list): list.count(before: id)
        }
    }

    func first(atOrAfter id: Int64) -> Int64? {
        switch self {
        case .bits(let bits): bits.first(atOrAfter: id)
        case .list(let list): list.first(atOrAfter: id)
        }
    }

    func last(atOrBefore id: Int64) -> Int64? {
        switch self {
        case .bits(let bits): bits.last(atOrBefore: id)
        case .list(let list): list.last(atOrBefore: id)
        }
    }

    /// The first one after `id` in a direction, or the first of all.
    func next(after id: Int64?, isDescending: Bool) -> Int64? {
        if isDescending { return id == .min ? nil : last(atOrBefore: id.map { $0 - 1 } ?? .max) }
        return id == .max ? nil : first(atOrAfter: id.map { $0 + 1 } ?? .min)
    }
}

/// Ids as bits.
struct IDBits {
    /// The number of the first bit divided by 64.
    private let base: Int64
    private var words: [UInt64]
    private(set) var count = 0

    init(_ range: ClosedRange<Int64>) {
        base = range.lowerBound >> 6
        words = [UInt64](repeating: 0, count: Int(range.upperBound >> 6 - base) + 1)
    }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
        count = 0
    }

    /// Takes the ids of entries; of damaged ones those in the range. Then ``counted()`` is due.
    mutating func insert(_ entry: GramEntry) {
        let base = base
        words.withUnsafeMutableBufferPointer { words in
            entry.forEachID { id in
                let word = id >> 6 &- base
                if word >= 0, word < words.count { words[Int(word)] |= 1 << UInt64(id & 63) }
            }
        }
    }

    /// Counts the ids.
    mutating func counted() {
        count = words.withUnsafeBufferPointer { words in
            var count = 0
            for word in words { count += word.nonzeroBitCount }
            return count
        }
    }

    /// Keeps whom `other`, of the same range, has too; and counts.
    mutating func formIntersection(_ other: IDBits) {
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for index in 0..<Swift.min(words.count, others.count) { words[index] &= others[index] }
            }
        }
        counted()
    }

    /// Ascending.
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
        // Of the id's own word those below its bit.
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
