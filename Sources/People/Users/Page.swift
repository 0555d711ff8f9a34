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
