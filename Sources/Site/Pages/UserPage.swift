import Base
import People
import Server
import Template

extension UserRequest {
    func read(_ task: RenderTask, from reader: SiteReader) throws -> PersonPage {
        let language = reader.site.languages[language?.code ?? .en]
        return try reader.reading(reader.counters.userReads) { store in
            if let found = try PersonPage(self, task.directories, language, from: store) { return found }
            guard let former = login,
                let login = try store.currentLogin(ofFormer: former, directory: directory.id)
            else { throw try missing(store) }
            throw HTTPError.moved(to: url(below: reader.site.configuration.basePath, login: login))
        }
    }

    func write(_ found: PersonPage, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let (layout, body) = (renderer.layout(language), renderer.body)
        let addresses = task.addresses(in: found.directory, layout.configuration)
        found.directory.settings.makeReader().withProfile(of: found.page.users) { person in
            switch format {
            case .json:
                UserJSON(
                    addresses: addresses, address: renderer.line, fields: found.directory.settings.listedFields
                ).append(person, isWhole: true, to: body)
            case .fragment:
                UserPage(person, found, self, addresses, layout, task, layout.templates.person)
                    .renderFragment(into: body)
            case .page:
                UserPage(person, found, self, addresses, layout, task, layout.templates.user).render(into: body)
                if person.row.isNoIndex, !layout.configuration.isNoIndex { fields.append("X-Robots-Tag", "noindex") }
            case .person:
                PeopleJSON(addresses, layout.language, line: renderer.line).append(person, found.details, to: body)
            case .vCard:
                VCard(person, found.details, into: body).append(addresses)
                fields.append("Content-Disposition", "attachment; \(VCard.fileName(of: person))")
            }
        }
    }

    /// Returns the error for a person who does not exist. A page names the nearest person.
    private func missing(_ reader: any UserReader) throws -> HTTPError {
        var error = HTTPError.notFound
        if format == .page, let login {
            error.person = try MissingPerson(login, in: linked, from: reader)
        }
        return error
    }

    /// Returns the URL of the same request for the user with another login.
    private func url(below basePath: String, login: String) -> String {
        basePath + String(writing: { appendURL(to: $0, login: login, language?.parameter) })
    }
}

/// The page of one user: fills the fields of `user.mustache`, or of `person.mustache`.
struct UserPage: ~Copyable, ~Escapable {
    let person: Profile
    let found: PersonPage
    let request: UserRequest
    let directories: DirectoryList
    /// Reads the people around, one at a time.
    let around: FieldReader
    /// The addresses for programs that read the page elsewhere.
    let addresses: PersonAddresses
    /// The part before the paths of links.
    let base: String
    let layout: Layout
    let template: Template
    let document: Frame<DocumentField>
    let frame: Frame<UserPageField>

    var model: Model { layout.model }

    @_lifetime(copy person)
    init(
        _ person: Profile, _ found: PersonPage, _ request: UserRequest, _ addresses: PersonAddresses,
        _ layout: Layout, _ task: RenderTask, _ template: Template
    ) {
        self.person = person
        self.found = found
        self.request = request
        directories = task.directories
        around = found.directory.settings.makeReader()
        self.addresses = addresses
        self.layout = layout
        self.template = template
        base = request.format == .fragment ? addresses.base : layout.configuration.basePath
        document = layout.makeDocument(for: template, about: addresses.linked)
        layout.setFile(document, .scriptHref, "person.js")
        frame = layout.model.makeFrame(UserPageField.self, for: template)
    }

    func render(into body: ByteBuffer) {
        let directory = found.directory
        let pictures = layout.pictures(of: directory)
        setDocument()
        setPerson(pictures)
        model.set(frame, .ground, pictures.hue(of: person).map { "hue-\($0)" } ?? "grey")
        let lines = FieldLines()
        lines.append(directory.settings.rows, of: person, layout.language)
        setContact(below: lines)
        let hasBadges = layout.setBadges(frame, .marks, person, of: directory)
        model.set(frame, .hasAbout, flag: hasBadges || person.showsLogin)
        model.set(frame, .hasRowFacts, flag: !lines.isEmpty)
        setBack()
        setLinkedData()
        layout.setFoot(document, directory, directories)
        setNeighbours()
        setNamesakes()
        setTeam()
        setElsewhere()
        template.render(frame, within: document, of: model, into: body)
    }

    /// Sets name, picture and figure, the fields that the template names, and links to people with the same values.
    func setPerson(_ pictures: PictureLinks) {
        let label = found.directory.settings.reputationLabel(layout.language)
        layout.setUser(frame, person, reputationLabel: label, pictures, .medium)
        model.write(frame, .largeAvatar) { pictures.append(stored: .large, of: person, to: $0) }
        model.set(frame, .showsID, flag: person.showsID)
        NamedFields(template, of: found.directory, layout)?.set(frame, .field, of: person)
        setChips()
    }

    private func setDocument() {
        let title = found.directory.title
        model.write(document, .documentTitle) { buffer in
            buffer.append(person.displayName)
            buffer.append(" · ")
            buffer.append(utf8: title)
        }
        let name = String(person.displayName)
        let login = person.showsLogin ? " (\(String(person.login)))" : ""
        model.set(
            document, .description,
            layout.language.text(.personIn, ["name": .text(name + login), "title": .text(title)]))
        model.write(document, .apiHref) { appendPath(below: base + "/api/v3", to: $0) }
        layout.setCanonical(document) { appendPath(to: $0) }
        model.write(frame, .shareImage) { addresses.append(photoOf: person, to: $0) }
    }

    /// Appends the path of this page, with the id if others have the same login and the request named the id.
    private func appendPath(below base: String = "", to buffer: ByteBuffer) {
        append(pathOf: person, id: found.namesakes == nil ? nil : request.id, below: base, to: buffer)
    }

    private func append(pathOf user: Profile, id: Int64?, below base: String, to buffer: ByteBuffer) {
        var query = buffer.append(userPathOf: user.login, below: base, in: request.linked)
        query.add(id: id)
    }

    // MARK: The person

    /// Sets the line below the name, without what links say, the ways to reach the person, and what that line does not
    /// say.
    func setContact(below lines: FieldLines) {
        lines.removeAll { found.filters.contains(key: $0.key) }
        layout.setFacts(frame, .rowFacts, lines)
        let shown = Set(lines.all.map(\.key))
        var details = found.details
        details.facts.removeAll { shown.contains($0.key) }
        let contact = details.contacts
        model.setList(frame, .actions, of: ActionField.self, contact.links.indices) { row, index in
            model.set(row, .label, contact.links[index].label)
            model.set(row, .href, contact.links[index].href)
            model.set(row, .isFirst, flag: index == 0)
            model.set(row, .isExternal, flag: contact.links[index].isExternal)
        }
        setContactFile()
        let hasFigures = person.reputation != nil || !details.figures.isEmpty
        let hasFacts = !contact.facts.isEmpty || person.showsID
        model.set(frame, .hasFigures, flag: hasFigures)
        model.set(frame, .hasFacts, flag: hasFacts)
        model.set(frame, .hasDetails, flag: hasFigures || hasFacts)
        model.set(frame, .hasActions, flag: !contact.links.isEmpty || person.kind == .person)
        if let biography = details.biography {
            model.set(frame, .biography, biography)
            layout.set(frame, .paragraphs, LinkedText.paragraphs(biography))
        }
        set(.figures, details.figures)
        set(.facts, request.format == .fragment ? details.figures + contact.facts : contact.facts)
    }

    /// Sets the link to the person for address books.
    private func setContactFile() {
        guard person.kind == .person else { return }
        model.write(frame, .contactHref) { buffer in
            var query = buffer.append(userPathOf: person.login, ".vcf", below: base, in: request.linked)
            query.add(id: request.id)
        }
    }

    /// Sets links to the people with the same values of filters.
    private func setChips() {
        model.set(frame, .hasChips, flag: !found.filters.all.isEmpty)
        model.setList(frame, .chips, of: LinkField.self, found.filters.all) { row, value in
            model.set(row, .label, value.filter.label(of: value.value, in: found.directory.settings, layout.language))
            let list = PageRequest(of: request.linked, request.language)
                .searching(nil, [ChosenFilter(value.filter, value.value)])
            model.write(row, .href) { Links(base: base, request: list).append(.first, as: .page, to: $0) }
        }
    }

    private func set(_ field: UserPageField, _ lines: [ProfileField]) {
        model.setList(frame, field, of: ProfileLineField.self, lines) { row, line in
            model.set(row, .label, line.label)
            model.set(row, .key, line.key)
            layout.set(row, .values, line.values)
        }
    }

    private func setLinkedData() {
        model.set(frame, .isPerson, flag: person.kind == .person)
        if person.kind == .person, person.hasLogin { model.set(frame, .profileLogin, person.login) }
        model.write(frame, .linkedData) { buffer in
            found.details.appendLinkedData(of: person, addresses, to: buffer) { line in
                guard let publicURL = layout.configuration.publicURL else { return }
                line.append(utf8: publicURL)
                appendPath(to: line)
            }
        }
    }

    // MARK: People around

    private var links: Links { Links(base: base, request: found.list) }

    /// Sets the link back to the list, to the page that begins with this user.
    private func setBack() {
        var start = UserQuery.Start.first
        if let neighbours = found.neighbours, let previous = neighbours.previous {
            start = .after(previous.cursor(of: 0, in: neighbours.sort.key))
        }
        model.write(frame, .backHref) { links.append(start, as: .page, to: $0) }
    }

    private func setNeighbours() {
        guard let neighbours = found.neighbours else { return }
        if let position = neighbours.position, let total = neighbours.total {
            model.set(frame, .position, number: position, layout.language)
            model.set(frame, .total, number: total, layout.language)
        }
        set(neighbours.previous, .previousHref, .previous)
        set(neighbours.next, .nextHref, .next)
        let (settings, list) = (found.directory.settings, found.list)
        let words = list.searchText.map { ["“\($0)”"] } ?? []
        model.set(
            frame, .selection,
            (words + list.filters.map { $0.title(in: settings, layout.language) }).joined(separator: " · "))
        let key = neighbours.sort.key
        // How people are listed has no name for readers.
        guard list.search == nil, !key.isAsListed else { return }
        model.set(frame, .orderLabel, key.words(in: settings, layout.language))
    }

    private func set(_ users: UserRows?, _ href: UserPageField, _ field: UserPageField) {
        guard let users else { return }
        layout.setFaces(frame, field, users, of: found.directory, around) { appendPath(of: $0, to: $1) }
        around.withProfile(of: users) { person in
            model.write(frame, href) { appendPath(of: person, to: $0) }
        }
    }

    /// Appends the path of a person in the same list, with the id if only that tells the person from this one.
    private func appendPath(of user: Profile, to buffer: ByteBuffer) {
        let isNamesake = String(user.login).folded == request.login?.folded
        links.append(person: user.login, id: isNamesake ? user.id : nil, to: buffer)
    }

    private func setNamesakes() {
        guard let users = found.namesakes else { return }
        model.set(frame, .hasNamesakes, flag: true)
        layout.setFaces(frame, .namesakes, users, of: found.directory, around, notesIDs: true) {
            append(pathOf: $0, id: $0.id, below: base, to: $1)
        }
    }

    /// Sets the same person in other directories: the title, the number of people, and the login there.
    private func setElsewhere() {
        // Another directory may have a language of its own.
        let linkLanguage = request.language?.parameter == nil ? nil : request.language
        model.set(frame, .isElsewhere, flag: !found.elsewhere.isEmpty)
        model.setList(frame, .elsewhere, of: ElsewhereField.self, found.elsewhere) { row, person in
            let (directory, list) = (person.linked.directory, PageRequest(of: person.linked, linkLanguage))
            directory.settings.makeReader().withProfile(of: person.users) { user in
                model.write(row, .href) { Links(base: base, request: list).append(person: user.login, to: $0) }
                if user.showsLogin { model.set(row, .login, user.login) }
            }
            let title = directory.title
            model.set(row, .title, title)
            model.write(row, .initials) { buffer in
                title.withUTF8Bytes { buffer.append(initialsOf: $0, of: .organization) }
            }
            model.set(row, .hue, decimal: Int(directory.id % 12))
            model.set(row, .total, number: directory.total, layout.language)
        }
    }

    private func setTeam() {
        guard let team = found.team else { return }
        model.set(frame, .team, team.filter.label(of: team.value, in: found.directory.settings, layout.language))
        let whole = PageRequest(of: request.linked, request.language)
        layout.setFaces(frame, .teammates, team.users, of: found.directory, around) { user, buffer in
            Links(base: base, request: whole).append(person: user.login, to: buffer)
        }
    }
}
