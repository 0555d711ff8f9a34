import Base
import People
import Server

/// A page of users: as `page.mustache`, as a fragment, as JSON for front ends, or as JSON like GitHub's.
extension PageRequest: Resource {
    func state(of directories: DirectoryList) -> UInt64? { kind == .page ? directories.choices : nil }
    var hasAbsoluteLinks: Bool { kind.isJSON || embedding?.hasAbsoluteLinks == true }
    /// Whether this is a document in a frame of another page.
    var isFramed: Bool { embedding?.isFrame == true }
    var traits: PageTraits {
        var traits: PageTraits = isFramed ? .framed : []
        guard kind == .page else { return traits }
        traits.insert(.people)
        if search == nil, start == .first { traits.insert(.home) }
        // Each of these people is on a page of the whole list, too.
        if hasSelection || theme != .auto || perPage != nil || start.isBackward { traits.insert(.noIndex) }
        return traits
    }

    func appendURL(to buffer: ByteBuffer) {
        Links(base: "", request: self).append(start, as: kind, to: buffer)
    }

    // MARK: Reading

    /// The users, and what only a whole page shows beside them.
    struct LoadedPage: StoredContent {
        var page: Page
        var directory: Directory { page.directory }
        var filters = CountedFilters()
        /// Empty if the order has no letters, or the list is short.
        var letters: [LetterCount] = []
        /// If nobody matches: searches that find somebody, and names that the search may mean.
        var looser: [LooserSearch] = []
        var names: [String] = []
        /// On a page without users, a few people of the directory.
        var faces: UserRows?
        /// The person at the position that was asked for, if the page begins before: an index of its users.
        var asked: Int?
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> LoadedPage {
        var found = LoadedPage(page: try reader.page(query, of: directory))
        if countsFilters { found.filters = try CountedFilters(of: self, in: found.directory, from: reader) }
        guard kind == .page else { return found }
        try fill(&found, from: reader)
        let page = found.page
        if page.findsNobody {
            found.looser = try LooserSearch.all(for: self, from: reader)
            found.names = try suggestions(beside: found.looser, from: reader)
        }
        if isFramed { return found }
        found.filters = try CountedFilters(of: self, in: found.directory, from: reader)
        if (page.total ?? 0) >= ListPage.minTotalForJumpBar {
            found.letters = try reader.letters(query) ?? []
        }
        if page.users.rows.isEmpty {
            found.faces = try reader.faces(of: page.directory, count: Layout.facesAroundNobody)
        }
        return found
    }

    /// A page that would begin near the end becomes the last full one, which has the person at the position that was
    /// asked for, too.
    private func fill(_ found: inout LoadedPage, from reader: SiteReader) throws {
        let rows = found.page.users.rows
        guard case .at(let position) = start, !found.page.hasNext, !rows.isEmpty, rows.count < limit else { return }
        let first = max(0, position + rows.count - limit)
        var query = query
        query.start = first == 0 ? .first : .at(first)
        found = LoadedPage(page: try reader.page(query, of: directory), asked: position - first)
    }

    // MARK: Writing

    func write(_ found: LoadedPage, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let layout = renderer.layout(language)
        var addresses: PersonAddresses { task.addresses(in: found.directory, layout.configuration) }
        switch kind {
        case .page: ListPage(found, self, task, layout, layout.templates.page).render(into: renderer.body)
        case .fragment:
            let template = layout.templates.fragment(for: embedding)
            ListPage(found, self, task, layout, template).render(into: renderer.body)
        case .json:
            UserJSON(addresses: addresses, address: renderer.line, fields: fieldIndexes ?? [])
                .append(found.page.users, to: renderer.body)
        case .people:
            PeopleJSON(addresses, layout.language, line: renderer.line).append(found, self, to: renderer.body)
        case .export: break
        }
        let base = kind.isJSON ? task.base(layout.configuration) : layout.configuration.basePath
        Links(base: base, request: self).append(around: found.page, to: &fields, line: renderer.line)
    }
}

extension Page {
    /// Whether nobody matches: not even before or after this page.
    var findsNobody: Bool { users.rows.isEmpty && !hasPrevious && !hasNext }

    /// The number of people of the list at whose positions a page may begin: of a search, only the first ones.
    func numberedTotal(of search: Search?) -> Int {
        let limit = UserQuery.numberedMatches
        return search == nil ? total ?? 0 : min(total ?? limit, limit)
    }
}

/// The links from a page of users to the pages around it.
extension Links {
    func appendNext(after page: Page, as kind: PageRequest.Kind, to buffer: ByteBuffer) {
        if let last = page.users.rows.indices.last {
            append("since", last, of: page.users, as: kind, to: buffer)
        } else {
            // This page ends before the first user, so the next page is the first.
            append(.first, as: kind, to: buffer)
        }
    }

    func appendPrevious(before page: Page, as kind: PageRequest.Kind, to buffer: ByteBuffer) {
        if page.users.rows.isEmpty {
            // This page begins after the last user, so the previous page is the last.
            append(.last, as: kind, to: buffer)
        } else {
            append("before", 0, of: page.users, as: kind, to: buffer)
        }
    }

    /// Appends `Link` (RFC 8288) and `X-Total-Count`, as page, fragment and JSON have them.
    /// - Parameter line: a buffer for the value.
    func append(around page: Page, to fields: inout Fields, line: ByteBuffer) {
        line.removeAll()
        func add(_ relation: StaticString, _ write: (ByteBuffer) -> Void) {
            line.append(line.isEmpty ? "<" : ", <")
            write(line)
            line.append(">; rel=\"")
            line.append(relation)
            line.append("\"")
        }
        if page.hasNext { add("next") { appendNext(after: page, as: request.kind, to: $0) } }
        if page.hasPrevious { add("prev") { appendPrevious(before: page, as: request.kind, to: $0) } }
        add("first") { append(.first, as: request.kind, to: $0) }
        fields.append("Link", bytes: line)
        fields.append("X-Total-Count", page.total)
    }
}
