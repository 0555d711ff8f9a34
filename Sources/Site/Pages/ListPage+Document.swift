import Assets
import Bytes
import Directories
import Mustache

/// The document around the list: title, scripts, canonical URL and footer.
extension ListPage {
    func setDocument() {
        model.set(frame, .documentTitle, documentTitle)
        let choices = request.filters.map { $0.title(in: page.directory.plan, layout.language) + " · " }.joined()
        let people = layout.language.text(
            .peopleIn, ["people": .text(peopleLabel), "title": .text(page.directory.title)])
        model.set(frame, .description, choices + withPart(people))
        layout.setLayout(frame, PageField.layout, directory: request.isDefaultDirectory ? nil : request.directory)
        layout.setFile(frame, .listScriptHref, "list.js")
        layout.setFile(frame, .viewsStyleHref, "views.css")
        layout.setFile(frame, .placeScriptHref, "place.js")
        layout.setFile(frame, .findScriptHref, "find.js")
        layout.setFile(frame, .picturesScriptHref, "pictures.js")
        layout.setKeysScript(frame, .keysScriptHref, request.directory, isDefault: request.isDefaultDirectory)
        setLiveScript()
        model.write(frame, .searchHref) { buffer in
            buffer.append(utf8: layout.configuration.basePath)
            buffer.append("/opensearch.xml")
            var query = QueryWriter(buffer)
            if !request.isDefaultDirectory { query.add("directory", request.directory.slug.text) }
        }
        model.set(frame, .directoryTitle, page.directory.title)
        layout.setBrand(frame, .brandHref, page.directory, isDefault: request.isDefaultDirectory)
        layout.setLogo(frame, .logoHref, page.directory, isDefault: request.isDefaultDirectory)
        // Only the start of the whole list has the introduction, not searches and further pages.
        if request.search == nil, request.start == .first { setIntro() }
        layout.setFoot(frame, .directoriesHref, .terms, .links, page.directory, directories)
        model.write(frame, .apiHref) {
            Links(base: layout.configuration.basePath, request: request).append(request.start, as: .json, to: $0)
        }
        layout.setCanonical(frame, .canonicalHref) {
            // A page in a frame has the URL of the page without the frame.
            var request = request
            request.embedding = nil
            request.theme = .auto
            Links(base: "", request: request).append(request.start, as: .page, to: $0)
        }
        if request.isFramed { layout.setFile(frame, .frameScriptHref, "frame.js") }
    }

    private func setLiveScript() {
        // A page in a frame would open a stream for each of its readers, beside that of the page around it.
        guard layout.configuration.isLive, request.embedding == nil else { return }
        model.write(frame, .liveScriptHref) { buffer in
            buffer.append(utf8: layout.configuration.basePath)
            buffer.append("/")
            buffer.append(utf8: layout.site.files.hashedName(of: "live.js"))
            buffer.append("#")
            buffer.append(decimal: Int(page.directory.generation))
        }
    }

    /// The characters of an introduction that fit one line.
    private static let shortIntro = 60

    private func setIntro() {
        let paragraphs = Introduction(page.directory.plan.intro).paragraphs
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
        let (language, plan) = (layout.language, page.directory.plan)
        var title = page.directory.title
        if let searchText = request.searchText {
            title = language.text(
                .titleOfSearch, ["query": .text(searchText), "people": .text(peopleLabel), "title": .text(title)])
        }
        for filter in request.filters { title = "\(filter.title(in: plan, language)) · \(title)" }
        let (sort, standard) = (request.sort, request.defaultSort(of: .page))
        if sort.key != standard.key {
            title = language.text(
                .titleBy, ["title": .text(title), "order": .text(sort.key.words(in: plan, language))])
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
