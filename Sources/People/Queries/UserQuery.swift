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

/// Consecutive users of one order, read by a store in one transaction.
///
/// ```swift
/// let page = try reader.page(UserQuery(directory: 1, sort: Sort(.name), limit: 30))
/// page?.users.users.map(\.login)  // ["ada", "grace", …]
/// ```
public struct Page: Sendable {
    public var users: UserRows
    /// The directory at that moment, with the generation that validators depend on.
    public var directory: Directory
    /// The position of the first user in the whole order, counted from 1; `nil` if it is unknown (far into a large
    /// search).
    public var firstPosition: Int?
    /// The number of users that match the query: the directory's total, or up to 10,000 for a search; `nil` above that.
    public var total: Int?
    public var hasPrevious: Bool
    public var hasNext: Bool

    public init(
        users: UserRows, directory: Directory, firstPosition: Int?, total: Int?, hasPrevious: Bool, hasNext: Bool
    ) {
        self.users = users
        self.users.collation = directory.collation.hash
        self.directory = directory
        self.firstPosition = firstPosition
        self.total = total
        self.hasPrevious = hasPrevious
        self.hasNext = hasNext
    }
}

/// The users of a page: the text of all of them in one array of bytes (UTF-8), and slices of it.
///
/// This takes two allocations for a page of thirty users; strings would take two hundred.
///
/// ```swift
/// page.users.rows.count           // 30
/// page.users.users.map(\.login)   // ["ada", …]: copies each text of these users
/// ```
public struct UserRows: Sendable {
    public var text: [UInt8] = []
    public var rows: [UserRow] = []
    /// The hash of the ``CollationStamp`` of the rows' sort keys.
    public var collation: UInt32 = 0

    public init() {}

    /// Appends a copy of `bytes` and returns its slice.
    public mutating func keep(_ bytes: UnsafeRawBufferPointer) -> ByteSlice {
        let slice = ByteSlice(offset: text.count, count: bytes.count)
        text.append(contentsOf: bytes)
        return slice
    }

    public subscript(slice: ByteSlice) -> String {
        String(decoding: text[slice.range], as: UTF8.self)
    }

    public func user(_ index: Int) -> User {
        text.withUnsafeBytes { User(rows[index].columns.bytes(in: $0)) }
    }

    public var users: [User] { rows.indices.map(user) }

    /// Whether all values of row `index` but the id are those of row `otherIndex` of `other`.
    public func hasSameValues(_ index: Int, as other: UserRows, _ otherIndex: Int) -> Bool {
        text.withUnsafeBytes { text in
            other.text.withUnsafeBytes { otherText in
                rows[index].columns.bytes(in: text).hasSameValues(
                    as: other.rows[otherIndex].columns.bytes(in: otherText))
            }
        }
    }
}

/// One user of a page, as slices of the text in ``UserRows/text``.
public struct UserRow: HasUserColumns, Sendable {
    public var columns: UserColumns<ByteSlice>
    /// The value this row is sorted by in the order it was read in (see ``Cursor``): a folded login, or a collation
    /// key. Empty in the order by id, and in orders whose sort value is a number.
    public var sortText: ByteSlice = .empty
    /// The same for an order by a number, a date or the position in the file; `nil` for a user without one.
    public var sortNumber: Int64?
    /// How well the user matches, in the order by relevance.
    public var relevance = SearchMatch(.elsewhere, isExact: false)
    /// The stored picture; `nil` without one.
    public var picture: PictureKey?
    /// Whether that is a photo of the publisher's own.
    public var hasOwnPicture = false
    /// Whether search engines are asked to leave the user's page out.
    public var isNoIndex = false

    public init(_ columns: UserColumns<ByteSlice>) { self.columns = columns }
}
