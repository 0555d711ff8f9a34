import Base

extension ListedPage {
    /// Reads the HTML of a page of users, or of a fragment, using the markup that scripts and styles rely on: the
    /// articles in `#users`, then `a.next` or `p.end`. A fragment contains nothing else.
    init(html: Bytes, isFragment: Bool) throws {
        var reader = HTMLPageReader(html, isFragment: isFragment)
        try reader.read()
        self = reader.page
    }
}

private struct HTMLPageReader: ~Escapable {
    var page = ListedPage()
    private var scanner: MarkupScanner
    private let isFragment: Bool
    /// The total in `#users`; `nil` before that element, and `.some(nil)` if the total is unknown.
    private var total: Int??
    private var isOver = false

    @_lifetime(copy html)
    init(_ html: Bytes, isFragment: Bool) {
        scanner = MarkupScanner(html)
        self.isFragment = isFragment
    }

    mutating func read() throws {
        while let part = try scanner.next() {
            switch part {
            case .text(let text):
                try expect(
                    !isFragment || text.allSatisfy(\.isSpace),
                    "expected nothing but articles and their end in a fragment, found text")
            case .tag(let tag): try take(tag)
            }
        }
        try expect(isOver, "expected <a class=\"next\"> or <p class=\"end\"> after the last user, found neither")
        try expect(isFragment || total != nil, "expected an element with id=\"users\", found none")
        guard let total else { return }
        try expect(
            page.users.isEmpty || total == page.total, "expected data-total and aria-setsize to be the same number")
        page.total = total
    }

    private mutating func take(_ tag: MarkupScanner.Tag) throws {
        if tag.isEnd { return }
        if tag.is("article") {
            try expect(tag.has("user", in: "class"), "expected class=\"user\" of an article")
            try expect(!isOver, "expected no article after the link to the next page")
            try takeArticle(tag)
        } else if tag.is("a"), tag.has("next", in: "class") {
            try end(with: tag)
        } else if tag.is("p"), tag.has("end", in: "class") {
            try end(with: tag)
        } else if isFragment {
            let name = String(tag.name)
            throw RollcallError("expected nothing but articles and their end in a fragment, found <\(name)>")
        } else if tag["id"].orEmpty.equals("users") {
            let text = String(tag["data-total"].orEmpty)
            total = .some(Int(text))
            try expect(text.isEmpty || Int(text) != nil, "expected a number as data-total, found “\(text)”")
        }
    }

    /// Reads the element after the last user.
    private mutating func end(with mark: MarkupScanner.Tag) throws {
        try expect(!isOver, "expected one link to the next page or one end, found another")
        isOver = true
        if mark.is("a") {
            guard let href = mark["href"], let fragment = mark["data-fragment"], mark.has("next", in: "rel") else {
                throw RollcallError("expected rel=\"next\", href and data-fragment of <a class=\"next\">")
            }
            page.next = (try href.resolvedText(), try fragment.resolvedText())
        }
        // The link and the end mark may contain anything.
        while let part = try scanner.next() {
            if case .tag(let tag) = part, tag.isEnd, tag.name.equals(mark.name) { return }
        }
        throw RollcallError("expected the end of what follows the last user, found the end of the answer")
    }

    private mutating func takeArticle(_ start: MarkupScanner.Tag) throws {
        let article = try Article(start, &scanner)
        page.users.append(article.user)
        // WAI-ARIA 1.2: -1 means that the size is unknown.
        let size = article.setSize == -1 ? nil : article.setSize
        try expect(
            page.users.count == 1 || size == page.total,
            "user \(article.user.id): expected the aria-setsize of the user before")
        page.total = size
    }
}

extension Bytes {
    func resolvedText() throws(RollcallError) -> String {
        let text = try resolvingReferences()
        return String(text.span)
    }
}
