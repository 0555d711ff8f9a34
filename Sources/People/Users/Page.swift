import Base

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

    /// Returns row `index` as a ``User``.
    public func user(_ index: Int) -> User {
        let row = rows[index]
        let optional = { (slice: ByteSlice) in slice.isEmpty ? nil : self[slice] }
        var user = User(
            id: row.id, login: self[row.login], name: optional(row.name), avatarURL: optional(row.avatarURL),
            htmlURL: optional(row.htmlURL), type: self[row.type], reputation: row.reputation, more: optional(row.more))
        user.generated = row.generated
        return user
    }

    public var users: [User] { rows.indices.map(user) }
}

/// One user of a page, as slices of the text in ``UserRows/text``.
public struct UserRow: Sendable {
    public var id: Int64
    public var reputation: Int64?
    public var login: ByteSlice
    /// Empty if absent, like the following.
    public var name: ByteSlice
    public var avatarURL: ByteSlice
    public var htmlURL: ByteSlice
    public var type: ByteSlice
    /// The text of a JSON object.
    public var more: ByteSlice
    /// The value this row is sorted by in the order it was read in (see ``Cursor``): a folded login, or a collation
    /// key. Empty in the orders by id and by reputation, whose sort value is a number.
    public var sortText: ByteSlice
    /// The same for an order by a number, a date or the position in the file; `nil` for a user without one.
    public var sortNumber: Int64?
    /// How well the user matches, in the order by relevance.
    public var relevance = SearchMatch(.elsewhere, isExact: false)
    public var generated: GeneratedNames = []
    /// The stored picture; `nil` without one.
    public var picture: PictureKey?
    /// Whether that is a photo of the publisher's own.
    public var hasOwnPicture = false
    /// Whether search engines are asked to leave the user's page out.
    public var isNoIndex = false

    public init(
        id: Int64, reputation: Int64?, login: ByteSlice, name: ByteSlice, avatarURL: ByteSlice, htmlURL: ByteSlice,
        type: ByteSlice, more: ByteSlice, sortText: ByteSlice
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
