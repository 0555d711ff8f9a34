import Assets
import Base
import Mustache
import People

/// The document around the list: title, scripts, canonical URL and footer.
extension ListPage {
    func setDocument() {
        model.set(document, .documentTitle, documentTitle)
        model.set(document, .description, description)
        model.set(document, .isFramed, flag: request.isFramed)
        if let searchText = request.searchText { model.set(document, .q, searchText) }
        layout.setFoot(document, page.directory, directories)
        model.write(document, .apiHref) {
            Links(base: layout.configuration.basePath, request: request).append(request.start, as: .json, to: $0)
        }
        layout.setCanonical(document) {
            // A page in a frame has the URL of the page without the frame.
            var request = request
            request.embedding = nil
            request.theme = .auto
            Links(base: "", request: request).append(request.start, as: .page, to: $0)
        }
        layout.setFile(frame, .restScriptHref, "rest.js")
        setGeneration()
        model.write(frame, .searchHref) {
            layout.append("/opensearch.xml", of: request.isDefaultDirectory ? nil : request.directory, to: $0)
        }
        // Only the start of the whole list has the introduction, not searches and further pages.
        if request.search == nil, request.start == .first { setIntro() }
    }

    private var description: String {
        let choices = request.filters.map { $0.title(in: page.directory.settings, layout.language) + " · " }.joined()
        let people = layout.language.text(
            .peopleIn, ["people": .text(peopleLabel), "title": .text(page.directory.title)])
        return choices + withPart(people)
    }

    private func setGeneration() {
        // A page in a frame would open a stream for each of its readers, beside that of the page around it.
        guard layout.configuration.isLive, request.embedding == nil else { return }
        model.set(frame, .generation, decimal: page.directory.generation)
    }

    /// The characters of an introduction that fit one line.
    private static let shortIntro = 60

    private func setIntro() {
        guard model.shows(frame, .hasIntro) else { return }
        let paragraphs = Introduction(page.directory.settings.intro).paragraphs
        if paragraphs.isEmpty { return }
        model.set(frame, .hasIntro, flag: true)
        let first = paragraphs[0].map(\.text).joined()
        let isLong = paragraphs.count > 1 || paragraphs[0].count > 1 || first.count > Self.shortIntro
        if isLong { model.set(frame, .introSummary, first) }
        let rows = model.makeList(frame, .intro, of: ParagraphField.self, count: paragraphs.count)
        for (row, parts) in zip(rows, paragraphs) {
            let frames = model.makeList(row, .parts, of: ParagraphPartField.self, count: parts.count)
            for (frame, part) in zip(frames, parts) {
                model.set(frame, .text, part.text)
                if let href = part.href { model.set(frame, .href, href) }
            }
        }
    }

    /// A title that no other page has: `“ann” – 120 people in Our team, by name, 31 to 60`.
    private var documentTitle: String {
        let (language, settings) = (layout.language, page.directory.settings)
        var title = page.directory.title
        if let searchText = request.searchText {
            title = language.text(
                .titleOfSearch, ["query": .text(searchText), "people": .text(peopleLabel), "title": .text(title)])
        }
        for filter in request.filters { title = "\(filter.title(in: settings, language)) · \(title)" }
        let (sort, standard) = (request.sort, request.defaultSort(of: .page))
        if sort.key != standard.key {
            title = language.text(
                .titleBy, ["title": .text(title), "order": .text(sort.key.words(in: settings, language))])
        }
        if sort.direction != (sort.key == standard.key ? standard.direction : .ascending) {
            title = language.text(
                sort.direction == .ascending ? .titleAscending : .titleDescending, ["title": .text(title)])
        }
        return withPart(title)
    }

    /// Adds the part of the list on this page to a title; nothing at the beginning.
    private func withPart(_ title: String) -> String {
        let language = layout.language
        guard page.hasPrevious else { return title }
        guard !page.users.rows.isEmpty else { return language.text(.titlePastEnd, ["title": .text(title)]) }
        guard let first = page.firstPosition else { return language.text(.titleFurther, ["title": .text(title)]) }
        let last = first + page.users.rows.count - 1
        return language.text(
            .titlePart, ["title": .text(title), "first": .number(first), "last": .number(last)])
    }

    var totalLabel: String {
        // Only searches with more matches than are counted have no total.
        page.total.map { layout.language.text($0) } ?? moreThanCounted
    }

    /// The number of people with its noun.
    private var peopleLabel: String {
        page.total.map { layout.language.text(.peopleCount, ["count": .number($0)]) } ?? moreThanCounted
    }

    private var moreThanCounted: String {
        layout.language.text(.moreThan, ["limit": .number(UserQuery.numberedMatches)])
    }
}
