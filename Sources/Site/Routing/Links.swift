import Base
import People

/// Writes the canonical URLs of pages of users, fragments and lists in JSON.
struct Links {
    /// The part before every path: the base path, after an origin if links must be absolute.
    let base: String
    let request: PageRequest

    /// Appends the URL of the page, fragment or JSON that begins at `start`.
    func append(_ start: UserQuery.Start, as kind: PageRequest.Kind, to buffer: ByteBuffer) {
        append(pathOf: kind, to: buffer)
        var query = QueryWriter(buffer)
        addParameters(start, as: kind, to: &query)
    }

    /// Adds the parameters of that URL.
    func addParameters(_ start: UserQuery.Start, as kind: PageRequest.Kind, to query: inout QueryWriter) {
        var standard = request.defaultSort(of: kind)
        switch start {
        case .first: break
        case .at(let count): query.add("at", count + 1)
        case .letter(let label):
            query.add("letter", label)
            // A letter without an order means the order by name.
            standard = Sort(.name)
        case .last: query.add("before", "")
        case .after(let cursor): query.add("since") { $0.append(cursor, in: request.sort.key) }
        case .before(let cursor): query.add("before") { $0.append(cursor, in: request.sort.key) }
        }
        addRest(kind, to: &query, unless: standard)
    }

    /// Appends the URL of the page after (`since`) or before (`before`) row `index` of `users`, without making a
    /// cursor.
    func append(
        _ parameter: StaticString, _ index: Int, of users: UserRows, as kind: PageRequest.Kind, to buffer: ByteBuffer
    ) {
        append(pathOf: kind, to: buffer)
        var query = QueryWriter(buffer)
        query.add(parameter) { users.append(cursorOf: index, in: request.sort.key, to: $0) }
        addRest(kind, to: &query, unless: request.defaultSort(of: kind))
    }

    /// Appends the query of the page that begins with the first user, with the order even if it is the default.
    @discardableResult func appendQuery(namingOrderTo buffer: ByteBuffer) -> QueryWriter {
        var query = QueryWriter(buffer)
        query.add("sort", request.sort.parameter)
        addPeople(to: &query)
        query.add(request.linked)
        return query
    }

    /// Appends the URL of a person's page, with what it needs to show the neighbours of the person in this list:
    /// search, filters, order and view. The list without any of them adds nothing.
    func append(person login: Bytes, id: Int64? = nil, to buffer: ByteBuffer) {
        var query = buffer.append(userPathOf: login, below: base, in: request.linked)
        query.add(id: id)
        let (start, begun) = (buffer.count, query)
        appendSelection(to: &query)
        if buffer.count - start > Self.maxSelectionBytes {
            buffer.truncate(to: start)
            query = begun
        }
        query.add(language: request.language?.parameter)
    }

    /// A page repeats the selection in up to a hundred links to people. A longer one would make it megabytes, so it is
    /// left out: the people's neighbours are then those of the whole list.
    private static let maxSelectionBytes = 1000

    /// Adds the search, the filters, the order and the view, unless they are those of a page without parameters.
    func appendSelection(to query: inout QueryWriter) {
        addPeople(to: &query)
        appendSort(unless: request.defaultSort(of: .page), &query)
        appendView(.page, &query)
    }

    /// Adds the people, their order unless it is `standard`, and the directory.
    func addList(to query: inout QueryWriter, unless standard: Sort) {
        addPeople(to: &query)
        appendSort(unless: standard, &query)
        query.add(request.linked)
    }

    /// Adds what chooses people: the search and the filters.
    private func addPeople(to query: inout QueryWriter) {
        query.add("q", ifAny: request.searchText)
        for filter in request.filters { query.add(filter) }
    }

    /// A wall is for embeds: its links to pages of the site lead to the list.
    private func appendView(_ kind: PageRequest.Kind, _ query: inout QueryWriter) {
        let isEmbedded = request.embedding?.isCarried(to: kind) ?? (kind == .fragment)
        if request.view == .list || kind.isJSON || (request.view == .wall && !isEmbedded) { return }
        query.add("view", request.view.rawValue)
    }

    private func append(pathOf kind: PageRequest.Kind, to buffer: ByteBuffer) {
        buffer.append(utf8: base)
        switch kind {
        case .page: buffer.append("/")
        case .fragment: buffer.append("/fragment")
        case .json: buffer.append("/api/v3/users")
        case .people: buffer.append("/people.json")
        case .export: break
        }
    }

    /// Adds all parameters but the start, and the order unless it is `standard`.
    private func addRest(_ kind: PageRequest.Kind, to query: inout QueryWriter, unless standard: Sort) {
        // Fragments always name a number of users. Pages and JSON name one only if the request did.
        let perPage = request.perPage ?? (kind == .fragment ? request.fragmentLimit : nil)
        if let perPage { query.add("per_page", perPage) }
        addList(to: &query, unless: standard)
        appendView(kind, &query)
        if request.theme != .auto, kind == .page { query.add("theme", request.theme.rawValue) }
        if let fields = request.fieldIndexes {
            let settings = request.directory.settings
            let keys = fields.map { settings.fields[$0].key }.joined(separator: ",")
            query.add("fields", fields == settings.listedFields ? "*" : keys)
        }
        if let embedding = request.embedding, embedding.isCarried(to: kind) { query.add("embed", embedding.rawValue) }
        if request.countsFilters { query.add("filters", 1) }
        if kind != .json { query.add(language: request.language?.parameter) }
    }

    /// The order, unless it is the default for this URL.
    private func appendSort(unless standard: Sort, _ query: inout QueryWriter) {
        let (key, direction) = request.sort.difference(from: standard)
        query.add("sort", ifAny: key?.name)
        query.add("order", ifAny: direction?.rawValue)
    }
}

/// Writes the URLs of the people of a list. All but the login is the same for everybody and written once.
struct PersonLinks {
    private let prefix: [UInt8]
    private let suffix: [UInt8]

    init(_ links: Links) {
        let buffer = ByteBuffer(capacity: 128)
        links.append(person: Bytes(), to: buffer)
        let loginStart = links.base.utf8.count + "/users/".utf8.count
        let whole = [UInt8](buffer)
        (prefix, suffix) = (Array(whole[..<loginStart]), Array(whole[loginStart...]))
    }

    func append(_ login: Bytes, to buffer: ByteBuffer) {
        buffer.append(prefix)
        buffer.append(percentEncoding: login)
        buffer.append(suffix)
    }
}

extension ByteBuffer {
    /// Appends a path with the directory, if the URL must name it. Returns the query, which may get more.
    @discardableResult func append(_ path: StaticString, of linked: LinkedDirectory?) -> QueryWriter {
        append(path)
        var query = QueryWriter(self)
        query.add(linked)
        return query
    }

    /// The same for the page of a user, or with `ending` for the user in another format.
    @discardableResult func append(
        userPathOf login: Bytes, _ ending: StaticString = "", below basePath: String, in linked: LinkedDirectory
    ) -> QueryWriter {
        append(utf8: basePath)
        append("/users/")
        append(percentEncoding: login)
        append(ending)
        var query = QueryWriter(self)
        query.add(linked)
        return query
    }
}
