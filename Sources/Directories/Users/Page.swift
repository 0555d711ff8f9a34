import Bytes

/// Consecutive users of one order, read by a store in one transaction.
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
public struct UserRows: Sendable {
    public struct Row: Sendable {
        public var id: Int64
        public var reputation: Int64?
        public var login: Slice
        /// Empty if absent, like the following.
        public var name: Slice
        public var avatarURL: Slice
        public var htmlURL: Slice
        public var type: Slice
        /// The text of a JSON object.
        public var more: Slice
        /// The value this row is sorted by in the order it was read in (see ``Cursor``): a folded login or name. Empty
        /// in the orders by id and by reputation, whose sort value is a number.
        public var sortText: Slice

        public init(
            id: Int64, reputation: Int64?, login: Slice, name: Slice, avatarURL: Slice, htmlURL: Slice, type: Slice,
            more: Slice, sortText: Slice
        ) {
            self.id = id
            self.reputation = reputation
            self.login = login
            self.name = name
            self.avatarURL = avatarURL
            self.htmlURL = htmlURL
            self.type = type
            self.more = more
            self.sortText = sortText
        }
    }

    public var text: [UInt8] = []
    public var rows: [Row] = []

    public init() {}

    /// Appends a copy of `bytes` and returns its slice.
    public mutating func keep(_ bytes: UnsafeRawBufferPointer) -> Slice {
        let slice = Slice(offset: text.count, count: bytes.count)
        text.append(contentsOf: bytes)
        return slice
    }

    public subscript(slice: Slice) -> String {
        String(decoding: text[slice.range], as: UTF8.self)
    }

    /// Returns row `index` as a ``User``.
    public func user(_ index: Int) -> User {
        let row = rows[index]
        let optional = { (slice: Slice) in slice.isEmpty ? nil : self[slice] }
        return User(
            id: row.id, login: self[row.login], name: optional(row.name), avatarURL: optional(row.avatarURL),
            htmlURL: optional(row.htmlURL), type: self[row.type], reputation: row.reputation, more: optional(row.more))
    }

    public var users: [User] { rows.indices.map(user) }
}
