import Base
import HTTPClient

/// The first step of a check. A wrong address is usually one next to a directory's page, or of another server, so the
/// error reports what was found there.
extension CheckedServer {
    /// Returns the `data-collation` of the page of a directory, empty if it has none. Throws an error that describes
    /// the response from `address` if it is something else.
    func expectPage(at address: WebAddress) throws -> String {
        let answer: ClientAnswer
        do { answer = try look(at: address) } catch let error as ClientError {
            let hint = address.isEncrypted ? ", which speaks http:// itself, and https:// behind a proxy" : ""
            throw RollcallError("\(error); expected a running Rollcall there\(hint)")
        }
        // The JSON describes an invalid parameter in words, and the check adds a missing slash itself.
        if answer.status == 400 { return "" }
        if Self.isSlashWanting(answer, at: address), let page = try? address.below("") {
            return (try? Self.collation(ofListIn: look(at: page).body)) ?? ""
        }
        if answer.status == 200, let stamp = Self.collation(ofListIn: answer.body) { return stamp }
        throw RollcallError(
            "\(address): expected the page of a directory, as in http://127.0.0.1:8080/, found \(Self.text(answer))")
    }

    /// Describes a response that is not a page of users.
    private static func text(_ answer: ClientAnswer) -> String {
        guard answer.status == 200 else {
            return "status \(answer.status)" + (answer.fields["location"].map { ", which leads to \($0)" } ?? "")
        }
        let type = answer.fields["content-type"] ?? "an answer of no type"
        let isPage = type.hasPrefix(ListReader.Kind.page.mediaType)
        return isPage ? "HTML with no list of people (id=\"users\") in it" : type
    }

    private static func isSlashWanting(_ answer: ClientAnswer, at address: WebAddress) -> Bool {
        guard answer.status == 301, let location = answer.fields["location"] else { return false }
        return (try? address.following(location).below("")) == (try? address.below(""))
    }

    /// Returns the `data-collation` of the list, empty if it has none; `nil` if there is no list.
    private static func collation(ofListIn html: [UInt8]) -> String? {
        var scanner = MarkupScanner(html.span)
        // Markup that cannot be parsed does not come from Rollcall.
        while let part = try? scanner.next() {
            guard case .tag(let tag) = part, !tag.isEnd, tag["id"].orEmpty.equals("users") else { continue }
            return (try? tag["data-collation"].orEmpty.resolvedText()) ?? ""
        }
        return nil
    }
}
