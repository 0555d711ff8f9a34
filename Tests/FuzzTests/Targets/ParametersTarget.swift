import Base
import People
import Server

@testable import Site

extension FuzzTarget {
    /// The parameters of pages: the input is a query. Links made from the parsed query lead to the same page.
    static let parameters = FuzzTarget(
        name: "parameters",
        words: [
            "since=", "before=", "per_page=", "q=", "sort=", "order=", "directory=", "view=", "&", "=", "+", "%", "%00",
            "%FF", "%C3%A9", "30", "9223372036854775807", "99999999999999999999", "login", "name", "reputation", "id",
            "asc", "desc", "people", "team", "grid", "list", "lAAAAAAAAAAFhbmE", "nAAAAAAAAAAFhbmE",
            "rAAAAAAAAAAEAAAAAAAAAAQ", "%26", "%3D", "%2B", "s%69nce=", "\u{AD6D}",
        ]
    ) { query in
        let directories = DirectoryList([.people, .team], Site.Configuration())
        let scratch = ByteBuffer()
        for kind in [PageRequest.Kind.page, .fragment, .json] {
            do {
                let request = try PageRequest(
                    kind, query: QueryItems(Bytes(_unsafeBytes: query), scratch: scratch), directories: directories,
                    client: .unknown)
                try checkLinks(of: request, directories)
            } catch let failure as HTTPError {
                try hold(failure.status == .badRequest || failure.status == .notFound, "\(failure)")
            }
        }
    }
}

private func checkLinks(of request: PageRequest, _ directories: DirectoryList) throws {
    try hold((1...100).contains(request.limit), "\(request.limit) users per page")
    for kind in [PageRequest.Kind.page, .fragment, .json] {
        for start in [request.start, .first, .last] {
            let link = ByteBuffer()
            Links(base: "", request: request).append(start, as: kind, to: link)
            var expected = request
            (expected.kind, expected.start) = (kind, start)
            if request.embedding?.isCarried(to: kind) != true { expected.embedding = nil }
            try checkLink(String(link), expected, directories)
        }
    }
}

private func checkLink(_ link: String, _ expected: PageRequest, _ directories: DirectoryList) throws {
    try hold(
        link.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E }, "\(link) is no URL")
    let text = Array("GET \(link) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    try text.withUnsafeBytes { bytes in
        var heads = [RequestHead()]
        guard case .request = RequestParser().parse(bytes, into: &heads[0]) else {
            throw BrokenRule(description: "\(link) is refused")
        }
        let query = QueryItems(Request(bytes: bytes, head: heads.span).query, scratch: ByteBuffer())
        let read = try PageRequest(expected.kind, query: query, directories: directories, client: .unknown)
        let isSame =
            read.directory == expected.directory && read.searchText == expected.searchText && read.sort == expected.sort
            && read.start == expected.start && read.embedding == expected.embedding
            && (read.view == expected.view || expected.kind == .json)
            && (read.perPage == expected.perPage || read.limit == expected.limit
                || expected.perPage == PageRequest.fragmentLimit)
        try hold(isSame, "\(link) leads to \(read), from \(expected)")
    }
}

extension Directory {
    fileprivate static let people = Directory(
        id: 1, slug: Slug(literal: "people"), title: "People", source: "file", total: 0, generation: 1)
    fileprivate static let team = Directory(
        id: 2, slug: Slug(literal: "team"), title: "Team", source: "file", total: 0, generation: 1)
}
