import Base
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
        if pages > 0, json.page.total != total {
            throw RollcallError(
                at: json.address,
                "expected X-Total-Count \(Self.text(total)) as before, found \(Self.text(json.page.total))")
        }
        for user in json.page.users {
            if let wrong = order.take(user) { throw RollcallError(at: json.address, wrong) }
        }
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
        func fail(_ text: String) throws -> Never { throw RollcallError(at: list.address, text) }
        for index in 0..<max(expected.count, found.count) {
            let position = ids.count + index + 1
            let source = "as in \(json.address.target)"
            guard index < found.count else {
                try fail("expected user \(expected[index].id) at position \(position) \(source), found nobody more")
            }
            guard index < expected.count else {
                try fail("expected nobody more \(source), found user \(found[index].id) at position \(position)")
            }
            guard found[index].id == expected[index].id else {
                try fail(
                    "expected user \(expected[index].id) at position \(position) \(source), "
                        + "found user \(found[index].id)"
                )
            }
            if let (field, expected, shown) = found[index].difference(from: expected[index]) {
                try fail("user \(found[index].id): expected the \(field) \(expected) \(source), found \(shown)")
            }
            // Far into a search with very many matches, positions are unknown.
            guard found[index].position == position || (found[index].position == nil && json.page.total == nil) else {
                try fail(
                    "user \(found[index].id): expected aria-posinset \(position), "
                        + "found \(Self.text(found[index].position))"
                )
            }
        }
        guard list.page.total == json.page.total else {
            try fail(
                "expected the total \(Self.text(json.page.total)) as in \(json.address.target), "
                    + "found \(Self.text(list.page.total))"
            )
        }
    }

    /// Checks that all lists have a next page or none has, and that pages link to the same fragments as fragments do.
    private func compareLinks() throws {
        for list in [page, fragment] where (list.next == nil) != (json.next == nil) {
            let (leading, ending) = list.next == nil ? (json, list) : (list, json)
            throw RollcallError(
                at: ending.address,
                "ends here, where \(leading.address.target) leads on to \(leading.next?.target ?? "")")
        }
        guard let link = page.page.next?.fragment else { return }
        guard try page.follow(link) == fragment.next else {
            throw RollcallError(
                at: page.address,
                "leads to the fragment \(link), where \(fragment.address.target) leads to "
                    + (fragment.next?.target ?? "none")
            )
        }
    }

    /// Checks, after the last page, that the number of users is the announced one and that no user appears twice.
    private func finish() throws {
        if let total = json.page.total, total != ids.count {
            throw RollcallError(
                at: json.address, "ends after \(ids.count) users, expected \(total) as X-Total-Count says")
        }
        if json.page.total == nil, !place.isSearch || ids.count <= 10_000 {
            throw RollcallError(at: place.json, "expected X-Total-Count for \(ids.count) users, found none")
        }
        // In the order by id, the order has already been checked. In another order, a user could appear again with
        // other data.
        guard place.order.value != .id else { return }
        let sorted = ids.sorted()
        for (id, next) in zip(sorted, sorted.dropFirst()) where id == next {
            throw RollcallError(at: place.json, "user \(id) comes twice, with different data")
        }
    }

    static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "none" }
}
