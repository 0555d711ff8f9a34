import Bytes
import Directories

/// All who match a search, in an ascending order: what a search of moderate size is answered from.
struct Matches {
    /// The texts of `places`.
    var text: [UInt8] = []
    var places: [SortKey] = []

    mutating func sort() {
        text.withUnsafeBytes { bytes in
            places.sort { $0.compare(in: bytes, to: $1, in: bytes) < 0 }
        }
    }

    /// How many are before `place`, or before and at it.
    func count(before place: SortKey, _ placeText: UnsafeRawBufferPointer, orAt: Bool) -> Int {
        text.withUnsafeBytes { bytes in
            var low = 0
            var high = places.count
            while low < high {
                let middle = (low + high) / 2
                let order = places[middle].compare(in: bytes, to: place, in: placeText)
                if order < 0 || (orAt && order == 0) { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}

/// The last few searches of a reader: the pages of one follow each other, and finding everyone is most of the work.
struct SearchCache {
    enum Found {
        case all(Matches)
        /// More than a search counts.
        case many
    }

    private struct Entry {
        var search: Search
        var key: Sort.Key
        /// No two directories share one.
        var generation: Int64
        var found: Found
    }

    /// Half a megabyte each at most, in names of usual length.
    private static let maxEntries = 4
    private var entries: [Entry] = []

    subscript(search: Search, key: Sort.Key, generation: Int64) -> Found? {
        get { entries.first { $0.generation == generation && $0.key == key && $0.search == search }?.found }
        set {
            guard let newValue else { return }
            if entries.count == Self.maxEntries { entries.removeFirst() }
            entries.append(Entry(search: search, key: key, generation: generation, found: newValue))
        }
    }
}
