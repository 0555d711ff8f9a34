import Assets
import Bytes
import Directories
import Mustache
import Pictures

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
    /// - Parameter directory: the directory of the page; `nil` if URLs need not name it.
    func setLayout<F: Field>(_ frame: Frame<F>, _ fields: LayoutFields<F>, directory: Directory? = nil) {
        model.write(frame, fields.home) { appendHome(of: directory, to: $0) }
        setFile(frame, fields.style, "style.css")
        setFile(frame, fields.script, "sentinel.js")
        setFile(frame, fields.favicon, "favicon.svg")
    }

    func appendHome(of directory: Directory?, to buffer: ByteBuffer) {
        buffer.append(utf8: configuration.basePath)
        buffer.append("/")
        var query = QueryWriter(buffer)
        if let directory { query.add("directory", directory.slug.text) }
        query.add(language: linkLanguage)
    }

    /// Sets the bar of a page beside the list.
    /// - Parameters:
    ///   - directory: the directory whose list the form searches.
    ///   - isDefault: whether URLs need not name it.
    func setBar<F: Field>(
        _ frame: Frame<F>, _ fields: BarFields<F>, _ directory: Directory, isDefault: Bool, q: String = ""
    ) {
        setHome(frame, fields.action)
        if !isDefault { model.set(frame, fields.directorySlug, directory.slug.text) }
        if let linkLanguage { model.set(frame, fields.language, linkLanguage.rawValue) }
        model.set(frame, fields.q, q)
        setLogo(frame, fields.logo, directory, isDefault: isDefault)
        setFile(frame, fields.script, "bar.js")
        model.write(frame, fields.keys) { appendKeys(of: directory, isDefault: isDefault, to: $0) }
        setFile(frame, fields.picturesScript, "pictures.js")
        setKeysScript(frame, fields.keysScript, directory, isDefault: isDefault)
    }

    /// Sets the script that explains the keys, and after `#` the address of the page that it shows. The script reads
    /// that from the page, because a browser may reuse the module of another page.
    func setKeysScript<F: Field>(_ frame: Frame<F>, _ field: F, _ directory: Directory, isDefault: Bool) {
        model.write(frame, field) { buffer in
            appendFile("keys.js", to: buffer)
            buffer.append("#")
            appendKeys(of: directory, isDefault: isDefault, to: buffer)
        }
    }

    func appendKeys(of directory: Directory, isDefault: Bool, to buffer: ByteBuffer) {
        buffer.append(utf8: configuration.basePath)
        buffer.append("/keys")
        var query = QueryWriter(buffer)
        if !isDefault { query.add("directory", directory.slug.text) }
        query.add(language: linkLanguage)
    }

    func setLogo<F: Field>(_ frame: Frame<F>, _ field: F, _ directory: Directory, isDefault: Bool) {
        guard directory.plan.hasLogo else { return }
        model.write(frame, field) { buffer in
            buffer.append(utf8: configuration.basePath)
            buffer.append("/logo")
            var query = QueryWriter(buffer)
            if !isDefault { query.add("directory", directory.slug.text) }
        }
    }

    func setHome<F: Field>(_ frame: Frame<F>, _ field: F) {
        model.write(frame, field) { appendHome(of: nil, to: $0) }
    }

    func setFile<F: Field>(_ frame: Frame<F>, _ field: F, _ name: String) {
        model.write(frame, field) { appendFile(name, to: $0) }
    }

    private func appendFile(_ name: String, to buffer: ByteBuffer) {
        buffer.append(utf8: configuration.basePath)
        buffer.append("/")
        buffer.append(utf8: site.files.hashedName(of: name))
    }

    /// Sets the absolute URL of the page, if the site has a public URL. `path` appends the part below it.
    func setCanonical<F: Field>(_ frame: Frame<F>, _ field: F, _ path: (ByteBuffer) -> Void) {
        guard let publicURL = configuration.publicURL else { return }
        model.write(frame, field) { buffer in
            buffer.append(utf8: publicURL)
            path(buffer)
        }
    }

    /// Returns the addresses of the pictures of a directory's people.
    /// - Parameter base: the part before paths on this server; `nil` for the base path.
    func pictures(of directory: Directory, base: String? = nil) -> PictureLinks {
        PictureLinks(directory, configuration, base: base ?? configuration.basePath)
    }

    /// Sets a user, with a picture of the given size.
    func setUser<F: Field>(
        _ frame: Frame<F>, _ user: UserView, _ fields: UserFields<F>, reputationLabel: String, _ pictures: PictureLinks,
        _ size: PictureSize
    ) {
        model.set(frame, fields.id, decimal: user.id)
        model.set(frame, fields.login, bytes: user.login)
        model.set(frame, fields.displayName, bytes: user.displayName)
        model.set(frame, fields.hasName, flag: user.showsLogin)
        model.write(frame, fields.avatar) { pictures.append(size, of: user, to: $0) }
        model.write(frame, fields.initials) { $0.append(initialsOf: user.displayName, of: user.kind) }
        model.set(frame, fields.hue, decimal: user.hue)
        model.set(frame, fields.type, bytes: user.type)
        if let reputation = user.reputation {
            model.write(frame, fields.reputation) { language.numbers.append(reputation, to: $0) }
            model.set(frame, fields.reputationLabel, reputationLabel)
        }
    }

    /// Sets another person with a face.
    func setFace(
        _ frame: Frame<FaceField>, _ user: UserView, _ pictures: PictureLinks, _ href: (ByteBuffer) -> Void
    ) {
        model.write(frame, .href, href)
        model.set(frame, .name, bytes: user.displayName)
        model.write(frame, .avatar) { pictures.append(.small, of: user, to: $0) }
        model.write(frame, .initials) { $0.append(initialsOf: user.displayName, of: user.kind) }
        model.set(frame, .hue, decimal: user.hue)
        model.set(frame, .shape, user.shape)
    }

    /// Sets a list of people of `directory` with faces.
    func setFaces<F: Field>(
        _ frame: Frame<F>, _ field: F, _ users: UserRows, of directory: Directory,
        _ href: (UserView, ByteBuffer) -> Void
    ) {
        let pictures = pictures(of: directory)
        let frames = model.makeList(frame, field, of: FaceField.self, count: users.rows.count)
        users.text.withUnsafeBytes { text in
            for (frame, row) in zip(frames, users.rows) {
                let user = UserView(row, text)
                setFace(frame, user, pictures) { href(user, $0) }
            }
        }
    }

    /// The people on either side of the one who is missing.
    static let facesAroundNobody = 4

    /// Sets two people before and two after the one who is missing; nothing if there are fewer.
    func setFacesAroundNobody<F: Field>(
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
    @discardableResult func setFacts<F: Field>(
        _ frame: Frame<F>, _ field: F, _ lines: [FieldLine]
    ) -> Frames<FactField> {
        let rows = model.makeList(frame, field, of: FactField.self, count: lines.count)
        for (number, (row, line)) in zip(rows, lines).enumerated() {
            model.set(row, .key, line.key)
            model.set(row, .text, line.text)
            model.set(row, .isFirst, flag: number == 0)
        }
        return rows
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
            model.set(option, .isItsLabel, flag: value == label && value.isOneLine)
        }
    }
}

// MARK: - Footer

extension Layout {
    /// Sets the footer of a page about `directory`.
    func setFoot<F: Field>(
        _ frame: Frame<F>, _ directoriesHref: F, _ terms: F, _ links: F, _ directory: Directory,
        _ directories: DirectoryList
    ) {
        setLinks(frame, links, directory)
        if directories.all.count > 1 {
            model.write(frame, directoriesHref) { buffer in
                buffer.append(utf8: configuration.basePath)
                buffer.append("/directories")
                var query = QueryWriter(buffer)
                query.add(language: linkLanguage)
            }
        }
        setTerms(frame, terms, directory.terms)
    }

    /// Sets the directory's own links, such as an imprint.
    private func setLinks<F: Field>(_ frame: Frame<F>, _ field: F, _ directory: Directory) {
        let links = directory.plan.links
        if links.isEmpty { return }
        let rows = model.makeList(frame, field, of: OfferField.self, count: links.count)
        for (row, link) in zip(rows, links) {
            model.set(row, .label, link.label)
            model.set(row, .href, link.url)
        }
    }

    /// Sets the style sheet of a directory that has colours, corners or a font of its own.
    func setBrand<F: Field>(_ frame: Frame<F>, _ field: F, _ directory: Directory, isDefault: Bool) {
        guard directory.plan.brand != nil else { return }
        model.write(frame, field) { buffer in
            buffer.append(utf8: configuration.basePath)
            buffer.append("/brand.css")
            var query = QueryWriter(buffer)
            if !isDefault { query.add("directory", directory.slug.text) }
        }
    }

    /// Sets the links to embed and to export a directory.
    /// - Parameter isCard: whether the links are those of one directory among all, which has the format for programs.
    func setOffers<F: Field>(
        _ frame: Frame<F>, _ field: F, _ directory: Directory, _ directories: DirectoryList, isCard: Bool = false
    ) {
        let offers = configuration.offers.filter { isCard || $0.label != .downloadNDJSON }
        let rows = model.makeList(frame, field, of: OfferField.self, count: offers.count)
        for (row, offer) in zip(rows, offers) {
            model.set(row, .label, language.text(offer.label))
            model.write(row, .href) { buffer in
                buffer.append(utf8: configuration.basePath)
                buffer.append(offer.path)
                var query = QueryWriter(buffer)
                if directory.id != directories.shown.id { query.add("directory", directory.slug.text) }
                // Exports have no language.
                if offer.label == .embedThisList { query.add(language: linkLanguage) }
            }
        }
    }

    /// Sets licence and attribution.
    func setTerms<F: Field>(_ frame: Frame<F>, _ field: F, _ terms: Terms) {
        // A URL without a text is its own text.
        let all = [
            (language.text(.termsFrom), terms.attribution, terms.attributionURL),
            (language.text(.termsLicence), terms.licence, terms.licenceURL),
        ].filter { !$0.1.isEmpty || !$0.2.isEmpty }
        if all.isEmpty { return }
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
        let exports: [Offer] = [("/export.csv", .downloadCSV), ("/export.ndjson", .downloadNDJSON)]
        return (isEmbeddable ? embedding : []) + (hasExports ? exports : [])
    }
}

extension String {
    /// Whether HTML reads the text as it is, although it strips and collapses white space.
    fileprivate var isOneLine: Bool {
        !isEmpty && !contains("  ") && first != " " && last != " " && utf8.allSatisfy { $0 >= 0x20 }
    }
}
