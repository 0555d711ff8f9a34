import HTTPClient

/// What a check begins with: most of what people give instead of a directory's page is an address beside it, or another
/// server's, and they are told what is there.
extension CheckedServer {
    /// Throws a ``CheckFault`` that says what is at `address`, if that is not the page of a directory.
    func expectPage(at address: WebAddress) throws {
        let answer: ClientAnswer
        do { answer = try look(at: address) } catch let error as ClientError {
            let hint = address.isEncrypted ? ", which speaks http:// itself, and https:// behind a proxy" : ""
            throw CheckFault("\(error); expected a running Rollcall there\(hint)")
        }
        // What is wrong with a parameter, the JSON will tell in words; and where a slash is wanting, the check puts one.
        if answer.status == 400 || Self.isSlashWanting(answer, at: address) { return }
        guard let found = Self.whatIsNoPage(answer) else { return }
        throw CheckFault("\(address): expected the page of a directory, as in http://127.0.0.1:8080/, found \(found)")
    }

    /// What there is instead of a page of users; `nil` where there is one.
    private static func whatIsNoPage(_ answer: ClientAnswer) -> String? {
        guard answer.status == 200 else {
            return "status \(answer.status)" + (answer.fields["location"].map { ", which leads to \($0)" } ?? "")
        }
        guard let type = answer.fields["content-type"] else { return "an answer of no type" }
        guard type.hasPrefix(ListReader.Kind.page.mediaType) else { return type }
        return answer.body.withUnsafeBytes(hasList) ? nil : "HTML with no list of people (id=\"users\") in it"
    }

    private static func isSlashWanting(_ answer: ClientAnswer, at address: WebAddress) -> Bool {
        guard answer.status == 301, let location = answer.fields["location"] else { return false }
        return (try? address.following(location).below("")) == (try? address.below(""))
    }

    private static func hasList(_ html: UnsafeRawBufferPointer) -> Bool {
        var scanner = TagScanner(html)
        // Markup that cannot be read is none of ours.
        while let part = try? scanner.next() {
            if case .tag(let tag) = part, !tag.isEnd, tag["id"]?.equals("users") == true { return true }
        }
        return false
    }
}
