import People

/// A user, with the neighbours in the list that the reader came from.
struct PersonPage: StoredContent {
    /// A page of one row.
    let page: Page
    var directory: Directory { page.directory }
    /// Empty for JSON like GitHub's, which shows none of them.
    let details: Details
    /// Empty for JSON, too.
    let filters: ProfileFilters
    /// The list of the neighbours: the one of the request, or the whole directory if the user is not in it.
    let list: PageRequest
    /// `nil` if the user has just been removed.
    let neighbours: Neighbours?
    /// Other users with the same login, in any case, for example a former owner of it. Only their ids lead to them.
    let namesakes: UserRows?
    /// The user's team, and a few people of it.
    let team: Team?
    /// The same person in other directories.
    let elsewhere: [Elsewhere]

    /// People who share a value of a filter with the user.
    typealias Team = (filter: Filter, value: String, users: UserRows)

    /// Further ones are not shown.
    private static let maxNamesakes = 10
    private static let maxColleagues = 5

    /// Reads the user and, for a page, the people around; `nil` if the user does not exist.
    ///
    /// Each read is a transaction of its own. If a neighbour is added or removed in between, the generation changes and
    /// the response becomes stale.
    init?(
        _ request: UserRequest, _ directories: DirectoryList, _ language: Language, from reader: any UserReader
    ) throws {
        guard let page = try Self.page(request, reader), let id = page.users.rows.first?.id else { return nil }
        self.page = page
        (details, filters) =
            request.format == .json
            ? (Details(), ProfileFilters())
            : page.directory.settings.makeReader().withProfile(of: page.users) {
                (Details(of: $0, language), ProfileFilters(of: $0, in: page.directory))
            }
        let whole = PageRequest(of: request.linked)
        guard request.format == .page else {
            (list, neighbours, namesakes, team, elsewhere) = (whole, nil, nil, nil, [])
            return
        }
        // First: where the user was found by the login, the reader still has the block that they are in.
        namesakes = try Self.namesakes(of: id, request, from: reader)
        let chosen = try Neighbours(of: id, in: request.list.query, from: reader)
        list = chosen == nil ? whole : request.list
        neighbours = try chosen ?? (request.list.hasSelection ? Neighbours(of: id, in: whole.query, from: reader) : nil)
        team = try Self.team(filters.team, of: id, page.directory, from: reader)
        elsewhere = try Elsewhere.find(page, details, directories, language, from: reader)
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

    /// Reads the first people of the user's department or organization, if that is a filter.
    private static func team(
        _ shared: ProfileFilters.Value?, of id: Int64, _ directory: Directory, from reader: any UserReader
    ) throws -> Team? {
        guard let shared, shared.count > 1 else { return nil }
        let search = Search("", filters: [ChosenFilter(shared.filter, shared.value)])
        let query = UserQuery(
            directory: directory.id, search: search, sort: directory.defaultSort, limit: maxColleagues + 1)
        guard var users = try reader.page(query)?.users else { return nil }
        users.rows.removeAll { $0.id == id }
        users.rows = Array(users.rows.prefix(maxColleagues))
        return users.rows.isEmpty ? nil : (shared.filter, shared.value, users)
    }

    private static func page(_ request: UserRequest, _ reader: any UserReader) throws -> Page? {
        let directory = request.directory.id
        if let login = request.login { return try reader.user(login: login, id: request.id, directory: directory) }
        return try reader.users(ids: request.id.map { [$0] } ?? [], sort: Sort(), directory: directory)
    }
}
