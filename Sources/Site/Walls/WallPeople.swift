import Base
import People

/// The first people of a list, for walls and for lists without a server: without bots, unless they are asked for.
struct WallPeople {
    let directory: Directory
    private(set) var users: UserRows
    /// The number of people after these; `nil` if there are some, and it is not known.
    private(set) var others: Int?

    /// No more people are read, however many of them are bots: 5,000 took a request 50 ms of CPU. Beyond, bots are
    /// counted like people.
    private static let maxRead = 1000
    private static let pageSize = 500

    /// - Parameter showsBots: whether bots are among them. They also are if the list is filtered by the type.
    init(of list: PageRequest, max: Int, showsBots: Bool, from store: SiteReader) throws {
        var query = list.query
        query.limit = max
        var page = try store.page(query, of: list.directory)
        directory = page.directory
        users = page.users
        others = page.hasNext ? page.total.map { $0 - page.users.rows.count } : 0
        if showsBots || list.filters.contains(where: { $0.filter.key == FieldRole.type.rawValue }) { return }
        let total = page.total
        let reader = directory.settings.makeReader()
        users.rows = reader.withoutBots(page.users)
        var (read, found) = (page.users.rows.count, users.rows.count)
        while page.hasNext, read < Self.maxRead, let last = page.users.rows.indices.last {
            query.goOn(after: last, of: page.users)
            query.limit = Self.pageSize
            page = try store.page(query, of: list.directory)
            let people = reader.withoutBots(page.users)
            read += page.users.rows.count
            found += people.count
            users.append(people.prefix(max - users.rows.count), of: page.users)
        }
        let (shown, bots) = (users.rows.count, read - found)
        others = found > shown || page.hasNext ? total.map { $0 - shown - bots } : 0
    }
}

extension FieldReader {
    fileprivate func withoutBots(_ users: UserRows) -> [UserRow] {
        var people: [UserRow] = []
        forEachProfile(of: users) { if !$1.isBot { people.append($1.row) } }
        return people
    }
}

extension UserRows {
    /// Appends copies of rows without their sort keys.
    fileprivate mutating func append(_ added: some Sequence<UserRow>, of other: UserRows) {
        other.text.withBytes { text in
            for row in added {
                var copy = row
                copy.login = keep(text[row.login])
                copy.name = keep(text[row.name])
                copy.avatarURL = keep(text[row.avatarURL])
                copy.more = keep(text[row.more])
                copy.sortText = ByteSlice(offset: 0, count: 0)
                rows.append(copy)
            }
        }
    }
}
