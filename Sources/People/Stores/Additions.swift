/// How many of the people that recent changes of a directory added match a search.
public struct Additions: Equatable, Sendable {
    /// The people that the change which made a generation added.
    public struct Change: Equatable, Sendable {
        public var generation: Int64
        public var count: Int
        /// The least and the greatest of their ids; `nil` if they are not known.
        public var ids: ClosedRange<Int64>?

        public init(generation: Int64, count: Int, ids: ClosedRange<Int64>? = nil) {
            self.generation = generation
            self.count = count
            self.ids = ids
        }

        public mutating func add(_ id: Int64) {
            count += 1
            ids = min(ids?.lowerBound ?? id, id)...max(ids?.upperBound ?? id, id)
        }
    }

    /// The directory as it was when the people were counted.
    public var directory: Directory
    /// Everybody who was added after this generation is counted.
    public var knownSince: Int64
    /// Each person is counted once, at the last change that added the person.
    public var changes: [Change]

    public init(_ directory: Directory, knownSince: Int64, changes: [Change]) {
        self.directory = directory
        self.knownSince = knownSince
        self.changes = changes
    }

    /// Returns how many people were added after `generation`, or `nil` if it is before ``knownSince``.
    public func count(since generation: Int64) -> Int? {
        guard generation >= knownSince else { return nil }
        return changes.reduce(0) { $1.generation > generation ? $0 + $1.count : $0 }
    }

    /// Returns the least and the greatest id of the people who were added after `generation`, or `nil` if nobody was.
    public func ids(since generation: Int64) -> ClosedRange<Int64>? {
        let ids = changes.filter { $0.generation > generation }.compactMap(\.ids)
        guard let first = ids.map(\.lowerBound).min(), let last = ids.map(\.upperBound).max() else { return nil }
        return first...last
    }
}
