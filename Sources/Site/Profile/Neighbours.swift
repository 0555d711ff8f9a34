import People

/// The people before and after a person in a list.
struct Neighbours {
    /// The order of the list, whose cursors ``previous`` has.
    let sort: Sort
    /// The person's position in the list, and the length of the list, if they are known.
    let position, total: Int?
    /// One person each; `nil` at the ends of the list.
    let previous, next: UserRows?

    /// A list by relevance has no cursor of a person who is known only by id, so the person is looked for among the
    /// best matches.
    private static let maxMatches = 100

    /// Reads the neighbours of the person with `id` in the list of `query`, whose start and limit do not matter.
    /// Returns `nil` if the person is not in that list. It costs at most a few pages of one or two people.
    init?(of id: Int64, in query: UserQuery, from reader: any UserReader) throws {
        var query = query
        if case .relevance = query.sort.key {
            (query.start, query.limit) = (.first, Self.maxMatches)
            guard let page = try reader.page(query), let index = page.users.rows.firstIndex(where: { $0.id == id })
            else { return nil }
            self.init(around: index, in: page, previous: page.users.row(index - 1), query.sort)
            return
        }
        guard let cursor = try Self.cursor(of: id, in: query, from: reader) else { return nil }
        (query.start, query.limit) = (.before(cursor), 1)
        let previous = try reader.page(query)?.users.row(0)
        // From the person before on: a list without the person begins with somebody else.
        (query.start, query.limit) = (previous.map { .after($0.cursor(of: 0, in: query.sort.key)) } ?? .first, 2)
        guard let page = try reader.page(query), page.users.rows.first?.id == id else { return nil }
        self.init(around: 0, in: page, previous: previous, query.sort)
    }

    private init(around index: Int, in page: Page, previous: UserRows?, _ sort: Sort) {
        self.sort = sort
        position = page.firstPosition.map { $0 + index }
        total = page.total
        self.previous = previous
        next = page.users.row(index + 1)
    }

    private static func cursor(of id: Int64, in query: UserQuery, from reader: any UserReader) throws -> Cursor? {
        if query.sort.key == .id { return .id(id) }
        guard let users = try reader.users(ids: [id], sort: query.sort, directory: query.directory)?.users,
            !users.rows.isEmpty
        else { return nil }
        return users.cursor(of: 0, in: query.sort.key)
    }
}

extension UserRows {
    /// Returns one row alone, or `nil` if `index` is out of bounds.
    fileprivate func row(_ index: Int) -> UserRows? {
        guard rows.indices.contains(index) else { return nil }
        var users = self
        users.rows = [rows[index]]
        return users
    }
}
