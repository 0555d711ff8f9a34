import Assets
import Base
import Mustache
import People

/// The parts that several pages have. Fills the fields of a model.
struct Layout {
    let model: Model
    let site: Site
    /// A buffer for one line or link at a time.
    let line: ByteBuffer
    /// The language of the page.
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

    /// Sets a user, with a picture of the given size.
    func setUser<F: UserField>(
        _ frame: Frame<F>, _ user: Profile, reputationLabel: String, _ pictures: PictureLinks,
        _ size: PictureSize
    ) {
        model.set(frame, .id, decimal: user.id)
        model.set(frame, .login, user.login)
        model.set(frame, .displayName, user.displayName)
        model.set(frame, .hasName, flag: user.showsLogin)
        model.write(frame, .avatar) { pictures.append(size, of: user, to: $0) }
        model.write(frame, .initials) { $0.append(initialsOf: user.displayName, of: user.kind) }
        model.set(frame, .hue, decimal: user.hue)
        model.set(frame, .type, user.type)
        if let reputation = user.reputation {
            model.write(frame, .reputation) { language.numbers.append(reputation, to: $0) }
            model.set(frame, .reputationLabel, reputationLabel)
        }
    }

    /// Sets another person with a face.
    func setFace(
        _ frame: Frame<FaceField>, _ user: Profile, _ pictures: PictureLinks, _ href: (ByteBuffer) -> Void
    ) {
        model.write(frame, .href, href)
        model.set(frame, .name, user.displayName)
        model.write(frame, .avatar) { pictures.append(.small, of: user, to: $0) }
        model.write(frame, .initials) { $0.append(initialsOf: user.displayName, of: user.kind) }
        model.set(frame, .hue, decimal: user.hue)
        model.set(frame, .shape, user.shape)
    }

    /// Sets a list of people of `directory` with faces.
    func setFaces<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ users: UserRows, of directory: Directory,
        _ href: (Profile, ByteBuffer) -> Void
    ) {
        let pictures = pictures(of: directory)
        let frames = model.makeList(frame, field, of: FaceField.self, count: users.rows.count)
        if frames.isEmpty { return }
        directory.settings.makeReader().forEachProfile(of: users) { index, person in
            setFace(frames[index], person, pictures) { href(person, $0) }
        }
    }

    /// The people on either side of the one who is missing.
    static let facesAroundNobody = 4

    /// Sets two people before and two after the one who is missing; nothing if there are fewer.
    func setFacesAroundNobody<F: TemplateField>(
        _ frame: Frame<F>, _ hasFaces: F, _ before: F, _ after: F, _ users: UserRows, of directory: Directory
    ) {
        guard users.rows.count == Self.facesAroundNobody else { return }
        var half = users
        model.set(frame, hasFaces, flag: true)
        half.rows = Array(users.rows.prefix(2))
        setFaces(frame, before, half, of: directory) { _, _ in }
        half.rows = Array(users.rows.dropFirst(2))
        setFaces(frame, after, half, of: directory) { _, _ in }
    }

    /// Sets the fields of a row, each in one line.
    @discardableResult func setFacts<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ lines: FieldLines
    ) -> Frames<FactField> {
        let rows = model.makeList(frame, field, of: FactField.self, count: lines.all.count)
        for (number, (row, line)) in zip(rows, lines.all).enumerated() {
            model.set(row, .key, line.key)
            lines.withText(of: line) { model.set(row, .text, $0) }
            model.set(row, .isFirst, flag: number == 0)
        }
        return rows
    }

    /// Sets parameters of a form without a control.
    func setHidden<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ parameters: [(name: String, value: String)]) {
        let rows = model.makeList(frame, field, of: HiddenField.self, count: parameters.count)
        for (row, parameter) in zip(rows, parameters) {
            model.set(row, .name, parameter.name)
            model.set(row, .value, parameter.value)
        }
    }

    func setDirectories<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ directories: DirectoryList, chosen: Directory
    ) {
        setOptions(frame, field, Array(zip(directories.all, directories.labels))) { directory, label in
            (directory.slug.text, label, directory.id == chosen.id)
        }
    }

    func setOptions<F: TemplateField, Choice>(
        _ frame: Frame<F>, _ field: F, _ choices: [Choice],
        _ describe: (Choice) -> (value: String, label: String, isSelected: Bool)
    ) {
        let options = model.makeList(frame, field, of: OptionField.self, count: choices.count)
        for (option, choice) in zip(options, choices) {
            let (value, label, isSelected) = describe(choice)
            model.set(option, .value, value)
            model.set(option, .label, label)
            model.set(option, .isSelected, flag: isSelected)
            model.set(option, .isItsLabel, flag: value == label && value.isOneLine)
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
        guard model.shows(frame, field) else { return }
        let hasWorkbook = directory.total <= configuration.maxExcel
        let offers = configuration.offers.filter { offer in
            (isCard || offer.label != .downloadNDJSON) && (hasWorkbook || offer.label != .downloadExcel)
        }
        let rows = model.makeList(frame, field, of: LinkField.self, count: offers.count)
        for (row, offer) in zip(rows, offers) {
            model.set(row, .label, language.text(offer.label))
            model.write(row, .href) { buffer in
                // Exports have no language.
                let language = offer.label == .embedThisList ? linkLanguage : nil
                append(
                    offer.path, of: directory.id == directories.shown.id ? nil : directory, language,
                    isForSpreadsheets: offer.label == .downloadCSV, to: buffer)
            }
        }
    }

    /// Sets licence and attribution.
    func setTerms<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ terms: Terms) {
        guard model.shows(frame, field), terms != Terms() else { return }
        // A URL without a text is its own text.
        let all = [
            (language.text(.termsFrom), terms.attribution, terms.attributionURL),
            (language.text(.termsLicence), terms.licence, terms.licenceURL),
        ].filter { !$0.1.isEmpty || !$0.2.isEmpty }
        let rows = model.makeList(frame, field, of: TermField.self, count: all.count)
        for (row, (label, text, url)) in zip(rows, all) {
            model.set(row, .label, label)
            model.set(row, .text, text.isEmpty ? url : text)
            if url.isWebURL { model.set(row, .href, url) }
        }
    }
}

extension Site.Configuration {
    typealias Offer = (path: StaticString, label: MessageKey)

    /// Whether a page has links to embed or to export its directory.
    var hasOffers: Bool { !offers.isEmpty }

    fileprivate var offers: [Offer] {
        let embedding: [Offer] = [("/embed", .embedThisList)]
        let exports: [Offer] = [
            ("/export.xlsx", .downloadExcel), ("/export.csv", .downloadCSV),
            ("/export.ndjson", .downloadNDJSON),
        ]
        return (isEmbeddable ? embedding : []) + (hasExports ? exports : [])
    }
}

extension String {
    /// Whether HTML reads the text as it is, although it strips and collapses white space.
    fileprivate var isOneLine: Bool {
        !isEmpty && !contains("  ") && first != " " && last != " " && utf8.allSatisfy { $0 >= 0x20 }
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
    static var type: Self { get }
    static var reputation: Self { get }
    static var reputationLabel: Self { get }
}

extension ArticleField: UserField {}
extension UserPageField: UserField {}
