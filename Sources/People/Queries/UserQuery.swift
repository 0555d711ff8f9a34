import Base

/// The query for one page: which users, in what order, and from where.
///
/// ```swift
/// // The last thirty people by name whose name, login or another searched text has "ada".
/// UserQuery(directory: 1, search: Search("ada"), sort: Sort(.name, .descending), limit: 30)
/// ```
public struct UserQuery: Hashable, Sendable {
    public var directory: Int64
    public var search: Search?
    public var sort: Sort
    public var start: Start
    /// From 1 to 500. Pages have at most 100.
    public var limit: Int

    public init(directory: Int64, search: Search? = nil, sort: Sort = Sort(), start: Start = .first, limit: Int) {
        self.directory = directory
        self.search = search
        self.sort = sort
        self.start = start
        self.limit = limit
    }

    /// Lets the next page begin after row `index` of `users`.
    public mutating func goOn(after index: Int, of users: UserRows) {
        start = .after(users.cursor(of: index, in: sort.key))
    }

    /// The number of matches that can be paged by number: a search walks up to such a page.
    public static let numberedMatches = 10_000

    /// The start, or the end, of a page. Cursors are exclusive.
    public enum Start: Hashable, Sendable {
        case first
        case after(Cursor)
        case before(Cursor)
        /// After this many users of the order: for pages by number.
        case at(Int)
        /// With the first user of a letter, in orders with letters (``Sort/Key/hasLetters``).
        case letter(String)
        /// The page that ends with the last user.
        case last

        /// Whether the page consists of the last users before a position, instead of the first ones after it.
        public var isBackward: Bool {
            switch self {
            case .first, .after, .at, .letter: false
            case .before, .last: true
            }
        }

        public var cursor: Cursor? {
            switch self {
            case .after(let cursor), .before(let cursor): cursor
            case .first, .last, .at, .letter: nil
            }
        }

        public var isAtEnd: Bool { self == .first || self == .last }
    }
}

/// An order of users. Every order is total: users with equal sort values are ordered by id. Users without a value come
/// last in both directions.
public struct Sort: Hashable, Sendable {
    public enum Key: Hashable, Sendable {
        /// The orders that every directory has.
        case id, login, name
        /// An order of ``ShownSettings/orders``.
        case field(FieldOrder)
        /// The order of a search by how well users match (see ``SearchMatch``), and then by another order.
        indirect case relevance(then: Sort)

        /// The orders that every directory has.
        public static let common: [Key] = [.id, .login, .name]

        /// The name in URLs and settings.
        public var name: String {
            switch self {
            case .id: "id"
            case .login: "login"
            case .name: "name"
            case .field(let order): order.key
            case .relevance: Self.relevanceName
            }
        }

        static let relevanceName = "relevance"

        public init?(_ name: some StringProtocol, of settings: ShownSettings) {
            if name == Self.relevanceName {
                self = .relevance(then: settings.defaultSort)
                return
            }
            self.init(named: name, among: settings.orders)
        }

        /// Returns an order that every directory has, or one of `orders`.
        init?(named name: some StringProtocol, among orders: [FieldOrder]) {
            let order = orders.first { $0.key == name }
            guard let key = Self.common.first(where: { $0.name == name }) ?? order.map(Key.field) else { return nil }
            self = key
        }

        public var isCollated: Bool {
            if case .relevance(let sort) = self { return sort.key.isCollated }
            return isText && self != .login
        }

        /// Whether the sort values are text; else they are numbers, or absent in the order by id.
        public var isText: Bool {
            switch self {
            case .id: false
            case .login, .name: true
            case .field(let order): order.kind == .text
            case .relevance(let sort): sort.key.isText
            }
        }
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

extension ShownSettings {
    /// Returns the order that a reader asks for by its key or, as publishers may say, by the heading of its column;
    /// `nil` if the directory has none of this name. Where nobody has a reputation, the order by it is that by id in
    /// both directions, so a hidden one looks like none.
    public func sort(_ name: some StringProtocol, _ direction: Sort.Direction) -> Sort? {
        let key = Sort.Key(name, of: self) ?? field(ofColumn: String(name)).flatMap { Sort.Key($0.key, of: self) }
        if let key { return Sort(key, direction) }
        return name == FieldRole.reputation.rawValue ? Sort() : nil
    }
}

/// The words of a search, and its filters.
///
/// A user matches if each word occurs in the searched text (``SearchedText``), and each filter leaves the user.
///
/// ```swift
/// Search("ann lee")      // people with both words
/// Search("  ") == nil    // all people
/// ```
public struct Search: Hashable, Sendable {
    /// Empty if only filters are given.
    public let words: SearchWords
    /// At most one per field, in the order in which the directory shows them.
    public let filters: [ChosenFilter]

    /// Returns `nil` if `text` is blank and `filters` is empty.
    public init?(_ text: String, filters: [ChosenFilter] = []) {
        // Most lists are asked for without a search.
        if text.isEmpty, filters.isEmpty { return nil }
        self.init(words: SearchWords(text), filters: filters)
    }

    /// Returns `nil` if there is nothing to search for.
    public init?(words: SearchWords, filters: [ChosenFilter]) {
        if words.isEmpty, filters.isEmpty { return nil }
        self.words = words
        self.filters = filters
    }

    /// The same words without the filters that `isIncluded` excludes; `nil` if nothing is left.
    public func filtered(_ isIncluded: (ChosenFilter) -> Bool) -> Search? {
        Search(words: words, filters: filters.filter(isIncluded))
    }
}
