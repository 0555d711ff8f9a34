import HTTPClient

/// One walk through a directory: it reads the JSON, the pages and the fragments side by side, each by its own next
/// links.
struct Walk {
    let place: CheckedAddress
    private let server: CheckedServer
    private var json, page, fragment: ListReader
    private var order: UserOrder
    /// The ids of all users so far, in order; eight bytes each.
    private(set) var ids: [Int64] = []
    private(set) var pages = 0
    /// The limit on reserved memory: a false total must not exhaust it.
    private static let maxReserved = 100_000_000

    init(_ place: CheckedAddress, on server: CheckedServer) {
        self.place = place
        self.server = server
        json = ListReader(.json, at: place.json)
        page = ListReader(.page, at: place.page)
        fragment = ListReader(.fragment, at: place.fragment)
        order = UserOrder(place.order)
    }

    /// The announced number of users, or `nil` if it is not announced.
    var total: Int? { json.page.total }
    /// The validator of the first JSON page, which changes with the directory.
    var validator: String? { json.validator }
    /// Whether pages link to exports. Those of a private site, and of one without exports, do not.
    var namesExports: Bool { page.namesExports }

    /// Reads the next page of each list. Returns whether there are more. Throws a ``RollcallError``.
    mutating func step() throws -> Bool {
        let total = json.page.total
        try json.read(from: server)
        try json.address.expect(
            pages == 0 || json.page.total == total,
            "expected X-Total-Count \(total.orNone) as before, found \(json.page.total.orNone)")
        try json.address.reading { for user in json.page.users { try order.take(user) } }
        if pages == 0, let total = json.page.total { ids.reserveCapacity(min(total, Self.maxReserved)) }
        try page.read(from: server)
        try fragment.read(from: server)
        try compare(page)
        try compare(fragment)
        try compareLinks()
        ids += json.page.users.map(\.id)
        pages += 1
        if json.next != nil { return true }
        try finish()
        return false
    }

    /// Compares a page of HTML with the page of JSON.
    private func compare(_ list: ListReader) throws {
        let (expected, found) = (json.page.users, list.page.users)
        let source = "as in \(json.address.target)"
        for index in 0..<max(expected.count, found.count) {
            let position = ids.count + index + 1
            let (wanted, user) = (expected.dropFirst(index).first, found.dropFirst(index).first)
            guard let wanted, let user, user.id == wanted.id else {
                let wanted = wanted.map { "user \($0.id) at position \(position)" } ?? "nobody more"
                let seen = user.map { "user \($0.id)" } ?? "nobody more"
                throw list.address.fault("expected \(wanted) \(source), found \(seen)")
            }
            if let (field, expected, shown) = user.difference(from: wanted) {
                throw list.address.fault(
                    "user \(user.id): expected the \(field) \(expected) \(source), found \(shown)")
            }
            // Far into a search with very many matches, positions are unknown.
            let isUnknown = user.position == nil && json.page.total == nil
            try list.address.expect(
                isUnknown || user.position == position,
                "user \(user.id): expected aria-posinset \(position), found \(user.position.orNone)")
        }
        try list.address.expect(
            list.page.total == json.page.total,
            "expected the total \(json.page.total.orNone) \(source), found \(list.page.total.orNone)")
    }

    /// Checks that all lists have a next page or none has, and that pages link to the same fragments as fragments do.
    private func compareLinks() throws {
        for list in [page, fragment] where (list.next == nil) != (json.next == nil) {
            let (leading, ending) = list.next == nil ? (json, list) : (list, json)
            throw ending.address.fault(
                "ends here, where \(leading.address.target) leads on to \(leading.next?.target ?? "")")
        }
        guard let link = page.page.next?.fragment else { return }
        let next = fragment.next?.target ?? "none"
        try page.address.expect(
            page.follow(link) == fragment.next,
            "leads to the fragment \(link), where \(fragment.address.target) leads to \(next)")
    }

    /// Checks, after the last page, that the number of users is the announced one and that no user appears twice.
    private func finish() throws {
        try place.json.expect(
            json.page.total != nil || place.isSearch && ids.count > 10_000,
            "expected X-Total-Count for \(ids.count) users, found none")
        try json.address.expect(
            json.page.total ?? ids.count == ids.count,
            "ends after \(ids.count) users, expected \(json.page.total.orNone) as X-Total-Count says")
        // In the order by id, the order has already been checked. In another order, a user could appear again with
        // other data.
        guard place.order.value != .id else { return }
        let sorted = ids.sorted()
        for (id, next) in zip(sorted, sorted.dropFirst()) where id == next {
            throw place.json.fault("user \(id) comes twice, with different data")
        }
    }
}
