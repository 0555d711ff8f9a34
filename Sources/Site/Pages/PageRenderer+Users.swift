import Bytes
import Directories
import HTTP
import Mustache

/// Pages of users: what the templates are given.
extension PageRenderer {
    func render(_ template: PageTemplate, _ page: Page, _ looser: [LooserSearch], _ request: PageRequest, _ task: RenderTask) {
        let frame = model.makeFrame(PageField.self)
        let base = request.embedding?.hasAbsoluteLinks == true ? absoluteBase(task) : configuration.basePath
        let links = Links(base: base, request: request)
        if template.showsDocument { setDocument(frame, page, request, task.directories) }
        if template.showsForm { setForm(frame, page.directory, request, task.directories) }
        model.set(frame, .isFramed, flag: request.embedding?.isFrame == true)
        setTotal(frame, page, request)
        setUsers(frame, page, request, base)
        if !looser.isEmpty { setLooserSearches(frame, looser, request, links) }
        setNeighbours(frame, page, links)
        if request.embedding == .turbo { setFrameIDs(frame, page, request) }
        template.template.render(frame, of: model, into: body)
    }

    // MARK: The document

    private func setDocument(
        _ frame: Frame<PageField>, _ page: Page, _ request: PageRequest, _ directories: DirectoryList
    ) {
        model.set(frame, .documentTitle, documentTitle(page, request))
        let choices = request.facets.map { $0.value + " · " }.joined()
        model.set(
            frame, .description,
            choices + "\(totalLabel(page)) \(noun(page, request)) in \(page.directory.title)" + part(page, request))
        setLayout(frame, PageField.chrome, directory: request.isDefaultDirectory ? nil : request.directory)
        setFile(frame, .listScriptHref, "list.js")
        setFile(frame, .findScriptHref, "find.js")
        model.write(frame, .searchHref) { buffer in
            buffer.append(utf8: configuration.basePath)
            buffer.append("/opensearch.xml")
            var query = QueryWriter(buffer)
            if !request.isDefaultDirectory { query.add("directory", request.directory.slug.text) }
        }
        model.set(frame, .directoryTitle, page.directory.title)
        setFoot(frame, .directoriesHref, .terms, page.directory, directories)
        // Of several directories, the page of all says how to take the people along.
        if directories.all.count == 1 { setOffers(frame, .offers, page.directory, directories, isShort: true) }
        model.write(frame, .apiHref) {
            Links(base: configuration.basePath, request: request).append(request.start, as: .json, to: $0)
        }
        setCanonical(frame, .canonicalHref) {
            // What stands in a frame is the same page.
            var request = request
            request.embedding = nil
            Links(base: "", request: request).append(request.start, as: .page, to: $0)
        }
        if request.embedding?.isFrame == true { setFile(frame, .frameScriptHref, "frame.js") }
    }

    /// No two pages have the same: `“ann” – 120 people in Our team, by name, 31 to 60`.
    private func documentTitle(_ page: Page, _ request: PageRequest) -> String {
        var title = page.directory.title
        if let searchText = request.searchText {
            title = "“\(searchText)” – \(totalLabel(page)) \(page.total == 1 ? "person" : "people") in \(title)"
        }
        for choice in request.facets { title = "\(choice.value) · \(title)" }
        if request.sort.key != .id { title += ", by \(request.sort.key.label.lowercased())" }
        if request.sort.direction != .ascending { title += ", descending" }
        return title + part(page, request)
    }

    /// Which part of the list this is, where it is not the beginning.
    private func part(_ page: Page, _ request: PageRequest) -> String {
        guard page.hasPrevious else { return "" }
        guard !page.users.rows.isEmpty else { return ", past the end" }
        guard let first = page.firstPosition else { return ", further on" }
        let last = first + page.users.rows.count - 1
        return ", \(grouped(first)) to \(grouped(last))"
    }

    private func totalLabel(_ page: Page) -> String {
        // Only searches have no total, and those only past what is counted.
        page.total.map(grouped) ?? "More than 10,000"
    }

    private func grouped(_ number: Int) -> String {
        line.removeAll()
        line.append(grouped: Int64(number))
        return String(line)
    }

    private func setTotal(_ frame: Frame<PageField>, _ page: Page, _ request: PageRequest) {
        if let total = page.total {
            model.write(frame, .totalLabel) { $0.append(grouped: Int64(total)) }
            model.set(frame, .total, decimal: total)
            model.set(frame, .setSize, decimal: total)
        } else {
            model.set(frame, .totalLabel, totalLabel(page))
            model.set(frame, .setSize, "-1")
        }
        let choices = request.facets.map { " · " + $0.value }.joined()
        model.set(frame, .totalNoun, noun(page, request) + choices)
        // Before the first page there is none: every page waits for a click.
        model.set(frame, .autoPages, decimal: request.embedding == .fittedFrame ? -1 : configuration.autoPages)
    }

    private func noun(_ page: Page, _ request: PageRequest) -> String {
        let isOne = page.total == 1
        guard let searchText = request.searchText else { return isOne ? "person" : "people" }
        return (isOne ? "match for “" : "matches for “") + searchText + "”"
    }

    // MARK: The form

    private func setForm(
        _ frame: Frame<PageField>, _ directory: Directory, _ request: PageRequest, _ directories: DirectoryList
    ) {
        setHome(frame, .action)
        if let searchText = request.searchText { model.set(frame, .q, searchText) }
        model.set(frame, .hasSeveralDirectories, flag: directories.all.count > 1)
        setDirectories(frame, .directories, directories, chosen: request.directory)
        setOptions(frame, .sorts, Sort.Key.allCases) { ($0.rawValue, $0.label, $0 == request.sort.key) }
        setOptions(frame, .orders, Sort.Direction.allCases) { ($0.rawValue, $0.label, $0 == request.sort.direction) }
        setOptions(frame, .views, PageRequest.View.allCases) { ($0.rawValue, $0.label, $0 == request.view) }
        let hasFacets = setFacets(frame, directory, request)
        // Without script, too, another directory's people are not chosen by what was chosen of these.
        let owner = hasFacets && directories.all.count > 1 ? directory.slug.text : nil
        setHidden(frame, [("per_page", request.perPage.map(String.init)), ("facets_of", owner)])
    }

    private func setHidden(_ frame: Frame<PageField>, _ fields: [(name: String, value: String?)]) {
        let fields = fields.filter { $0.value != nil }
        let rows = model.makeList(frame, .hidden, of: HiddenField.self, count: fields.count)
        for (row, field) in zip(rows, fields) {
            model.set(row, .name, field.name)
            model.set(row, .value, field.value ?? "")
        }
    }

    func setDirectories<F: Field>(
        _ frame: Frame<F>, _ field: F, _ directories: DirectoryList, chosen: Directory
    ) {
        setOptions(frame, field, Array(zip(directories.all, directories.labels))) { directory, label in
            (directory.slug.text, label, directory.id == chosen.id)
        }
    }

    func setOptions<F: Field, Choice>(
        _ frame: Frame<F>, _ field: F, _ choices: [Choice],
        _ describe: (Choice) -> (value: String, label: String, isSelected: Bool)
    ) {
        let options = model.makeList(frame, field, of: OptionField.self, count: choices.count)
        for (option, choice) in zip(options, choices) {
            let (value, label, isSelected) = describe(choice)
            model.set(option, .value, value)
            model.set(option, .label, label)
            model.set(option, .isSelected, flag: isSelected)
        }
    }

    // MARK: The list

    private func setUsers(_ frame: Frame<PageField>, _ page: Page, _ request: PageRequest, _ base: String) {
        let users = page.users
        model.set(frame, .isGrid, flag: request.view == .grid)
        if let searchText = request.searchText { model.set(frame, .searchText, searchText) }
        model.set(frame, .isChosen, flag: !request.facets.isEmpty)
        model.set(frame, .hasUsers, flag: !users.rows.isEmpty)
        model.set(frame, .state, page.hasNext ? "idle" : "end")
        model.set(frame, .nothingFound, flag: users.rows.isEmpty && !page.hasPrevious && !page.hasNext)
        let articles = model.makeList(frame, .users, of: ArticleField.self, count: users.rows.count)
        users.text.withUnsafeBytes { text in
            for index in users.rows.indices {
                let article = articles[index]
                let person = UserView(users.rows[index], text)
                setPerson(article, person, ArticleField.person)
                setLink(article, person, request, base)
                setMarks(article, .marks, person, of: page.directory)
                if let first = page.firstPosition { model.set(article, .position, decimal: first + index) }
                if request.sort.key != .id {
                    model.write(article, .cursor) { users.append(cursorOf: index, in: request.sort.key, to: $0) }
                }
            }
        }
    }

    private func setLink(_ article: Frame<ArticleField>, _ person: UserView, _ request: PageRequest, _ base: String) {
        model.write(article, .href) { buffer in
            buffer.append(
                userPathOf: person.login, below: base, directory: request.directory,
                isDefault: request.isDefaultDirectory)
        }
    }

    // MARK: Before and after

    private func setNeighbours(_ frame: Frame<PageField>, _ page: Page, _ links: Links) {
        model.set(frame, .hasNext, flag: page.hasNext)
        if page.hasNext {
            model.write(frame, .nextHref) { appendNext(page, links, .page, to: $0) }
            model.write(frame, .nextFragmentHref) { appendNext(page, links, .fragment, to: $0) }
        }
        model.set(frame, .hasPrevious, flag: page.hasPrevious)
        if page.hasPrevious {
            model.write(frame, .previousHref) { appendPrevious(page, links, .page, to: $0) }
            model.write(frame, .previousFragmentHref) { appendPrevious(page, links, .fragment, to: $0) }
        }
        model.write(frame, .firstHref) { links.append(.first, as: .page, to: $0) }
    }

    private func appendNext(_ page: Page, _ links: Links, _ kind: PageRequest.Kind, to buffer: ByteBuffer) {
        if let last = page.users.rows.indices.last {
            links.append("since", last, of: page.users, as: kind, to: buffer)
        } else {
            // Before the first user: what follows is the beginning.
            links.append(.first, as: kind, to: buffer)
        }
    }

    private func appendPrevious(_ page: Page, _ links: Links, _ kind: PageRequest.Kind, to buffer: ByteBuffer) {
        if page.users.rows.isEmpty {
            // Past the last user: what comes before is the end.
            links.append(.last, as: kind, to: buffer)
        } else {
            links.append("before", 0, of: page.users, as: kind, to: buffer)
        }
    }

    /// `Link` (RFC 8288) and `X-Total-Count`, the same for page, fragment and JSON.
    func appendFields(of page: Page, _ request: PageRequest, _ task: RenderTask, to fields: inout Fields) {
        let links = Links(base: configuration.basePath, request: request)
        let origin = request.kind == .json ? absoluteOrigin(task) : ""
        line.removeAll()
        func add(_ relation: StaticString, _ write: (ByteBuffer) -> Void) {
            line.append(line.isEmpty ? "<" : ", <")
            line.append(utf8: origin)
            write(line)
            line.append(">; rel=\"")
            line.append(relation)
            line.append("\"")
        }
        if page.hasNext { add("next") { appendNext(page, links, request.kind, to: $0) } }
        if page.hasPrevious { add("prev") { appendPrevious(page, links, request.kind, to: $0) } }
        add("first") { links.append(.first, as: request.kind, to: $0) }
        fields.append("Link", bytes: line.bytes)
        if let total = page.total { fields.append("X-Total-Count", total) }
    }

    /// The home page's address without its last slash, for where absolute URLs are wanted; empty where it is not known.
    func baseURL(_ task: RenderTask) -> String {
        let origin = absoluteOrigin(task)
        return origin.isEmpty ? "" : origin + configuration.basePath
    }

    /// The absolute URL of the site's root, without its last slash; where it is not known, the base path.
    func absoluteBase(_ task: RenderTask) -> String { absoluteOrigin(task) + configuration.basePath }

    /// Scheme and host, for where a standard wants absolute URLs; empty where they are not known.
    func absoluteOrigin(_ task: RenderTask) -> String {
        assert(task.origin != nil, "a subject with absolute links must depend on the origin")
        return task.origin?.text ?? ""
    }
}

extension Sort.Key {
    var label: String {
        switch self {
        case .id: "ID"
        case .login: "Login"
        case .name: "Name"
        case .reputation: "Reputation"
        }
    }
}

extension Sort.Direction {
    var label: String { self == .ascending ? "Ascending" : "Descending" }
}

extension PageRequest.View {
    var label: String { self == .list ? "List" : "Grid" }
}
