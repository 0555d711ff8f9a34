import Base
import People
import Template

/// The fields of every page: those of `_head.mustache`, `_bar.mustache` and `_foot.mustache`. The templates of pages
/// use them beside their own.
enum DocumentField: Int, TemplateField {
    case documentTitle, description
    /// The absolute URL of this page; empty without `--public-url`.
    case canonicalHref
    /// The list.
    case homeHref
    case styleHref, faviconHref
    /// The style sheet of paper, of cards and photos, and of what scripts show.
    case viewsStyleHref
    /// The script that every page begins with, and the one that handles the form and the keys. The first loads the
    /// other when the reader touches the form or presses a key.
    case scriptHref, findScriptHref
    /// The script that loads the page again when the file that it shows has changed, with what the page has seen;
    /// empty but for `rollcall FILE`.
    case reloadScriptHref
    /// The style sheet of all pages except the list.
    case pagesStyleHref
    /// The publisher's own style sheet and script, `custom.css` and `custom.js`; empty without them.
    case customStyleHref, customScriptHref
    /// The directory that the page is about; empty for the page of all directories.
    case pageDirectory
    /// The directory's title.
    case directoryTitle
    /// The directory's logo; empty without one. And its style sheet, if it has colours, corners or a font of its own.
    case logoHref, brandHref
    /// Whether the page is in a frame of another page (`embed`): without header, form and footer.
    case isFramed
    /// The form that searches the list: its URL, its directory (empty for the default one), the value of `lang` in the
    /// request (empty without it), and the text in the search field.
    case action, directorySlug, linkLanguage, q
    /// The page that explains the keys.
    case keysHref
    /// The same users (or user) as JSON; empty on errors.
    case apiHref
    /// The page of all directories; empty if there is only one.
    case directoriesHref
    /// Licence and attribution of the directory, and its own links, such as an imprint: lists.
    case terms, links
    /// Links to embed and to export the directory: a list. Empty in the list of people, whose menu has them, and on
    /// errors.
    case offers

    static let kinds = FieldKinds<Self>(
        flags: [.isFramed],
        urls: [
            .canonicalHref, .homeHref, .styleHref, .faviconHref, .viewsStyleHref, .scriptHref, .findScriptHref,
            .reloadScriptHref, .pagesStyleHref, .customStyleHref, .customScriptHref, .logoHref, .brandHref, .action,
            .keysHref, .apiHref, .directoriesHref,
        ],
        lists: [.terms: TermField.self, .links: LinkField.self, .offers: LinkField.self])
}

/// The parts around the content of a page.
extension Layout {
    /// Creates the document of a page about `directory`, with everything that follows from the directory. The page adds
    /// its title and what else it has.
    func makeDocument(for template: Template, about linked: LinkedDirectory) -> Frame<DocumentField> {
        let directory = linked.directory
        let document = model.makeFrame(DocumentField.self, for: template)
        model.write(document, .homeHref) { appendHome(of: linked, to: $0) }
        setFile(document, .styleHref, "style.css")
        setFile(document, .pagesStyleHref, "pages.css")
        setFile(document, .viewsStyleHref, "views.css")
        setCustomFile(document, .customStyleHref, StaticFiles.customStyle)
        setCustomFile(document, .customScriptHref, StaticFiles.customScript)
        setFile(document, .scriptHref, "start.js")
        setFile(document, .findScriptHref, "find.js")
        setFile(document, .faviconHref, "favicon.svg")
        if configuration.updates == .reloads {
            model.write(document, .reloadScriptHref) { buffer in
                appendFile("reload.js", to: buffer)
                buffer.append("#directory=")
                buffer.append(utf8: directory.slug.text)
                buffer.append("&seen=")
                buffer.append(decimal: directory.generation)
            }
        }
        if directory.id != DirectoryList.none.id { model.set(document, .pageDirectory, directory.slug.text) }
        model.set(document, .directoryTitle, directory.title)
        if directory.settings.looks.hasLogo {
            model.write(document, .logoHref) { append("/logo", of: linked, to: $0) }
        }
        if directory.settings.looks.hasBrand {
            model.write(document, .brandHref) { append("/brand.css", of: linked, to: $0) }
        }
        model.write(document, .action) { appendHome(of: nil, to: $0) }
        model.set(document, .directorySlug, ifAny: linked.parameter)
        model.set(document, .linkLanguage, ifAny: linkLanguage?.rawValue)
        model.write(document, .keysHref) { appendKeys(of: linked, to: $0) }
        return document
    }

    /// Sets the address of a file that only some publishers have.
    private func setCustomFile(_ document: Frame<DocumentField>, _ field: DocumentField, _ name: String) {
        if model.shows(document, field), site.files.hasFile(name) { setFile(document, field, name) }
    }

    /// Sets the absolute URL of the page, if the site has a public URL. `path` appends the part below it.
    func setCanonical(_ document: Frame<DocumentField>, _ path: (ByteBuffer) -> Void) {
        guard let publicURL = configuration.publicURL else { return }
        model.write(document, .canonicalHref) { buffer in
            buffer.append(utf8: publicURL)
            path(buffer)
        }
    }

    /// - Parameter hasOffers: whether the directory's offers are there, and not in a menu of the page's own.
    func setFoot(
        _ document: Frame<DocumentField>, _ directory: Directory, _ directories: DirectoryList, hasOffers: Bool = true
    ) {
        setDirectoriesLink(document, directories)
        model.setList(document, .links, of: LinkField.self, directory.settings.looks.contactLinks) { row, link in
            model.set(row, .label, link.label)
            model.set(row, .href, link.url)
        }
        setTerms(document, .terms, directory.terms)
        if hasOffers { setOffers(document, .offers, directory, directories) }
    }

    /// Sets the link to all directories, if there are several.
    func setDirectoriesLink(_ document: Frame<DocumentField>, _ directories: DirectoryList) {
        if directories.all.count > 1 { model.write(document, .directoriesHref, appendDirectories) }
    }

    // MARK: Addresses

    func appendHome(of linked: LinkedDirectory?, to buffer: ByteBuffer) {
        append("/", of: linked, linkLanguage, to: buffer)
    }

    func appendDirectories(to buffer: ByteBuffer) { append("/directories", of: nil, linkLanguage, to: buffer) }

    func appendKeys(of linked: LinkedDirectory, to buffer: ByteBuffer) {
        append("/keys", of: linked, linkLanguage, to: buffer)
    }

    /// Appends a path with a directory, if it has one, and with a language that the request names. Returns its query,
    /// which may get more.
    @discardableResult func append(
        _ path: StaticString, of linked: LinkedDirectory?, _ language: LanguageCode? = nil, to buffer: ByteBuffer
    ) -> QueryWriter {
        buffer.append(utf8: configuration.basePath)
        var query = buffer.append(path, of: linked)
        query.add(language: language)
        return query
    }

    /// Appends the address of a file of `Public/`.
    func appendFile(_ name: String, to buffer: ByteBuffer) {
        buffer.append(utf8: configuration.basePath)
        buffer.append("/")
        buffer.append(utf8: site.files.hashedName(of: name))
    }
}

/// The document around the list: title, scripts, canonical URL and footer.
extension ListPage {
    func setDocument() {
        model.set(document, .documentTitle, documentTitle)
        model.set(document, .description, description)
        model.set(document, .isFramed, flag: request.isFramed)
        model.set(document, .q, ifAny: request.searchText)
        layout.setFoot(document, page.directory, directories, hasOffers: false)
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
        // A page in a frame would open a stream for each of its readers, beside that of the page around it.
        if layout.configuration.updates == .newPeople, request.embedding == nil {
            model.set(frame, .generation, decimal: page.directory.generation)
        }
        model.write(frame, .searchHref) {
            layout.append("/opensearch.xml", of: request.linked, to: $0)
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

    /// The characters of an introduction that fit one line.
    private static let shortIntro = 60

    private func setIntro() {
        guard model.shows(frame, .hasIntro) else { return }
        let paragraphs = LinkedText.paragraphs(page.directory.settings.looks.intro)
        if paragraphs.isEmpty { return }
        model.set(frame, .hasIntro, flag: true)
        let first = paragraphs[0].map(\.text).joined()
        let isLong = paragraphs.count > 1 || paragraphs[0].count > 1 || first.count > Self.shortIntro
        if isLong { model.set(frame, .introSummary, first) }
        layout.set(frame, .intro, paragraphs)
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
        let (key, direction) = request.sort.difference(from: request.defaultSort(of: .page))
        if let key {
            title = language.text(.titleBy, ["title": .text(title), "order": .text(key.words(in: settings, language))])
        }
        if let direction {
            title = language.text(direction == .ascending ? .titleAscending : .titleDescending, ["title": .text(title)])
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
        return language.text(.titlePart, ["title": .text(title), "first": .number(first), "last": .number(last)])
    }

    /// The number of people with its noun.
    private var peopleLabel: String {
        let language = layout.language
        return page.total.map { language.text(.peopleCount, ["count": .number($0)]) } ?? language.text(matches: nil)
    }
}
