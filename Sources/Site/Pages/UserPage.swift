import Bytes
import Directories
import HTTP
import JSON
import Mustache

extension UserRequest {
    /// Renders the user as `user.mustache`, or as JSON like GitHub's.
    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws -> Directory {
        let found = try renderer.reading(renderer.counters.userReads) { try PersonPage(self, from: $0) }
        guard let found else { throw HTTPError.notFound }
        let layout = renderer.layout
        if isJSON {
            let json = UserJSON(
                origin: task.homeURL(layout.configuration), directory: directory,
                isDefaultDirectory: isDefaultDirectory,
                address: renderer.line)
            json.append(found.page.users, row: 0, isWhole: true, to: renderer.body)
        } else {
            UserPage(layout, found, self, task.directories).render(into: renderer.body)
        }
        return found.page.directory
    }
}

/// The page of one user: fills the fields of `user.mustache`.
private struct UserPage {
    let layout: Layout
    let found: PersonPage
    let request: UserRequest
    let directories: DirectoryList
    let frame: Frame<UserPageField>

    private var model: Model { layout.model }
    private var basePath: String { layout.configuration.basePath }

    init(_ layout: Layout, _ found: PersonPage, _ request: UserRequest, _ directories: DirectoryList) {
        self.layout = layout
        self.found = found
        self.request = request
        self.directories = directories
        frame = layout.model.makeFrame(UserPageField.self)
    }

    func render(into body: ByteBuffer) {
        let page = found.page
        page.users.text.withUnsafeBytes { text in
            let user = UserView(page.users.rows[0], text)
            let profile = ProfileFields(user.more)
            setDocument(user)
            layout.setUser(frame, user, UserPageField.user)
            setSource(user)
            setBack(user)
            setProfile(user, profile)
            setLinkedData(user, profile)
            layout.setBadges(frame, .marks, user, of: page.directory)
            layout.setFoot(frame, .directoriesHref, .terms, page.directory, directories)
            layout.setOffers(frame, .offers, page.directory, directories)
        }
        setNeighbours()
        setNamesakes()
        layout.site.templates.user.render(frame, of: model, into: body)
    }

    private func setDocument(_ user: UserView) {
        let title = found.page.directory.title
        model.write(frame, .documentTitle) { buffer in
            buffer.append(user.displayName)
            buffer.append(" · ")
            buffer.append(utf8: title)
        }
        model.write(frame, .description) { buffer in
            buffer.append(user.displayName)
            if user.hasName {
                buffer.append(" (")
                buffer.append(user.login)
                buffer.append(")")
            }
            buffer.append(" in ")
            buffer.append(utf8: title)
        }
        model.set(frame, .directoryTitle, title)
        layout.setLayout(frame, UserPageField.layout, directory: request.isDefaultDirectory ? nil : request.directory)
        layout.setFile(frame, .pagesStyleHref, "pages.css")
        model.write(frame, .apiHref) { buffer in
            append(pathOf: user, below: basePath + "/api/v3", to: buffer)
        }
        layout.setCanonical(frame, .canonicalHref) { append(pathOf: user, to: $0) }
    }

    /// Appends the path of this page, with the id if others have the same login and the request named the id.
    private func append(pathOf user: UserView, below base: String = "", to buffer: ByteBuffer) {
        let hasID = request.id != nil && found.namesakes != nil
        append(pathOf: user, hasID: hasID, below: base, to: buffer)
    }

    private func append(pathOf user: UserView, hasID: Bool, below base: String, to buffer: ByteBuffer) {
        buffer.append(
            userPathOf: user.login, below: base, directory: request.directory, isDefault: request.isDefaultDirectory)
        guard hasID else { return }
        buffer.append(request.isDefaultDirectory ? "?id=" : "&id=")
        buffer.append(decimal: user.id)
    }

    private func setSource(_ user: UserView) {
        guard !user.htmlURL.isEmpty else { return }
        model.set(frame, .sourceHref, bytes: user.htmlURL)
        let url = String(decoding: user.htmlURL, as: UTF8.self)
        let host = url.split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { $0 != "?" && $0 != "#" } ?? ""
        model.set(frame, .sourceHost, host.split(separator: "@").last ?? "")
    }

    /// Sets the link back to the list, at the page that begins with this user in the order by id. The search or order
    /// that the reader comes from is not known here: a URL for each would be another page about the same user.
    private func setBack(_ user: UserView) {
        layout.setFile(frame, .personScriptHref, "person.js")
        model.write(frame, .backHref) { buffer in
            buffer.append(utf8: basePath)
            buffer.append("/")
            var query = QueryWriter(buffer)
            query.add("since") { $0.append(decimal: user.id - 1) }
            if !request.isDefaultDirectory { query.add("directory", request.directory.slug.text) }
        }
    }

    /// Sets the fields of the source that people read.
    private func setProfile(_ user: UserView, _ profile: ProfileFields) {
        model.set(frame, .hasFigures, flag: user.reputation != nil || !profile.figures.isEmpty)
        model.set(frame, .hasFacts, flag: !profile.facts.isEmpty)
        if let biography = profile.biography { model.set(frame, .biography, biography) }
        set(.figures, profile.figures)
        set(.facts, profile.facts)
    }

    private func set(_ field: UserPageField, _ lines: [ProfileField]) {
        let rows = model.makeList(frame, field, of: ProfileLineField.self, count: lines.count)
        for (row, line) in zip(rows, lines) {
            model.set(row, .label, line.label)
            let values = model.makeList(row, .values, of: ProfileValueField.self, count: line.values.count)
            for (frame, value) in zip(values, line.values) {
                model.set(frame, .value, value.text)
                if let href = value.href { model.set(frame, .href, href) }
                if let dateTime = value.dateTime { model.set(frame, .dateTime, dateTime) }
            }
        }
    }

    private func setLinkedData(_ user: UserView, _ profile: ProfileFields) {
        let line = layout.line
        line.removeAll()
        if let publicURL = layout.configuration.publicURL {
            line.append(utf8: publicURL)
            append(pathOf: user, to: line)
        }
        model.set(frame, .isPerson, flag: user.kind == .person)
        model.write(frame, .linkedData) { $0.append(linkedDataOf: user, profile, url: line.bytes) }
    }

    private func setNeighbours() {
        if let position = found.page.firstPosition {
            model.write(frame, .position) { $0.append(grouped: Int64(position)) }
        }
        if let total = found.page.total { model.write(frame, .total) { $0.append(grouped: Int64(total)) } }
        set(found.previous, .previousHref, .previousName)
        set(found.next, .nextHref, .nextName)
    }

    private func setNamesakes() {
        guard let users = found.namesakes else { return }
        model.set(frame, .hasNamesakes, flag: true)
        let frames = model.makeList(frame, .namesakes, of: NamesakeField.self, count: users.rows.count)
        users.text.withUnsafeBytes { text in
            for (frame, row) in zip(frames, users.rows) {
                let user = UserView(row, text)
                model.set(frame, .name, bytes: user.displayName)
                model.write(frame, .id) { $0.append(decimal: user.id) }
                model.write(frame, .href) {
                    append(pathOf: user, hasID: true, below: basePath, to: $0)
                }
            }
        }
    }

    private func set(_ users: UserRows?, _ href: UserPageField, _ name: UserPageField) {
        guard let users, let row = users.rows.first else { return }
        users.text.withUnsafeBytes { text in
            let user = UserView(row, text)
            let isNamesake = String(decoding: user.login, as: UTF8.self).folded == request.login?.folded
            model.write(frame, href) {
                append(pathOf: user, hasID: isNamesake, below: basePath, to: $0)
            }
            model.set(frame, name, bytes: user.displayName)
        }
    }
}
