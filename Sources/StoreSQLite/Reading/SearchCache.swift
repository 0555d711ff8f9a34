import Directories

/// The last few searches of a reader: the pages of one follow each other, and finding everyone is most of the work.
struct SearchCache {
    private struct Entry {
        var search: Search
        var key: Sort.Key
        /// No two directories share one.
        var generation: Int64
        /// All who match, in the ascending order.
        var ids: [Int64]
    }

    /// 80 KB each at most.
    private static let maxEntries = 4
    private var entries: [Entry] = []
    /// Of one search alone: in a directory of a million some hundred kilobytes.
    private var candidates: (search: Search, generation: Int64, Candidates)?

    /// A user at the edge of a page that was read, by whom the page beside it is asked for.
    struct Edge: Hashable {
        var search: Search
        var sort: Sort
        var generation: Int64
        var cursor: Cursor
    }

    private static let maxEdges = 32
    private var edges: [Edge] = []
    private var positions: [Edge: Int] = [:]

    subscript(search: Search, key: Sort.Key, generation: Int64) -> [Int64]? {
        get { entries.first { $0.generation == generation && $0.search == search && $0.key == key }?.ids }
        set {
            guard let newValue else { return }
            if entries.count == Self.maxEntries { entries.removeFirst() }
            entries.append(Entry(search: search, key: key, generation: generation, ids: newValue))
        }
    }

    /// The place of the user among those found, counted from 1.
    func position(of edge: Edge) -> Int? { positions[edge] }

    mutating func note(_ position: Int, of edge: Edge) {
        guard positions.updateValue(position, forKey: edge) == nil else { return }
        edges.append(edge)
        if edges.count > Self.maxEdges { positions[edges.removeFirst()] = nil }
    }

    /// Whom the index finds; the same in all orders.
    subscript(candidates search: Search, generation: Int64) -> Candidates? {
        get {
            guard let candidates, candidates.generation == generation, candidates.search == search else { return nil }
            return candidates.2
        }
        set { candidates = newValue.map { (search, generation, $0) } }
    }
}
