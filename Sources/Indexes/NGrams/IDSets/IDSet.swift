/// A set of ids: a sorted list, or a bitmap of all ids of the index.
///
/// A bitmap is used where it takes less memory. Up to 2 MiB it is also used for an eighth as many ids, because finding
/// these in the long posting lists of a frequent n-gram takes longer than making a bitmap of the lists.
package enum IDSet {
    case bitmap(Bitmap)
    case list(IDList)

    /// Returns the greatest number of ids for which a list is used if a bitmap takes `size` words.
    fileprivate static func maxList(besideBitmapOf size: Int) -> Int { size <= 1 << 18 ? size / 8 : size }

    /// The set of a bitmap's ids, as a list if they are few.
    package init(_ bitmap: Bitmap) {
        self =
            bitmap.count > Self.maxList(besideBitmapOf: bitmap.size) ? .bitmap(bitmap) : .list(IDList(bitmap.all))
    }

    package var count: Int {
        switch self {
        case .bitmap(let bitmap): bitmap.count
        case .list(let list): list.ids.count
        }
    }

    /// All ids, ascending.
    package var all: [Int64] {
        switch self {
        case .bitmap(let bitmap): bitmap.all
        case .list(let list): list.ids
        }
    }

    package func contains(_ id: Int64) -> Bool {
        switch self {
        case .bitmap(let bitmap): bitmap.contains(id)
        case .list(let list): list.contains(id)
        }
    }

    /// The same set, with a Bloom filter if it is a list.
    package var withFilter: IDSet {
        if case .list(let list) = self { .list(list.withFilter) } else { self }
    }

    /// Calls `body` with those of `ids` that are in the set, in their order, until it returns `false`. Returns whether
    /// it never did.
    ///
    /// Takes many ids at a time, because deciding for each id whether the set is a list costs more than the lookup.
    package func forEachMember(of ids: UnsafeBufferPointer<Int64>, _ body: (Int64) throws -> Bool) rethrows -> Bool {
        switch self {
        case .bitmap(let bitmap): return try bitmap.forEachMember(of: ids, body)
        case .list(let list):
            for id in ids where list.contains(id) {
                guard try body(id) else { return false }
            }
        }
        return true
    }

    package func count(before id: Int64) -> Int {
        switch self {
        case .bitmap(let bitmap): bitmap.count(before: id)
        case .list(let list): list.count(before: id)
        }
    }

    package func first(atOrAfter id: Int64) -> Int64? {
        switch self {
        case .bitmap(let bitmap): bitmap.first(atOrAfter: id)
        case .list(let list): list.first(atOrAfter: id)
        }
    }

    package func last(atOrBefore id: Int64) -> Int64? {
        switch self {
        case .bitmap(let bitmap): bitmap.last(atOrBefore: id)
        case .list(let list): list.last(atOrBefore: id)
        }
    }

    /// Returns the subset of ids whose rank, the number of ids before them, is included.
    package func filtered(_ isIncluded: (_ rank: Int) -> Bool) -> IDSet {
        switch self {
        case .bitmap(let bitmap): .bitmap(bitmap.filtered(isIncluded))
        case .list(let list): .list(list.filtered(isIncluded).withFilter)
        }
    }

    /// Returns the first id after `id` in a direction, or the first of all if `id` is `nil`.
    package func next(after id: Int64?, isDescending: Bool) -> Int64? {
        if isDescending { return id == .min ? nil : last(atOrBefore: id.map { $0 - 1 } ?? .max) }
        return id == .max ? nil : first(atOrAfter: id.map { $0 + 1 } ?? .min)
    }
}

// MARK: - Several sets

// The bitmaps of two sets have the same space: that of the index at one time.
extension IDSet {
    /// Returns the ids in `space` that are in any of `sets`.
    package static func union(of sets: [IDSet], in space: IDSpace) -> IDSet {
        if sets.count == 1 { return sets[0] }
        if sets.reduce(0, { $0 + $1.count }) <= maxList(besideBitmapOf: space.size) {
            return .list(IDList(union: sets.map(\.all)))
        }
        var bitmap = Bitmap(space)
        for set in sets {
            switch set {
            case .bitmap(let other): bitmap.formUnion(other)
            case .list(let list): bitmap.insert(list)
            }
        }
        bitmap.updateCount()
        return IDSet(bitmap)
    }

    /// Returns the ids that are in both sets.
    package func intersection(_ other: IDSet) -> IDSet {
        switch (self, other) {
        case (.bitmap(var bitmap), .bitmap(let other)):
            bitmap.formIntersection(other)
            bitmap.updateCount()
            return IDSet(bitmap)
        case (.list(let list), .bitmap(let bitmap)), (.bitmap(let bitmap), .list(let list)):
            return .list(IDList(bitmap.select(list.ids, ifIn: true)))
        case (.list(let list), .list(let other)): return .list(list.intersection(other))
        }
    }

    /// Returns the ids that `other` does not have.
    package func subtracting(_ other: IDSet) -> IDSet {
        if other.count == 0 { return self }
        switch (self, other) {
        case (.bitmap(var bitmap), .bitmap(let other)):
            bitmap.subtract(other)
            bitmap.updateCount()
            return IDSet(bitmap).withFilter
        case (.bitmap(var bitmap), .list(let list)):
            bitmap.subtract(list)
            bitmap.updateCount()
            return IDSet(bitmap).withFilter
        case (.list(let list), .bitmap(let bitmap)):
            return .list(IDList(bitmap.select(list.ids, ifIn: false)).withFilter)
        case (.list(let list), .list(let other)):
            let others = other.withFilter
            return .list(IDList(list.ids.filter { !others.contains($0) }).withFilter)
        }
    }

    /// Returns the number of ids that are in both sets.
    package func intersectionCount(_ other: IDSet) -> Int {
        switch (self, other) {
        case (.bitmap(let bitmap), .bitmap(let other)): bitmap.intersectionCount(other)
        case (.list(let list), .bitmap(let bitmap)), (.bitmap(let bitmap), .list(let list)):
            list.ids.count(where: bitmap.contains)
        case (.list(let list), .list(let other)): list.intersection(other).ids.count
        }
    }

    /// The memory that the ids take, in bytes.
    package var memory: Int {
        switch self {
        case .bitmap(let bitmap): bitmap.size * 8
        case .list(let list): list.ids.count * 8
        }
    }
}

/// Collects ids: in a list as long as they are few, then in a bitmap.
package struct IDSetBuilder {
    private let space: IDSpace
    private var list = IDList()
    private var bitmap: Bitmap?

    /// A builder for ids in `space`.
    package init(_ space: IDSpace) {
        self.space = space
    }

    package mutating func insert(_ list: PostingList) {
        bitmap?.insert(list)
        if bitmap != nil { return }
        self.list.insert(list)
        chooseBitmap()
    }

    /// Inserts new ids.
    package mutating func insert(_ ids: UnsafeBufferPointer<Int64>) {
        bitmap?.insert(ids)
        if bitmap != nil { return }
        list.insert(ids)
        chooseBitmap()
    }

    private mutating func chooseBitmap() {
        guard list.ids.count > IDSet.maxList(besideBitmapOf: space.size) else { return }
        var bitmap = Bitmap(space)
        bitmap.insert(list)
        list = IDList()
        self.bitmap = bitmap
    }

    /// Returns the set of all inserted ids.
    package consuming func finished() -> IDSet {
        if var bitmap {
            bitmap.updateCount()
            return .bitmap(bitmap)
        }
        list.sort()
        return .list(list)
    }
}
