import Bytes
import Directories
import HTTP
import JSON
import Mustache

/// A user's page.
extension PageRenderer {
    func renderUser(_ found: PersonPage, _ request: UserRequest, _ directories: DirectoryList) {
        let frame = model.makeFrame(UserPageField.self)
        let page = found.page
        page.users.text.withUnsafeBytes { text in
            let person = UserView(page.users.rows[0], text)
            let sheet = ProfileFields(person.more)
            setDocument(frame, person, found, request)
            setPerson(frame, person, UserPageField.person)
            setSource(frame, person)
            setBack(frame, person, request)
            setFacts(frame, person, sheet)
            setLinkedData(frame, person, sheet, found, request)
            setMarks(frame, .marks, person, of: page.directory)
            setFoot(frame, .directoriesHref, .terms, page.directory, directories)
            setOffers(frame, .offers, page.directory, directories)
        }
        setNeighbours(frame, found, request)
        setNamesakes(frame, found, request)
        site.templates.user.render(frame, of: model, into: body)
    }

    private func setDocument(
        _ frame: Frame<UserPageField>, _ person: UserView, _ found: PersonPage, _ request: UserRequest
    ) {
        let title = found.page.directory.title
        model.write(frame, .documentTitle) { buffer in
            buffer.append(person.displayName)
            buffer.append(" · ")
            buffer.append(utf8: title)
        }
        model.write(frame, .description) { buffer in
            buffer.append(person.displayName)
            if person.hasName {
                buffer.append(" (")
                buffer.append(person.login)
                buffer.append(")")
            }
            buffer.append(" in ")
            buffer.append(utf8: title)
        }
        model.set(frame, .directoryTitle, title)
        setLayout(frame, UserPageField.chrome, directory: request.isDefaultDirectory ? nil : request.directory)
        setFile(frame, .pagesStyleHref, "pages.css")
        model.write(frame, .apiHref) { buffer in
            append(pathOf: person, found, request, below: configuration.basePath + "/api/v3", to: buffer)
        }
        setCanonical(frame, .canonicalHref) { append(pathOf: person, found, request, to: $0) }
    }

    /// The path of the person who was asked for: with the id, if it takes that to tell them from others.
    private func append(
        pathOf person: UserView, _ found: PersonPage, _ request: UserRequest, below base: String = "",
        to buffer: ByteBuffer
    ) {
        let isTold = request.id != nil && found.namesakes != nil
        append(pathOf: person, isTold: isTold, request, below: base, to: buffer)
    }

    private func append(
        pathOf person: UserView, isTold: Bool, _ request: UserRequest, below base: String, to buffer: ByteBuffer
    ) {
        buffer.append(
            userPathOf: person.login, below: base, directory: request.directory, isDefault: request.isDefaultDirectory)
        guard isTold else { return }
        buffer.append(request.isDefaultDirectory ? "?id=" : "&id=")
        buffer.append(decimal: person.id)
    }

    private func setSource(_ frame: Frame<UserPageField>, _ person: UserView) {
        guard !person.htmlURL.isEmpty else { return }
        model.set(frame, .sourceHref, bytes: person.htmlURL)
        let url = String(decoding: person.htmlURL, as: UTF8.self)
        let host = url.split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { $0 != "?" && $0 != "#" } ?? ""
        model.set(frame, .sourceHost, host.split(separator: "@").last ?? "")
    }

    /// Back to the list, where this person comes first: in the order by id, after the id before theirs. Which search or order
    /// the reader comes from is not known here: an address for each would be another page of the same person.
    private func setBack(_ frame: Frame<UserPageField>, _ person: UserView, _ request: UserRequest) {
        setFile(frame, .personScriptHref, "person.js")
        model.write(frame, .backHref) { buffer in
            buffer.append(utf8: configuration.basePath)
            buffer.append("/")
            var query = QueryWriter(buffer)
            query.add("since") { $0.append(decimal: person.id - 1) }
            if !request.isDefaultDirectory { query.add("directory", request.directory.slug.text) }
        }
    }

    /// What else the source said, as far as people care to read it.
    private func setFacts(_ frame: Frame<UserPageField>, _ person: UserView, _ sheet: ProfileFields) {
        model.set(frame, .hasFigures, flag: person.reputation != nil || !sheet.figures.isEmpty)
        model.set(frame, .hasFacts, flag: !sheet.facts.isEmpty)
        if let biography = sheet.biography { model.set(frame, .biography, biography) }
        setFacts(frame, .figures, sheet.figures)
        setFacts(frame, .facts, sheet.facts)
    }

    private func setFacts(_ frame: Frame<UserPageField>, _ field: UserPageField, _ facts: [ProfileField]) {
        let rows = model.makeList(frame, field, of: ProfileLineField.self, count: facts.count)
        for (row, fact) in zip(rows, facts) {
            model.set(row, .label, fact.label)
            let values = model.makeList(row, .values, of: ProfileValueField.self, count: fact.values.count)
            for (frame, value) in zip(values, fact.values) {
                model.set(frame, .value, value.text)
                if let href = value.href { model.set(frame, .href, href) }
                if let dateTime = value.dateTime { model.set(frame, .dateTime, dateTime) }
            }
        }
    }

    private func setLinkedData(
        _ frame: Frame<UserPageField>, _ person: UserView, _ sheet: ProfileFields, _ found: PersonPage,
        _ request: UserRequest
    ) {
        line.removeAll()
        if let publicURL = configuration.publicURL {
            line.append(utf8: publicURL)
            append(pathOf: person, found, request, to: line)
        }
        model.set(frame, .isPerson, flag: person.kind == .person)
        model.write(frame, .linkedData) { $0.append(linkedDataOf: person, sheet, url: line.bytes) }
    }

    private func setNeighbours(_ frame: Frame<UserPageField>, _ found: PersonPage, _ request: UserRequest) {
        if let position = found.page.firstPosition {
            model.write(frame, .position) { $0.append(grouped: Int64(position)) }
        }
        if let total = found.page.total { model.write(frame, .total) { $0.append(grouped: Int64(total)) } }
        set(found.previous, frame, .previousHref, .previousName, request)
        set(found.next, frame, .nextHref, .nextName, request)
    }

    private func setNamesakes(_ frame: Frame<UserPageField>, _ found: PersonPage, _ request: UserRequest) {
        guard let users = found.namesakes else { return }
        model.set(frame, .hasNamesakes, flag: true)
        let frames = model.makeList(frame, .namesakes, of: NamesakeField.self, count: users.rows.count)
        users.text.withUnsafeBytes { text in
            for (frame, row) in zip(frames, users.rows) {
                let person = UserView(row, text)
                model.set(frame, .name, bytes: person.displayName)
                model.write(frame, .id) { $0.append(decimal: person.id) }
                model.write(frame, .href) {
                    append(pathOf: person, isTold: true, request, below: configuration.basePath, to: $0)
                }
            }
        }
    }

    private func set(
        _ users: UserRows?, _ frame: Frame<UserPageField>, _ href: UserPageField, _ name: UserPageField,
        _ request: UserRequest
    ) {
        guard let users, let row = users.rows.first else { return }
        users.text.withUnsafeBytes { text in
            let person = UserView(row, text)
            let isNamesake = String(decoding: person.login, as: UTF8.self).folded == request.login?.folded
            model.write(frame, href) {
                append(pathOf: person, isTold: isNamesake, request, below: configuration.basePath, to: $0)
            }
            model.set(frame, name, bytes: person.displayName)
        }
    }
}
