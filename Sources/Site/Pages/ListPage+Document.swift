import Bytes
import Directories
import Mustache

/// The document around the list: title, scripts, canonical URL and footer.
extension ListPage {
    func setDocument() {
        model.set(frame, .documentTitle, documentTitle)
        let choices = request.filters.map { $0.title(in: page.directory.plan) + " · " }.joined()
        model.set(
            frame, .description,
            choices + "\(totalLabel) \(noun) in \(page.directory.title)" + part)
        layout.setLayout(frame, PageField.layout, directory: request.isDefaultDirectory ? nil : request.directory)
        layout.setFile(frame, .listScriptHref, "list.js")
        layout.setFile(frame, .viewsStyleHref, "views.css")
        layout.setFile(frame, .placeScriptHref, "place.js")
        layout.setFile(frame, .findScriptHref, "find.js")
        layout.setKeysScript(frame, .keysScriptHref, request.directory, isDefault: request.isDefaultDirectory)
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
        var title = page.directory.title
        if let searchText = request.searchText {
            title = "“\(searchText)” – \(totalLabel) \(page.total == 1 ? "person" : "people") in \(title)"
        }
        for filter in request.filters { title = "\(filter.title(in: page.directory.plan)) · \(title)" }
        let (sort, standard) = (request.sort, request.defaultSort(of: .page))
        if sort.key != standard.key { title += ", by \(sort.key.words(in: page.directory.plan))" }
        if sort.direction != (sort.key == standard.key ? standard.direction : .ascending) {
            title += sort.direction == .ascending ? ", ascending" : ", descending"
        }
        return title + part
    }

    /// The part of the list on this page; empty at the beginning.
    private var part: String {
        guard page.hasPrevious else { return "" }
        guard !page.users.rows.isEmpty else { return ", past the end" }
        guard let first = page.firstPosition else { return ", further on" }
        let last = first + page.users.rows.count - 1
        return ", \(first.grouped) to \(last.grouped)"
    }

    var totalLabel: String {
        // Only searches with more matches than are counted have no total.
        page.total.map(\.grouped) ?? "More than 10,000"
    }

    var noun: String {
        let isOne = page.total == 1
        guard let searchText = request.searchText else { return isOne ? "person" : "people" }
        return (isOne ? "match for “" : "matches for “") + searchText + "”"
    }
}
