/// Many ids: a sorted list, or a bit for each number from the directory's least to its greatest.
///
/// Bits where they take less room; and, up to 2 MiB, for an eighth as many ids: to find these in the long list of a gram takes longer
/// than to make bits of that list.
enum IDSet {
    case bits(Bitmap)
    case list(IDList)

    /// How many ids are a list where bits take `size` words.
    fileprivate static func maxList(besideBits size: Int) -> Int { size <= 1 << 18 ? size / 8 : size }

    /// As a list, if they are few.
    init(_ bits: Bitmap) {
        self = bits.count > Self.maxList(besideBits: bits.size) ? .bits(bits) : .list(IDList(bits.all))
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

    /// Calls `body` with those of `run` that are in the set, in their order, until it answers `false`; so does this then.
    ///
    /// Many at a time, because to find out for each whether this is a list takes longer than to look for it.
    @inline(__always) func forEachMember(
        of run: UnsafeBufferPointer<Int64>, _ body: (Int64) throws -> Bool
    ) rethrows -> Bool {
        switch self {
        case .bits(let bits):
            for id in run where bits.contains(id) {
                guard try body(id) else { return false }
            }
        case .list(let list):
            for id in run where list.contains(id) {
                guard try body(id) else { return false }
            }
        }
        return true
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

    /// Those whose ranks are included; they count the ids from 0, ascending.
    func filtered(_ isIncluded: (_ rank: Int) -> Bool) -> IDSet {
        switch self {
        case .bits(let bits): .bits(bits.filtered(isIncluded))
        case .list(let list): .list(list.filtered(isIncluded))
        }
    }

    /// The first one after `id` in a direction, or the first of all.
    func next(after id: Int64?, isDescending: Bool) -> Int64? {
        if isDescending { return id == .min ? nil : last(atOrBefore: id.map { $0 - 1 } ?? .max) }
        return id == .max ? nil : first(atOrAfter: id.map { $0 + 1 } ?? .min)
    }
}

/// Ids that come, at first as a list.
struct IDSetBuilder {
    private let range: ClosedRange<Int64>
    private var list = IDList()
    private var bits: Bitmap?

    /// Of ids in `range`.
    init(_ range: ClosedRange<Int64>) {
        self.range = range
    }

    mutating func insert(_ entry: PostingList) {
        bits?.insert(entry)
        if bits != nil { return }
        list.insert(entry)
        guard list.ids.count > IDSet.maxList(besideBits: Bitmap.size(range)) else { return }
        var bits = Bitmap(range)
        bits.insert(list)
        list = IDList()
        self.bits = bits
    }

    /// All that came.
    consuming func finished() -> IDSet {
        if var bits {
            bits.counted()
            return .bits(bits)
        }
        list.sorted()
        return .list(list)
    }
}
