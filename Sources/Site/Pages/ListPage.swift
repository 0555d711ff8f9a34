import Base
import People
import Template

/// A page of users: fills the fields of `page.mustache` and of the templates of fragments.
///
/// A class, because the closures that write fields would each copy all of it.
final class ListPage {
    let layout: Layout
    private let found: PageRequest.LoadedPage
    let request: PageRequest
    let directories: DirectoryList
    /// The number of pictures at the beginning of the page that do not wait until they are near the window.
    let earlyPictures: Int
    let links: Links
    private let template: Template
    let document: Frame<DocumentField>
    let frame: Frame<PageField>

    var model: Model { layout.model }
    var page: Page { found.page }

    init(
        _ found: PageRequest.LoadedPage, _ request: PageRequest, _ task: RenderTask, _ layout: Layout,
        _ template: Template
    ) {
        self.layout = layout
        self.found = found
        self.request = request
        directories = task.directories
        earlyPictures = request.kind == .page && !task.client.savesData ? 10 : 0
        links = Links(base: task.base(layout.configuration), request: request)
        self.template = template
        document = layout.makeDocument(for: template, about: request.linked.updated(to: found.page.directory))
        frame = layout.model.makeFrame(PageField.self, for: template)
    }

    func render(into body: ByteBuffer) {
        setDocument()
        let hasFilters = setForm(found.filters)
        let hasJumpBar = setJumpBar(found.letters)
        setLooks(hasFilters: hasFilters, hasJumpBar: hasJumpBar)
        model.set(frame, .isFragment, flag: request.kind == .fragment)
        model.set(frame, .drawsInitials, flag: request.embedding?.hasAbsoluteLinks == true)
        if request.kind == .page || request.start == .first {
            let language = layout.language
            model.set(frame, .scriptWords, request.kind == .page ? language.listWords : language.elementWords)
        }
        setTotal()
        setUsers()
        if page.users.rows.isEmpty { setLooserSearches(found.looser) }
        setSuggestions(found.names)
        if let faces = found.faces {
            layout.setFacesAroundNobody(frame, .hasFaces, .faces, .moreFaces, faces, of: page.directory)
        }
        setNeighbours()
        if request.embedding == .turbo { setFrameIDs() }
        template.render(frame, within: document, of: model, into: body)
    }

    // MARK: The list

    private func setUsers() {
        let (users, directory, order) = (page.users, page.directory, request.sort.key)
        if order.isCollated { model.set(frame, .collation, directory.collation.text) }
        model.set(frame, .searchText, ifAny: request.searchText)
        model.set(frame, .hasUsers, flag: !users.rows.isEmpty)
        model.set(frame, .state, page.hasNext ? "idle" : "end")
        model.set(frame, .nothingFound, flag: page.findsNobody)
        let settings = directory.settings
        let shown = request.view == .list ? settings.rows : settings.cards
        let reputationLabel = settings.reputationLabel(layout.language)
        let pictures = layout.pictures(of: directory, base: links.base)
        let people = PersonLinks(links)
        let words = request.search?.words
        let marker = words.flatMap { $0.isEmpty ? nil : MatchedText($0, language: settings.language) }
        let named = NamedFields(template, of: directory, layout)
        let hasCursors = order != .id
        let lines = FieldLines()
        let articles = model.makeList(frame, .users, of: ArticleField.self, count: users.rows.count)
        // The template may show nobody.
        if articles.isEmpty { return }
        settings.makeReader().forEachProfile(of: users) { index, person in
            let article = articles[index]
            layout.setUser(article, person, reputationLabel: reputationLabel, pictures, request.view.pictureSize)
            if request.view == .photos {
                model.write(article, .largeAvatar) { pictures.append(stored: .large, of: person, to: $0) }
            }
            model.set(article, .isLate, flag: index >= earlyPictures)
            model.write(article, .href) { people.append(person.login, to: $0) }
            if let marker { model.set(article, .markedName, person.displayName, marker) }
            if let named { named.set(article, .field, of: person) }
            lines.removeAll()
            lines.append(row: shown, of: person, layout.language)
            let hasBadges = layout.setBadges(article, .marks, person, of: directory, isFirst: lines.isEmpty)
            layout.setFacts(article, .facts, lines, marker)
            model.set(article, .hasFacts, flag: hasBadges || !lines.isEmpty)
            model.set(article, .isAsked, flag: index == found.asked)
            model.set(article, .position, decimal: page.firstPosition.map { $0 + index })
            if hasCursors { model.write(article, .cursor) { users.append(cursorOf: index, in: order, to: $0) } }
        }
    }

    /// Sets the view and the theme, and classes for filters and jump bar, which take room beside the list. The style
    /// cannot look for these parts themselves: those after the list would move it when they arrive.
    private func setLooks(hasFilters: Bool, hasJumpBar: Bool) {
        model.set(frame, .hasViewsStyle, flag: request.view != .list || page.users.rows.isEmpty || request.isFramed)
        model.set(frame, .isGrid, flag: request.view == .grid)
        model.set(frame, .isPhotos, flag: request.view == .photos)
        model.set(frame, .isLight, flag: request.theme == .light)
        model.set(frame, .isDark, flag: request.theme == .dark)
        guard model.shows(frame, .bodyClass) else { return }
        let classes: [(name: String, isSet: Bool)] = [
            (request.view.rawValue, request.view != .list), (request.theme.rawValue, request.theme != .auto),
            ("has-filters", hasFilters), ("has-jump", hasJumpBar),
        ]
        model.set(frame, .bodyClass, classes.filter(\.isSet).map(\.name).joined(separator: " "))
    }

    private func setTotal() {
        // Only searches with more matches than are counted have no total.
        model.set(frame, .totalLabel, layout.language.text(matches: page.total))
        if let total = page.total { model.set(frame, .people, number: total, layout.language) }
        model.set(frame, .total, decimal: page.total)
        model.set(frame, .setSize, decimal: page.total ?? -1)
        if request.search != nil { model.set(frame, .wholeLabel, layout.language.text(page.directory.total)) }
        if let first = page.firstPosition, !page.users.rows.isEmpty {
            model.set(frame, .firstLabel, layout.language.text(first))
            model.set(frame, .lastLabel, layout.language.text(first + page.users.rows.count - 1))
        }
        // In a frame that fits its content, every page waits for a click.
        model.set(frame, .autoPages, decimal: request.embedding == .fittedFrame ? -1 : layout.configuration.autoPages)
    }

    // MARK: Neighbours

    private func setNeighbours() {
        model.set(frame, .hasNext, flag: page.hasNext)
        if page.hasNext {
            model.write(frame, .nextHref) { links.appendNext(after: page, as: .page, to: $0) }
            model.write(frame, .nextFragmentHref) { links.appendNext(after: page, as: .fragment, to: $0) }
        }
        model.set(frame, .hasPrevious, flag: page.hasPrevious)
        if page.hasPrevious {
            model.write(frame, .previousHref) { links.appendPrevious(before: page, as: .page, to: $0) }
            model.write(frame, .previousFragmentHref) { links.appendPrevious(before: page, as: .fragment, to: $0) }
        }
        model.write(frame, .firstHref) { links.append(.first, as: .page, to: $0) }
    }

    /// Turbo replaces its `<turbo-frame>` by the one with the same id in the fragment. The first page of users has an
    /// id that a site can write down; every other one has its cursor in its id.
    private func setFrameIDs() {
        model.write(frame, .frameID) { buffer in
            buffer.append(turboFrameID)
            guard case .after(let cursor) = request.start else { return }
            buffer.append("-")
            buffer.append(cursor, in: request.sort.key)
        }
        model.write(frame, .nextFrameID) { buffer in
            buffer.append(turboFrameID)
            guard let last = page.users.rows.indices.last else { return }
            buffer.append("-")
            page.users.append(cursorOf: last, in: request.sort.key, to: buffer)
        }
    }
}

/// The id of the `<turbo-frame>` with the first page of users.
let turboFrameID: StaticString = "rollcall"

extension Templates {
    func fragment(for embedding: Embedding?) -> Template {
        switch embedding {
        case .htmx: htmx
        case .turbo: turbo
        case .unpoly: unpoly
        case .frame, .fittedFrame, .html, nil: fragment
        }
    }
}

/// The jump bar along the list: letters in the orders by names, and numbers in others.
extension ListPage {
    /// A shorter list needs no jump bar.
    static let minTotalForJumpBar = 100
    /// The greatest number of numbers on a jump bar.
    private static let maxSteps = 15

    /// The position counts from 1. The start is `nil` if nobody has the letter.
    private typealias Entry = (label: String, position: Int, start: UserQuery.Start?)

    /// Sets the jump bar: `letters` if the order has some, and numbers otherwise. Returns whether there is one.
    func setJumpBar(_ letters: [LetterCount]) -> Bool {
        guard model.shows(frame, .hasJumpBar) else { return false }
        let entries =
            letters.isEmpty
            ? steps : letters.map { ($0.label, $0.position, $0.count > 0 ? .letter($0.label) : nil) }
        if entries.isEmpty { return false }
        model.set(frame, .hasJumpBar, flag: true)
        model.set(frame, .hasLetters, flag: !letters.isEmpty)
        model.set(frame, .jumpBarPlaces, entries.map { String($0.position) }.joined(separator: " "))
        let here = page.firstPosition.flatMap { first in
            entries.lastIndex { $0.start != nil && $0.position <= first }
        }
        let rows = model.makeList(frame, .jumpBar, of: JumpBarField.self, count: entries.count)
        for (index, (row, entry)) in zip(rows, entries).enumerated() {
            model.set(row, .label, entry.label)
            guard let start = entry.start else { continue }
            model.write(row, .href) { links.append(start, as: .page, to: $0) }
            model.set(row, .isCurrent, flag: index == here)
        }
        return true
    }

    /// Round numbers at equal distances. None begins a page that is not full, so the last one leads to the last full
    /// page.
    private var steps: [Entry] {
        guard let total = page.total, total >= Self.minTotalForJumpBar else { return [] }
        let last = page.numberedTotal(of: request.search)
        var step = 10
        // 10, 20, 50, 100, …
        while last / step >= Self.maxSteps { step = "\(step)".hasPrefix("2") ? step / 2 * 5 : step * 2 }
        let lastFull = last - request.limit + 1
        guard lastFull > 1 else { return [] }
        let numbers = stride(from: step, through: last, by: step)
        return [("1", 1, .first)]
            + numbers.filter { $0 <= lastFull || $0 + step > last }.map {
                let position = min($0, lastFull)
                return ($0.compact, position, .at(position - 1))
            }
    }
}

extension Int {
    /// `950`, `1k`, `1.5k`, `2M`
    fileprivate var compact: String {
        for (unit, name) in [(1_000_000, "M"), (1_000, "k")] where self >= unit {
            let tenths = self / (unit / 10)
            return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + name
        }
        return "\(self)"
    }
}
