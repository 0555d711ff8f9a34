import Base
import Foundation

/// A user in HTML: `<article class="user">` with a link to the user's page, and with the reputation if the user has
/// one.
struct Article {
    private(set) var user: ListedUser
    /// The total number of users; -1 if it is unknown.
    let setSize: Int

    /// Reads an article from `start`, its start tag, to its end tag.
    init(_ start: MarkupScanner.Tag, _ scanner: inout MarkupScanner) throws {
        let id = try required(Self.number(start["data-id"]), "expected data-id, a number, in an article")
        let place = "user \(id)"
        try expect(
            String(start["id"].orEmpty) == "user-\(id)", "\(place): expected id=\"user-\(id)\" of their article")
        let size = Self.number(start["aria-setsize"])
        setSize = Int(try required(size, "\(place): expected aria-setsize, a number, of their article"))
        user = ListedUser(id: id, position: Self.number(start["aria-posinset"]).map { Int($0) })
        try readContent(&scanner, nameID: start["aria-labelledby"].orEmpty)
        try expect(
            !user.login.isEmpty && !user.name.isEmpty,
            "\(place): expected a link to their page, with the id that aria-labelledby names")
    }

    private mutating func readContent(_ scanner: inout MarkupScanner, nameID: Bytes) throws {
        while let part = try scanner.next() {
            guard case .tag(let tag) = part else { continue }
            if tag.is("article") {
                return try expect(tag.isEnd, "user \(user.id): expected the end of their article, found another one")
            }
            if tag.isEnd { continue }
            if tag.is("img"), user.avatar.isEmpty, let source = tag["src"] {
                user.avatar = try source.resolvingReferences().picture
            }
            if tag.is("a"), !nameID.isEmpty, tag["id"].orEmpty.equals(nameID), let link = tag["href"] {
                user.login = try Self.login(in: link)
                user.name = try Self.text(of: tag.name, &scanner)
            }
            if tag.has("reputation", in: "class") {
                // The digits are in groups of three, with words for screen readers.
                let text = try Self.text(of: tag.name, &scanner)
                user.reputation = Int64(String(text.span).filter { $0 == "-" || ("0"..."9").contains($0) })
            }
        }
        throw RollcallError("user \(user.id): expected the end of their article, found the end of the answer")
    }

    /// Returns the login at the end of a link to a user's page.
    private static func login(in link: Bytes) throws -> [UInt8] {
        let path = try link.resolvedText().prefix { $0 != "?" }
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return Array((last.removingPercentEncoding ?? String(last)).utf8)
    }

    /// Returns the text between the start tag of an element called `name` and its end tag.
    private static func text(of name: Bytes, _ scanner: inout MarkupScanner) throws -> [UInt8] {
        var (text, depth): ([UInt8], Int) = ([], 1)
        while depth > 0, let part = try scanner.next() {
            switch part {
            case .text(let more): text += try more.resolvingReferences()
            case .tag(let tag): if tag.name.equals(name) { depth += tag.isEnd ? -1 : 1 }
            }
        }
        return text
    }

    private static func number(_ text: Bytes?) -> Int64? { Int64(String(text.orEmpty)) }
}
