/// Which users, in what order, from where on: what a page shows.
public struct UserQuery: Hashable, Sendable {
    public var directory: Int64
    public var search: Search?
    public var sort: Sort
    public var start: Start
    /// 1 to 100.
    public var limit: Int

    public init(directory: Int64, search: Search? = nil, sort: Sort = Sort(), start: Start = .first, limit: Int) {
        self.directory = directory
        self.search = search
        self.sort = sort
        self.start = start
        self.limit = limit
    }

    /// Where a page begins, or ends. Cursors are exclusive.
    public enum Start: Hashable, Sendable {
        case first
        case after(Cursor)
        case before(Cursor)
        /// After so many users of the order, counted from 0: pages by number.
        case at(Int)
        /// The page that ends with the last user.
        case last

        /// Whether the page is made of the users nearest before a place, not after one.
        public var isBackward: Bool {
            switch self {
            case .first, .after, .at: false
            case .before, .last: true
            }
        }

        /// Whether the page is the first or the last one.
        public var isAtEnd: Bool { self == .first || self == .last }
    }
}

/// An order of users. Every order is total: equal sort values are ordered by id.
public struct Sort: Hashable, Sendable {
    public enum Key: String, CaseIterable, Sendable {
        case id, login, name, reputation
    }
    public enum Direction: String, CaseIterable, Sendable {
        case ascending = "asc"
        case descending = "desc"
    }

    public var key: Key
    public var direction: Direction

    public init(_ key: Key = .id, _ direction: Direction = .ascending) {
        self.key = key
        self.direction = direction
    }
}
