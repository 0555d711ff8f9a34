import Base
import People
import Server

/// The links from a page of users to the pages around it.
struct PageLinks {
    let base: String
    private let page: Page
    private let links: Links
    private let kind: PageRequest.Kind

    /// - Parameter base: see ``Links/base``.
    init(_ page: Page, _ request: PageRequest, base: String) {
        self.base = base
        self.page = page
        links = Links(base: base, request: request)
        kind = request.kind
    }

    func appendNext(_ kind: PageRequest.Kind, to buffer: ByteBuffer) {
        if let last = page.users.rows.indices.last {
            links.append("since", last, of: page.users, as: kind, to: buffer)
        } else {
            // This page ends before the first user, so the next page is the first.
            links.append(.first, as: kind, to: buffer)
        }
    }

    func appendPrevious(_ kind: PageRequest.Kind, to buffer: ByteBuffer) {
        if page.users.rows.isEmpty {
            // This page begins after the last user, so the previous page is the last.
            links.append(.last, as: kind, to: buffer)
        } else {
            links.append("before", 0, of: page.users, as: kind, to: buffer)
        }
    }

    /// Appends the page that begins at `start`.
    func append(_ start: UserQuery.Start, to buffer: ByteBuffer) { links.append(start, as: .page, to: buffer) }

    /// The links to people.
    var people: PersonLinks { PersonLinks(links) }

    /// The parameters of the page that begins with the first user.
    var firstParameters: [(name: String, value: String)] {
        var query = QueryList()
        links.addParameters(.first, as: .page, to: &query)
        return query.parameters
    }

    func appendFirst(_ kind: PageRequest.Kind, to buffer: ByteBuffer) { links.append(.first, as: kind, to: buffer) }

    /// Appends `Link` (RFC 8288) and `X-Total-Count`, as page, fragment and JSON have them.
    /// - Parameters:
    ///   - origin: what absolute links begin with; empty for relative links.
    ///   - line: a buffer for the value.
    func append(to fields: inout Fields, origin: String, line: ByteBuffer) {
        line.removeAll()
        func add(_ relation: StaticString, _ write: (ByteBuffer) -> Void) {
            line.append(line.isEmpty ? "<" : ", <")
            line.append(utf8: origin)
            write(line)
            line.append(">; rel=\"")
            line.append(relation)
            line.append("\"")
        }
        if page.hasNext { add("next") { appendNext(kind, to: $0) } }
        if page.hasPrevious { add("prev") { appendPrevious(kind, to: $0) } }
        add("first") { appendFirst(kind, to: $0) }
        fields.append("Link", bytes: line.bytes)
        if let total = page.total { fields.append("X-Total-Count", total) }
    }
}
