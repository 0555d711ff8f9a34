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
