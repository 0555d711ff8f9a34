import Base
import HTTPClient

/// Reads one of a directory's lists, page by page, following its own next links.
struct ListReader {
    enum Kind {
        case page, fragment, json

        var mediaType: String { self == .json ? "application/json" : "text/html" }
    }

    let kind: Kind
    /// The address of the page that was read last.
    private(set) var address: WebAddress
    /// The address of the next page; `nil` at the end.
    private(set) var next: WebAddress?
    private(set) var page = ListedPage()
    /// The validator of the first page.
    private(set) var validator: String?
    /// Whether the first page links to exports.
    private(set) var namesExports = false
    /// The origin of the first JSON link, if the server is checked through its loopback address. A server with a public
    /// URL uses it in its links; the check requests the same paths from the loopback address.
    private var publicOrigin: String?
    /// Hashes of the addresses that were read.
    private var visited: Set<Int> = []

    init(_ kind: Kind, at address: WebAddress) {
        (self.kind, self.address, next) = (kind, address, address)
    }

    /// Reads the next page. Throws a ``RollcallError``.
    mutating func read(from server: CheckedServer) throws {
        guard let next else { return }
        address = next
        visited.insert(next.text.hashValue)
        let answer = try server.ask(next)
        if visited.count == 1, kind == .page {
            namesExports = String(answer.body.span).contains("/export.")
        }
        try next.reading {
            let bytes = answer.body.span
            page = try kind == .json ? ListedPage(json: bytes) : ListedPage(html: bytes, isFragment: kind == .fragment)
            try takeFields(of: answer)
        }
        self.next = try nextAddress()
        if validator == nil { validator = answer.fields["etag"] }
    }

    private mutating func takeFields(of answer: ClientAnswer) throws {
        let type = answer.fields["content-type"] ?? "none"
        try expect(type.hasPrefix(kind.mediaType), "expected \(kind.mediaType) as Content-Type, found \(type)")
        try expect(answer.fields["etag"] != nil, "expected an ETag, found none")
        let total = answer.fields["x-total-count"]
        // Nothing else has it then.
        if kind == .json || (kind == .fragment && page.users.isEmpty) {
            page.total = total.flatMap { UInt32($0) }.map { Int($0) }
        }
        let shown = page.total.map { "\($0)" }
        try expect(
            total == shown,
            "expected X-Total-Count to be the aria-setsize \(shown ?? "an unknown number"), found \(total ?? "none")")
        page.linked = answer.nextLink
        if kind == .json, visited.count == 1, address.isLoopback {
            publicOrigin = page.linked.flatMap { try? address.following($0).origin }
        }
    }

    /// Returns the address of the next page, from the page's own links.
    private func nextAddress() throws -> WebAddress? {
        let shown = kind == .fragment ? page.next?.fragment : page.next?.page
        let target = try page.linked.map { try follow($0) }
        let found = "\(page.linked ?? "none") and \(shown ?? "none")"
        try address.expect(
            kind == .json || shown.map { try follow($0) } == target,
            "expected the same next page in the Link field and in the HTML, found \(found)")
        guard let target else { return nil }
        try address.expect(
            !visited.contains(target.text.hashValue), "leads in circles, back to \(target.target)")
        try address.expect(!page.users.isEmpty, "leads on to \(target.target), although it has no users")
        return target
    }

    /// Resolves `link`, a link of the page.
    func follow(_ link: String) throws -> WebAddress {
        let target: WebAddress
        do { target = try address.following(link) } catch {
            throw address.fault("leads to “\(link)”, which is not a valid address: \(error)")
        }
        try address.expect(
            [address.origin, publicOrigin].contains(target.origin),
            "leads to \(target), but only \(address.origin) is checked; if that is its public address, check that")
        return try WebAddress(address.site + target.target)
    }
}
