import Bytes
import Directories
import HTTP
import JSON
import Mustache

extension UserRequest {
    /// Renders the user as `user.mustache`, or as JSON like GitHub's.
    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws -> Directory {
        let (basePath, counters) = (renderer.configuration.basePath, renderer.counters)
        let found = try renderer.reading(counters.userReads) { reader in
            if let found = try PersonPage(self, from: reader) { return found }
            guard let former = login,
                let login = try reader.currentLogin(ofFormer: former, directory: directory.id)
            else { throw HTTPError.notFound }
            throw HTTPError.moved(to: url(below: basePath, login: login))
        }
        let layout = renderer.layout
        switch format {
        case .json:
            let json = UserJSON(
                origin: task.homeURL(layout.configuration), basePath: layout.configuration.basePath,
                directory: directory, isDefaultDirectory: isDefaultDirectory, address: renderer.line,
                fields: found.page.directory.plan.listedFields)
            json.append(found.page.users, row: 0, isWhole: true, to: renderer.body)
        case .page:
            UserPage(layout, found, self, task.directories).render(into: renderer.body)
            if found.page.users.rows[0].isNoIndex, !layout.configuration.isNoIndex {
                fields.append("X-Robots-Tag", "noindex")
            }
        case .vCard:
            appendContact(found, task, layout.configuration, to: renderer.body)
            fields.append("Content-Disposition", "attachment; \(fileName(found))")
        }
        return found.page.directory
    }

    private func appendContact(
        _ found: PersonPage, _ task: RenderTask, _ configuration: Site.Configuration, to body: ByteBuffer
    ) {
        found.page.users.text.withUnsafeBytes { text in
            let user = UserView(found.page.users.rows[0], text)
            let home = task.homeURL(configuration)
            let address = ByteBuffer(capacity: 128)
            address.append(
                userPathOf: user.login, below: home, directory: directory, isDefault: isDefaultDirectory)
            VCard(user, found.page.directory.plan, into: body).append(url: home.isEmpty ? "" : String(address))
        }
    }

    /// The parameters of a file name: the login, without characters that are special in header fields or file systems.
    /// A login beyond ASCII is in `filename*` (RFC 6266 §4.3), and `filename` is for programs that do not read that.
    private func fileName(_ found: PersonPage) -> String {
        let login = String(found.page.users[found.page.users.rows[0].login])
        let isPlain = { (scalar: Unicode.Scalar) in
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || scalar == "-" || scalar == "_"
        }
        let plain = String(String.UnicodeScalarView(login.unicodeScalars.filter(isPlain)))
        let short = "filename=\"\(plain.isEmpty ? "contact" : plain).vcf\""
        let whole = login.unicodeScalars.filter { isPlain($0) || !$0.isASCII && $0.properties.isAlphabetic }
        if whole.allSatisfy(\.isASCII) { return short }
        let encoded = String(String.UnicodeScalarView(whole)).utf8.map { byte in
            byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return "\(short); filename*=UTF-8''\(encoded.joined()).vcf"
    }

    /// Returns the URL of the same request for the user with another login.
    private func url(below basePath: String, login: String) -> String {
        let buffer = ByteBuffer(capacity: 128)
        buffer.append(utf8: basePath)
        appendURL(to: buffer, login: login)
        return String(buffer)
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
            let plan = page.directory.plan
            let profile = ProfileFields(user, plan)
            setDocument(user)
            layout.setUser(
                frame, user, UserPageField.user, reputationLabel: Sort.Key.reputation.label(in: plan))
            model.set(frame, .showsID, flag: user.showsID)
            setSource(user)
            setContact(user)
            setRowFacts(user)
            setBack(user)
            setProfile(user, profile)
            setLinkedData(user, profile)
            let hasBadges = layout.setBadges(frame, .marks, user, of: page.directory)
            let hasNames = user.showsID || user.showsLogin
            model.set(frame, .hasAbout, flag: hasBadges || hasNames || !user.type.isEmpty)
            layout.setFoot(frame, .directoriesHref, .terms, .links, page.directory, directories)
            layout.setOffers(frame, .offers, page.directory, directories)
        }
        setNeighbours()
        setNamesakes()
        layout.templates.user.render(frame, of: model, into: body)
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
            if user.showsLogin {
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
        layout.setBrand(frame, .brandHref, request.directory, isDefault: request.isDefaultDirectory)
        model.write(frame, .apiHref) { buffer in
            append(pathOf: user, below: basePath + "/api/v3", to: buffer)
        }
        layout.setCanonical(frame, .canonicalHref) { append(pathOf: user, to: $0) }
        // Programs that show links to pages take no SVG, so drawn pictures are of no use to them.
        model.set(frame, .shareImage, bytes: user.avatarURL)
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
        // A field with the same URL has its own label.
        guard !user.htmlURL.isEmpty, found.page.directory.plan.index(of: .website) == nil else { return }
        model.set(frame, .sourceHref, bytes: user.htmlURL)
        let url = String(decoding: user.htmlURL, as: UTF8.self)
        let host = url.split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { $0 != "?" && $0 != "#" } ?? ""
        model.set(frame, .sourceHost, host.split(separator: "@").last ?? "")
    }

    /// Sets the link to the person for address books. A directory without settings has no such fields.
    private func setContact(_ user: UserView) {
        guard !found.page.directory.plan.isEmpty, user.kind == .person else { return }
        model.write(frame, .contactHref) { buffer in
            buffer.append(utf8: basePath)
            buffer.append("/users/")
            buffer.append(percentEncoding: user.login)
            buffer.append(".vcf")
            var query = QueryWriter(buffer)
            if !request.isDefaultDirectory { query.add("directory", request.directory.slug.text) }
            if request.id != nil { query.add("id") { $0.append(decimal: user.id) } }
        }
    }

    /// Sets the fields that rows show, for the line below the name.
    private func setRowFacts(_ user: UserView) {
        let plan = found.page.directory.plan
        let lines = plan.rows.isEmpty ? [] : plan.makeReader().lines(plan.rows, of: user)
        model.set(frame, .hasRowFacts, flag: !lines.isEmpty)
        layout.setFacts(frame, .rowFacts, lines)
    }

    /// Sets the link back to the list, at the page that begins with this user in the directory's order. The link
    /// ignores the reader's search and order, because a URL with them would be another page about the same user.
    private func setBack(_ user: UserView) {
        layout.setFile(frame, .personScriptHref, "person.js")
        model.write(frame, .backHref) { buffer in
            buffer.append(utf8: basePath)
            buffer.append("/")
            var query = QueryWriter(buffer)
            if found.sort == Sort() {
                query.add("since") { $0.append(decimal: user.id - 1) }
            } else if let previous = found.previous, !previous.rows.isEmpty {
                query.add("since") { previous.append(cursorOf: 0, in: found.sort.key, to: $0) }
            }
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
        if user.kind == .person, user.hasLogin { model.set(frame, .profileLogin, bytes: user.login) }
        let plan = found.page.directory.plan
        model.write(frame, .linkedData) { $0.append(linkedDataOf: user, profile, plan, url: line.bytes) }
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
