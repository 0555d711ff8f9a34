import Base
import HTTPClient

/// The first step of a check. A wrong address is usually one next to a directory's page, or of another server, so the
/// error reports what was found there.
extension CheckedServer {
    /// Returns the `data-collation` of the page of a directory, or `nil` if it has none. Throws an error that describes
    /// the response from `address` if it is something else.
    func expectPage(at address: WebAddress) throws -> String? {
        let answer: ClientAnswer
        do { answer = try look(at: address) } catch let error as ClientError {
            let hint = address.isEncrypted ? ", which speaks http:// itself, and https:// behind a proxy" : ""
            throw RollcallError("\(error); expected a running Rollcall there\(hint)")
        }
        // The JSON describes an invalid parameter in words, and the check adds a missing slash itself.
        if answer.status == 400 { return nil }
        if Self.isSlashWanting(answer, at: address), let page = try? address.below("") {
            return try? Self.collation(ofList: look(at: page).body)
        }
        guard let found = Self.whatIsNoPage(answer) else {
            return Self.collation(ofList: answer.body)
        }
        throw RollcallError(
            "\(address): expected the page of a directory, as in http://127.0.0.1:8080/, found \(found)")
    }

    /// Describes a response that is not a page of users; returns `nil` if it is one.
    private static func whatIsNoPage(_ answer: ClientAnswer) -> String? {
        guard answer.status == 200 else {
            return "status \(answer.status)" + (answer.fields["location"].map { ", which leads to \($0)" } ?? "")
        }
        guard let type = answer.fields["content-type"] else { return "an answer of no type" }
        guard type.hasPrefix(ListReader.Kind.page.mediaType) else { return type }
        return hasList(answer.body.span) ? nil : "HTML with no list of people (id=\"users\") in it"
    }

    private static func isSlashWanting(_ answer: ClientAnswer, at address: WebAddress) -> Bool {
        guard answer.status == 301, let location = answer.fields["location"] else { return false }
        return (try? address.following(location).below("")) == (try? address.below(""))
    }

    private static func hasList(_ html: Bytes) -> Bool { withList(of: html) { _ in true } ?? false }

    private static func collation(ofList html: [UInt8]) -> String? {
        withList(of: html.span) { list in
            if let stamp = list["data-collation"] { return try? stamp.resolvedText() }
            return nil
        } ?? nil
    }

    /// Calls `body` with the element of the list, if there is one.
    private static func withList<Result>(
        of html: Bytes, _ body: (MarkupScanner.Tag) -> Result
    ) -> Result? {
        var scanner = MarkupScanner(html)
        // Markup that cannot be parsed does not come from Rollcall.
        while let part = try? scanner.next() {
            if case .tag(let tag) = part, !tag.isEnd, tag["id"].orEmpty.equals("users") { return body(tag) }
        }
        return nil
    }
}
