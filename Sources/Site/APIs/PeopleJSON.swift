import Base
import JSON
import People

/// Writes people for front ends (`/people.json`, `/users/{handle}.json`): typed fields, their labels, and absolute
/// URLs of this site.
struct PeopleJSON {
    private let directory: Directory
    private let isDefaultDirectory: Bool
    /// The beginning of URLs: the absolute URL of the home page, or the base path if the host is not known.
    private let base: String
    private let language: Language
    /// A buffer for one text at a time.
    private let line: ByteBuffer
    private let fields: [Int]
    private let reader: FieldReader
    private let pictures: PictureLinks

    /// The greatest number of values of a filter.
    private static let maxValues = 50

    /// - Parameter home: the absolute URL of the home page; empty if it is not known.
    init(
        of directory: Directory, isDefault: Bool, home: String, _ language: Language,
        _ configuration: Site.Configuration, line: ByteBuffer
    ) {
        self.directory = directory
        isDefaultDirectory = isDefault
        base = home.isEmpty ? configuration.basePath : home
        self.language = language
        self.line = line
        fields = directory.settings.describedFields
        reader = directory.settings.makeReader()
        pictures = PictureLinks(directory, configuration, base: base)
    }

    // MARK: A page of people

    /// Appends a page of people, with the URLs of the pages around it.
    func append(_ found: UserList.LoadedPage, _ request: PageRequest, to body: ByteBuffer) {
        var writer = ObjectWriter(body)
        writer.start("directory")
        appendDirectory(to: body)
        writer.add("total", number: found.page.total.map(Int64.init))
        let links = PageLinks(found.page, request, base: base)
        writer.add("next", if: found.page.hasNext) { links.appendNext(.people, to: $0) }
        writer.add("previous", if: found.page.hasPrevious) { links.appendPrevious(.people, to: $0) }
        writer.start("fields")
        body.append(array: fields, appendField)
        let values = found.filters.values(limit: Self.maxValues, directory.settings, language)
        if request.countsFilters, let values {
            writer.start("filters")
            body.append(array: values) { append($0.filter, $0.values, to: $1) }
        }
        writer.start("people")
        found.page.users.text.withBytes { text in
            body.append(array: found.page.users.rows) { append(UserView($0, text), isWhole: false, to: $1) }
        }
        writer.close()
    }

    private func appendDirectory(to body: ByteBuffer) {
        var writer = ObjectWriter(body)
        writer.add("slug", string: directory.slug.text)
        writer.add("title", string: directory.title)
        writer.add("url") { buffer in
            buffer.append(utf8: base)
            buffer.append("/")
            var query = QueryWriter(buffer)
            if !isDefaultDirectory { query.add("directory", directory.slug.text) }
        }
        writer.close()
    }

    private func appendField(_ index: Int, to body: ByteBuffer) {
        let field = directory.settings.fields[index]
        var writer = ObjectWriter(body)
        writer.add("key", string: field.key)
        writer.add("label", string: directory.settings.label(of: field, language))
        writer.add("type", string: field.type.rawValue)
        writer.close()
    }

    private func append(_ filter: Filter, _ values: [FilterMenu.Choice], to body: ByteBuffer) {
        var writer = ObjectWriter(body)
        writer.add("key", string: filter.key)
        writer.add("label", string: filter.label(in: directory.settings, language))
        writer.start("values")
        body.append(array: values) { value, body in
            var writer = ObjectWriter(body)
            writer.add("value", string: value.text)
            writer.add("count", number: value.count.map(Int64.init))
            writer.add("chosen", json: value.isChosen ? "true" : "false")
            writer.close()
        }
        writer.close()
    }

    // MARK: A person

    /// Appends the only person of `users`, with links and biography.
    func append(_ users: UserRows, to body: ByteBuffer) {
        users.text.withBytes { append(UserView(users.rows[0], $0), isWhole: true, to: body) }
    }

    private func append(_ user: UserView, isWhole: Bool, to body: ByteBuffer) {
        var writer = ObjectWriter(body)
        writer.add("id", number: user.id)
        writer.add("handle", text: user.login)
        writer.add("name", text: user.displayName)
        writer.add("url") {
            $0.append(userPathOf: user.login, below: base, directory: directory, isDefault: isDefaultDirectory)
        }
        writer.add("type", json: user.kind.json)
        line.removeAll()
        line.append(initialsOf: user.displayName, of: user.kind)
        writer.start("initials")
        body.append(jsonString: line)
        writer.start("picture")
        appendPicture(of: user, to: body)
        writer.start("fields")
        appendFields(of: user, to: body)
        if isWhole { addProfile(of: user, to: &writer) }
        writer.close()
    }

    /// Appends the addresses of a picture in three sizes, which are the same if there is one; null without a picture.
    private func appendPicture(of user: UserView, to body: ByteBuffer) {
        guard pictures.hasPicture(of: user) else { return body.append("null") }
        var writer = ObjectWriter(body)
        for (name, size) in [("small" as StaticString, PictureSize.small), ("medium", .medium), ("large", .large)] {
            line.removeAll()
            pictures.append(size, of: user, to: line)
            writer.start(name)
            body.append(jsonString: line)
        }
        writer.close()
    }

    /// Appends the fields that the person has.
    private func appendFields(of user: UserView, to body: ByteBuffer) {
        let shown = fields.filter { user.hasOwn(directory.settings.fields[$0].role, pictures.mode) }
        reader.reading(user) { body.append(shown, from: reader) }
    }

    private func addProfile(of user: UserView, to writer: inout ObjectWriter) {
        let profile = ProfileFields(user, directory.settings, language)
        let contact = ContactLinks(profile, source: String(user.htmlURL))
        writer.start("links")
        writer.buffer.append(array: contact.links) { link, body in
            var writer = ObjectWriter(body)
            writer.add("label", string: link.label)
            writer.add("url", string: link.href)
            writer.close()
        }
        writer.start("biography")
        if let biography = profile.biography {
            writer.buffer.append(jsonString: biography)
        } else {
            writer.buffer.append("null")
        }
    }
}

extension AccountKind {
    fileprivate var json: StaticString {
        switch self {
        case .person: "\"person\""
        case .organization: "\"organization\""
        case .software: "\"bot\""
        }
    }
}

extension ObjectWriter {
    /// Adds a text, which may be empty.
    fileprivate mutating func add(_ key: StaticString, string: String) {
        start(key)
        buffer.append(jsonString: string)
    }

    /// Adds the URL of a page around this one, or null if there is none.
    fileprivate mutating func add(_ key: StaticString, if exists: Bool, address: (ByteBuffer) -> Void) {
        if exists { add(key, address: address) } else { add(key, json: "null") }
    }
}

extension ByteBuffer {
    /// Appends a JSON array of what `write` appends for each element.
    fileprivate func append<Element>(array elements: some Collection<Element>, _ write: (Element, ByteBuffer) -> Void) {
        append("[")
        for (number, element) in elements.enumerated() {
            if number > 0 { append(",") }
            write(element, self)
        }
        append("]")
    }
}
