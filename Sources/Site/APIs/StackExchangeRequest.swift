import Base
import People

/// A request of an app for Stack Exchange's API 2.3: `/2.3/users`, the moderators, users by id, and `/2.3/sites`.
struct StackExchangeRequest: Sendable {
    enum Method: Sendable {
        case users
        case moderators
        /// The users with these ids.
        case some([Int64])
        /// The directories.
        case sites
    }
    enum Name: String, CaseIterable, Sendable {
        case site, page, pagesize, sort, order, inname, filter
        case min, max, fromdate, todate
    }
    /// `creation` is the order by id, because ids increase with time.
    enum Order: String, CaseIterable {
        case reputation, creation, name
    }

    let method: Method
    let linked: LinkedDirectory
    let sort: Sort
    /// From 1.
    let page: Int
    /// 0 to 100.
    let pageSize: Int
    let search: Search?
    let searchText: String?
    /// Whether only the total is requested (`filter=total`).
    let isTotal: Bool

    /// Reads the path after `/2.3` and the query. Throws an ``HTTPError`` that names the parameter and the values it
    /// takes.
    init(_ routed: RoutedRequest) throws {
        let path = try routed.wildcardText()
        let directories = routed.directories
        let values = try NamedValues<Name>(routed.query)
        for bound in [Name.min, .max, .fromdate, .todate] where values.filled(bound) != nil {
            // Ignoring it would return users that the client did not ask for.
            throw HTTPError.badRequest("\(bound.rawValue): this server does not support this bound")
        }
        method = try Self.method(path)
        linked = try Self.directory(values[.site], directories)
        let order: Order = try values.choice(.sort) ?? .reputation
        let key = order == .creation ? Sort.Key.id.name : order.rawValue
        sort = linked.directory.settings.sort(key, try values.choice(.order) ?? .descending) ?? Sort()
        page = try values.number(.page, in: 1...Int64(Int32.max)) ?? 1
        // The service returns any number of sites, and clients request all of them at once.
        let largest: Int64 = if case .sites = method { 10_000 } else { 100 }
        pageSize = try values.number(.pagesize, in: 0...largest) ?? 30
        (search, searchText) = try values.search(.inname, method.filters)
        isTotal = values[.filter] == "total"
        if search != nil, position + pageSize > UserQuery.numberedMatches {
            throw HTTPError.badRequest(
                "page: pages beyond match \(UserQuery.numberedMatches) of a search are not available")
        }
    }

    private static func method(_ path: String) throws -> Method {
        // The service accepts a slash at the end, and some clients send it.
        switch path.split(separator: "/").map(String.init) {
        case ["users"]: return .users
        case ["users", "moderators"]: return .moderators
        case ["sites"]: return .sites
        case let names where names.count == 2 && names[0] == "users":
            if let ids = [Int64](ids: names[1], separator: ";", limit: 100) { return .some(ids) }
            throw HTTPError.badRequest(
                "ids: expected up to 100 numbers with semicolons between them, found “\(names[1].excerpt)”")
        default: throw HTTPError.notFound
        }
    }

    private static func directory(_ site: String?, _ directories: DirectoryList) throws -> LinkedDirectory {
        do { return try directories.find(site) } catch is HTTPError {
            throw HTTPError.badRequest("site: expected the name of a directory, found “\((site ?? "").excerpt)”")
        }
    }

    var position: Int { (page - 1) * pageSize }

    var query: UserQuery {
        UserQuery(
            directory: directory.id, search: search, sort: sort, start: .at(position), limit: Swift.max(1, pageSize))
    }
}

extension StackExchangeRequest: Resource {
    func state(of directories: DirectoryList) -> UInt64? {
        if case .sites = method { directories.choices } else { nil }
    }
    var hasAbsoluteLinks: Bool { true }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/2.3")
        switch method {
        case .users: buffer.append("/users")
        case .moderators: buffer.append("/users/moderators")
        case .some(let ids):
            buffer.append("/users/")
            buffer.append(ids, separator: ";")
        case .sites: buffer.append("/sites")
        }
        var query = QueryWriter(buffer)
        query.add("site", ifAny: linked.parameter)
        query.add("sort", sort.key.name)
        query.add("order", sort.direction.rawValue)
        query.add("page", page)
        query.add("pagesize", pageSize)
        query.add("inname", ifAny: searchText)
        if isTotal { query.add("filter", "total") }
    }
}

extension StackExchangeRequest.Method {
    /// The filter of the method. Sources without moderators have no such users.
    fileprivate var filters: [ChosenFilter] {
        if case .moderators = self { [ChosenFilter(Filter("user_type"), "moderator")] } else { [] }
    }
}

extension [Int64] {
    /// Ids with `separator` between them; `nil` for anything else, and for more than `limit`.
    init?(ids text: some StringProtocol, separator: Character, limit: Int) {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let ids = parts.compactMap { Int64(digits: String($0)) }
        guard parts.count <= limit, ids.count == parts.count else { return nil }
        self = ids
    }
}

extension ByteBuffer {
    /// Appends ids as ``Swift/Array/init(ids:separator:limit:)`` reads them.
    func append(_ ids: [Int64], separator: StaticString) {
        for (index, id) in ids.enumerated() {
            if index > 0 { append(separator) }
            append(decimal: id)
        }
    }
}
