import Bytes
import Directories
import HTTP
import JSON
import Mustache

/// A user's page.
extension Workbench {
    func renderUser(_ page: Page, _ request: UserRequest, _ directories: DirectoryList) {
        let frame = model.makeFrame(UserPageField.self)
        page.users.text.withUnsafeBytes { text in
            let person = Person(page.users.rows[0], text)
            setDocument(frame, person, page, request)
            setPerson(frame, person, UserPageField.person)
            setSource(frame, person)
            setBack(frame, person, request)
            setFacts(frame, person)
            setMarks(frame, .marks, person, of: page.directory)
            setFoot(frame, .directoriesHref, .terms, page.directory, directories)
        }
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
        setCanonical(frame, .canonicalHref) { buffer in
            buffer.append(
                userPathOf: person.login, below: "", directory: request.directory, isDefault: request.isDefaultDirectory
            )
        }
    }

    private func setSource(_ frame: Frame<UserPageField>, _ person: Person) {
        guard !person.htmlURL.isEmpty else { return }
        model.set(frame, .sourceHref, bytes: person.htmlURL)
        let url = String(decoding: person.htmlURL, as: UTF8.self)
        let host = url.split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { $0 != "?" && $0 != "#" } ?? ""
        model.set(frame, .sourceHost, host.split(separator: "@").last ?? "")
    }

    /// Back to the list, where this person comes first: in the order by id, after the id before theirs.
    private func setBack(_ frame: Frame<UserPageField>, _ person: Person, _ request: UserRequest) {
        model.write(frame, .backHref) { buffer in
            buffer.append(utf8: configuration.basePath)
            buffer.append("/")
            var query = QueryWriter(buffer)
            query.add("since") { $0.append(decimal: person.id - 1) }
            if !request.isDefaultDirectory { query.add("directory", request.directory.slug.text) }
        }
    }

    /// What else the source said, as far as people care to read it.
    private func setFacts(_ frame: Frame<UserPageField>, _ person: Person) {
        let facts = Fact.all(in: person.more)
        let rows = model.makeList(frame, .facts, of: FactField.self, count: facts.count)
        for (row, fact) in zip(rows, facts) {
            model.set(row, .label, fact.label)
            model.set(row, .value, fact.value)
            if let href = fact.href { model.set(row, .href, href) }
        }
    }
}

/// Something known about a person beside what every user has.
struct Fact: Equatable {
    var label: String
    var value: String
    var href: String?

    /// Reads the members of a JSON object; what is no object has none.
    static func all(in more: UnsafeRawBufferPointer) -> [Fact] {
        var facts: [Fact] = []
        guard !more.isEmpty else { return facts }
        try? JSON.forEachMember(of: more) { key, value in
            if let fact = Fact(key.text, value) { facts.append(fact) }
        }
        return facts
    }

    /// `nil` for what says nothing to a reader: nulls, empty texts, and the addresses of an API.
    init?(_ key: String, _ value: JSONValue) {
        let date = value.kind == .number && key.hasSuffix("_date") ? value.int64.flatMap(Self.date) : nil
        guard !Self.isTechnical(key), let text = date ?? Self.text(value), !text.isEmpty else { return nil }
        label = Self.label(key)
        self.value = text
        var bytes = text
        href = bytes.withUTF8 { UnsafeRawBufferPointer($0).isWebURL } ? text : nil
    }

    private static func isTechnical(_ key: String) -> Bool {
        let addresses = ["url", "node_id", "gravatar_id", "account_id", "site_admin", "user_view_type", "episode"]
        return addresses.contains(key) || (key.hasSuffix("_url") && key != "website_url")
    }

    /// The day of a moment in seconds since 1970, as Stack Exchange gives its dates; `nil` for what is no such number.
    private static func date(_ seconds: Int64) -> String? {
        guard (1..<253_402_300_800).contains(seconds) else { return nil }
        let buffer = ByteBuffer(capacity: 16)
        CivilTime(HTTPDate(secondsSince1970: Int(seconds))).appendDay(to: buffer)
        return String(buffer)
    }

    /// `last_access_date` → `Last access date`; `twitterHandle` stays as it is but for its first letter.
    private static func label(_ key: String) -> String {
        let name = key.hasSuffix("_url") ? key.dropLast(4) : key[...]
        let words = name.split { $0 == "_" || $0 == "-" }.joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value.kind {
        case .null: return nil
        case .string: return value.string?.text
        case .bool: return value.raw.equals("true") ? "yes" : "no"
        case .number: return String(decoding: value.raw, as: UTF8.self)
        case .array:
            var parts: [String] = []
            try? JSON.forEachElement(of: value.raw) { if let part = text($0) { parts.append(part) } }
            return parts.joined(separator: ", ")
        case .object:
            var parts: [String] = []
            try? JSON.forEachMember(of: value.raw) { key, value in
                guard !isTechnical(key.text), let part = text(value), !part.isEmpty else { return }
                // `3 gold, 7 silver`, but `street: High Street`.
                parts.append(
                    key.equals("name") ? part : value.kind == .number ? "\(part) \(key.text)" : "\(key.text): \(part)")
            }
            return parts.joined(separator: ", ")
        }
    }
}
