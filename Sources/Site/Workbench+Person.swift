import Bytes
import Directories
import HTTP
import JSON
import Mustache

/// A user's page.
extension Workbench {
    func renderUser(_ found: PersonPage, _ request: UserRequest, _ directories: DirectoryList) {
        let frame = model.makeFrame(UserPageField.self)
        let page = found.page
        page.users.text.withUnsafeBytes { text in
            let person = Person(page.users.rows[0], text)
            let sheet = FactSheet(person.more)
            setDocument(frame, person, page, request)
            setPerson(frame, person, UserPageField.person)
            setSource(frame, person)
            setBack(frame, person, request)
            setFacts(frame, person, sheet)
            setLinkedData(frame, person, sheet, request)
            setMarks(frame, .marks, person, of: page.directory)
            setFoot(frame, .directoriesHref, .terms, page.directory, directories)
            setOffers(frame, .offers, page.directory, directories)
        }
        setNeighbours(frame, found, request)
        site.templates.user.render(frame, of: model, into: body)
    }

    private func setDocument(_ frame: Frame<UserPageField>, _ person: Person, _ page: Page, _ request: UserRequest) {
        let title = page.directory.title
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
        setChrome(frame, UserPageField.chrome, directory: request.isDefaultDirectory ? nil : request.directory)
        setFile(frame, .pagesStyleHref, "pages.css")
        model.write(frame, .apiHref) { buffer in
            buffer.append(
                userPathOf: person.login, below: configuration.basePath + "/api/v3", directory: request.directory,
                isDefault: request.isDefaultDirectory)
        }
        setCanonical(frame, .canonicalHref) { append(pathOf: person, request, to: $0) }
    }

    /// What comes below the base path.
    private func append(pathOf person: Person, _ request: UserRequest, to buffer: ByteBuffer) {
        buffer.append(
            userPathOf: person.login, below: "", directory: request.directory, isDefault: request.isDefaultDirectory)
    }

    private func setSource(_ frame: Frame<UserPageField>, _ person: Person) {
        guard !person.htmlURL.isEmpty else { return }
        model.set(frame, .sourceHref, bytes: person.htmlURL)
        let url = String(decoding: person.htmlURL, as: UTF8.self)
        let host = url.split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { $0 != "?" && $0 != "#" } ?? ""
        model.set(frame, .sourceHost, host.split(separator: "@").last ?? "")
    }

    /// Back to the list, where this person comes first: in the order by id, after the id before theirs. Which search or order
    /// the reader comes from is not known here: an address for each would be another page of the same person.
    private func setBack(_ frame: Frame<UserPageField>, _ person: Person, _ request: UserRequest) {
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
    private func setFacts(_ frame: Frame<UserPageField>, _ person: Person, _ sheet: FactSheet) {
        model.set(frame, .hasFigures, flag: person.reputation != nil || !sheet.figures.isEmpty)
        model.set(frame, .hasFacts, flag: !sheet.facts.isEmpty)
        if let biography = sheet.biography { model.set(frame, .biography, biography) }
        setFacts(frame, .figures, sheet.figures)
        setFacts(frame, .facts, sheet.facts)
    }

    private func setFacts(_ frame: Frame<UserPageField>, _ field: UserPageField, _ facts: [Fact]) {
        let rows = model.makeList(frame, field, of: FactField.self, count: facts.count)
        for (row, fact) in zip(rows, facts) {
            model.set(row, .label, fact.label)
            let values = model.makeList(row, .values, of: FactValueField.self, count: fact.values.count)
            for (frame, value) in zip(values, fact.values) {
                model.set(frame, .value, value.text)
                if let href = value.href { model.set(frame, .href, href) }
                if let dateTime = value.dateTime { model.set(frame, .dateTime, dateTime) }
            }
        }
    }

    private func setLinkedData(
        _ frame: Frame<UserPageField>, _ person: Person, _ sheet: FactSheet, _ request: UserRequest
    ) {
        line.removeAll()
        if let publicURL = configuration.publicURL {
            line.append(utf8: publicURL)
            append(pathOf: person, request, to: line)
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

    private func set(
        _ users: UserRows?, _ frame: Frame<UserPageField>, _ href: UserPageField, _ name: UserPageField,
        _ request: UserRequest
    ) {
        guard let users, let row = users.rows.first else { return }
        users.text.withUnsafeBytes { text in
            let person = Person(row, text)
            model.write(frame, href) { buffer in
                buffer.append(utf8: configuration.basePath)
                append(pathOf: person, request, to: buffer)
            }
            model.set(frame, name, bytes: person.displayName)
        }
    }
}
