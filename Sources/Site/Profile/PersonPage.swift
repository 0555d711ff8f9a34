import Directories

/// A user, with the neighbours in the order by id.
struct PersonPage {
    /// A page of one row.
    let page: Page
    let previous: UserRows?
    let next: UserRows?
    /// Other users with the same login, in any case, for example a former owner of it. Only their ids lead to them.
    let namesakes: UserRows?

    /// Further ones are not shown.
    private static let maxNamesakes = 10

    /// Reads the user and, unless for JSON, the neighbours and namesakes; `nil` if there is no such user. A neighbour
    /// costs a page of one user.
    ///
    /// Each read is a transaction of its own. If a neighbour is added or removed in between, the generation changes,
    /// and the response is no longer fresh.
    init?(_ request: UserRequest, from reader: any UserReader) throws {
        guard let page = try Self.page(request, reader), let id = page.users.rows.first?.id else { return nil }
        self.page = page
        func read(_ start: UserQuery.Start) throws -> UserRows? {
            try reader.page(UserQuery(directory: request.directory.id, start: start, limit: 1))?.users
        }
        previous = page.hasPrevious && !request.isJSON ? try read(.before(.id(id))) : nil
        next = page.hasNext && !request.isJSON ? try read(.after(.id(id))) : nil
        namesakes = request.isJSON ? nil : try Self.namesakes(of: id, request, from: reader)
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
