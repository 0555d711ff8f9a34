import Directories

/// A user, with the neighbours in the directory's own order.
struct PersonPage {
    /// A page of one row, with its position in that order.
    let page: Page
    let previous: UserRows?
    let next: UserRows?
    /// The order, whose cursors the neighbours have.
    let sort: Sort
    /// Other users with the same login, in any case, for example a former owner of it. Only their ids lead to them.
    let namesakes: UserRows?

    /// Further ones are not shown.
    private static let maxNamesakes = 10

    /// Reads the user and, unless for JSON, the neighbours and namesakes; `nil` if there is no such user. A neighbour
    /// costs a page of one user.
    ///
    /// Each read is a transaction of its own. If a neighbour is added or removed in between, the generation changes and
    /// the response becomes stale.
    init?(_ request: UserRequest, from reader: any UserReader) throws {
        guard var page = try Self.page(request, reader), let id = page.users.rows.first?.id else { return nil }
        let directory = request.directory.id
        var sort = Sort()
        var cursor = Cursor.id(id)
        let isPage = request.format == .page
        if isPage, request.directory.defaultSort != sort {
            sort = request.directory.defaultSort
            guard let same = try reader.users(ids: [id], sort: sort, directory: directory), !same.users.rows.isEmpty
            else { return nil }
            cursor = same.users.cursor(of: 0, in: sort.key)
        }
        func read(_ start: UserQuery.Start) throws -> Page? {
            try reader.page(UserQuery(directory: directory, sort: sort, start: start, limit: 1))
        }
        let isByID = sort == Sort()
        let before = isPage && (page.hasPrevious || !isByID) ? try read(.before(cursor)) : nil
        let after = isPage && (page.hasNext || !isByID) ? try read(.after(cursor)) : nil
        if !isByID { page.firstPosition = after.flatMap { Self.position(before: $0) } }
        previous = before?.users
        next = after?.users
        namesakes = isPage ? try Self.namesakes(of: id, request, from: reader) : nil
        self.page = page
        self.sort = sort
    }

    /// The position of the user just before `page`, which is the last user if the page has none.
    private static func position(before page: Page) -> Int? {
        page.users.rows.isEmpty ? page.total : page.firstPosition.map { $0 - 1 }
    }

    private static func namesakes(
        of id: Int64, _ request: UserRequest, from reader: any UserReader
    ) throws -> UserRows? {
        guard let login = request.login else { return nil }
        let directory = request.directory.id
        var ids = try reader.ids(login: login, directory: directory, limit: maxNamesakes + 1)
        ids.removeAll { $0 == id }
        if ids.isEmpty { return nil }
        return try reader.users(ids: Array(ids.prefix(maxNamesakes)), sort: Sort(), directory: directory)?.users
    }

    private static func page(_ request: UserRequest, _ reader: any UserReader) throws -> Page? {
        switch request.who {
        case .login(let login, let id): try reader.user(login: login, id: id, directory: request.directory.id)
        case .id(let id): try reader.users(ids: [id], sort: Sort(), directory: request.directory.id)
        }
    }
}
