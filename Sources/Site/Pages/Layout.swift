import Base
import People
import Template

/// The parts that several pages have. Fills the fields of a model.
struct Layout {
    let model: Model
    let site: Site
    let language: Language
    /// The value of `lang` in links; `nil` if the request had none.
    let linkLanguage: LanguageCode?

    var templates: Templates { language.templates }
    var configuration: Site.Configuration { site.configuration }
}

extension Layout {
    func setFile<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ name: String) {
        model.write(frame, field) { appendFile(name, to: $0) }
    }

    /// Returns the addresses of the pictures of a directory's people.
    /// - Parameter base: the part before paths on this server; `nil` for the base path.
    func pictures(of directory: Directory, base: String? = nil) -> PictureLinks {
        PictureLinks(directory, configuration, base: base ?? configuration.basePath)
    }

    func setUser<F: UserField>(
        _ frame: Frame<F>, _ person: Profile, reputationLabel: String, _ pictures: PictureLinks,
        _ size: PictureSize
    ) {
        model.set(frame, .id, decimal: person.id)
        model.set(frame, .login, person.login)
        model.set(frame, .displayName, person.displayName)
        model.set(frame, .hasName, flag: person.showsLogin)
        model.write(frame, .avatar) { pictures.append(size, of: person, to: $0) }
        model.write(frame, .initials) { $0.append(initialsOf: person.displayName, of: person.kind) }
        model.set(frame, .hue, decimal: person.hue)
        model.write(frame, .shape) { $0.append(person.kind.names.shape) }
        model.set(frame, .type, person.type)
        if let reputation = person.reputation {
            model.write(frame, .reputation) { language.numbers.append(reputation, to: $0) }
            model.set(frame, .reputationLabel, reputationLabel)
        }
    }

    /// Sets the fields of a row, each in one line, with marks where a search finds its words.
    func setFacts<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ lines: FieldLines, _ marker: MatchedText? = nil) {
        let rows = model.makeList(frame, field, of: FactField.self, count: lines.all.count)
        for (number, (row, line)) in zip(rows, lines.all).enumerated() {
            model.set(row, .key, line.key)
            lines.withText(of: line) { text in
                model.set(row, .text, text)
                if let marker { model.set(row, .marked, text, marker) }
            }
            model.set(row, .isFirst, flag: number == 0)
        }
    }

    /// Sets parameters of a form without a control.
    func setHidden<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ parameters: @autoclosure () -> [(name: String, value: String)]
    ) {
        model.setList(frame, field, of: HiddenField.self, parameters()) { row, parameter in
            model.set(row, .name, parameter.name)
            model.set(row, .value, parameter.value)
        }
    }

    func setOptions<F: TemplateField, Choice>(
        _ frame: Frame<F>, _ field: F, _ choices: @autoclosure () -> [Choice],
        _ describe: (Choice) -> (value: String, label: String, isSelected: Bool)
    ) {
        model.setList(frame, field, of: OptionField.self, choices()) { option, choice in
            let (value, label, isSelected) = describe(choice)
            model.set(option, .value, value)
            model.set(option, .label, label)
            model.set(option, .isSelected, flag: isSelected)
        }
    }
}

// MARK: - Links of a directory

extension Layout {
    /// Sets the links to embed and to export a directory.
    /// - Parameter isCard: whether the links are those of one directory among all, which has the format for programs.
    func setOffers<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ directory: Directory, _ directories: DirectoryList, isCard: Bool = false
    ) {
        let list = PageRequest(of: directories.linked(directory))
        model.setList(frame, field, of: LinkField.self, offers(of: directory, isCard: isCard)) { row, offer in
            model.set(row, .label, language.text(offer.label))
            model.write(row, .href) { append(offer, of: list, to: $0) }
        }
    }

    typealias Offer = (path: StaticString, label: MessageKey)

    /// Returns the links that a directory offers: to embed it, and its exports, with a workbook unless it has too many
    /// people.
    func offers(of directory: Directory, isCard: Bool = false) -> [Offer] {
        let hasExports = configuration.allowsExports
        let all: [(isThere: Bool, offer: Offer)] = [
            (configuration.isEmbeddable, ("/embed", .embedThisList)),
            (hasExports && directory.total <= configuration.maxExcel, ("/export.xlsx", .downloadExcel)),
            (hasExports, ("/export.csv", .downloadCSV)),
            (hasExports && isCard, ("/export.ndjson", .downloadNDJSON)),
        ]
        return all.filter(\.isThere).map(\.offer)
    }

    /// Appends the address of an offer. An export has the people of `list`, in their order.
    func append(_ offer: Offer, of list: PageRequest, to buffer: ByteBuffer) {
        if offer.label == .embedThisList {
            append(offer.path, of: list.linked, linkLanguage, to: buffer)
            return
        }
        buffer.append(utf8: configuration.basePath)
        buffer.append(offer.path)
        var query = QueryWriter(buffer)
        Links(base: "", request: list).addList(to: &query, unless: list.defaultSort(of: .page))
        if offer.label == .downloadCSV { query.add("spreadsheet", 1) }
    }

    func setTerms<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ terms: Terms) {
        model.setList(frame, field, of: TermField.self, terms.given) { row, term in
            model.set(row, .label, language.text(term.label))
            // A URL without a text is its own text.
            model.set(row, .text, term.text.isEmpty ? term.url : term.text)
            if term.url.isWebURL { model.set(row, .href, term.url) }
        }
    }
}

extension Terms {
    fileprivate var given: [(label: MessageKey, text: String, url: String)] {
        [(.termsFrom, attribution, attributionURL), (.termsLicence, licence, licenceURL)].filter { _, text, url in
            !text.isEmpty || !url.isEmpty
        }
    }
}

/// The fields of a user, in a list or on a page of their own.
protocol UserField: TemplateField {
    static var id: Self { get }
    static var login: Self { get }
    static var displayName: Self { get }
    static var hasName: Self { get }
    static var avatar: Self { get }
    static var initials: Self { get }
    static var hue: Self { get }
    static var shape: Self { get }
    static var type: Self { get }
    static var reputation: Self { get }
    static var reputationLabel: Self { get }
}

extension ArticleField: UserField {}
extension UserPageField: UserField {}
