import Base
import People

/// Writes people for front ends (`/people.json`, `/users/{handle}.json`): typed fields, their labels, and absolute
/// URLs of this site.
struct PeopleJSON {
    private let addresses: PersonAddresses
    private let language: Language
    /// A buffer for one text at a time.
    private let line: ByteBuffer
    private let fields: [Int]

    /// The greatest number of values of a filter.
    private static let maxValues = 50

    init(_ addresses: PersonAddresses, _ language: Language, line: ByteBuffer) {
        self.addresses = addresses
        self.language = language
        self.line = line
        fields = addresses.directory.settings.describedFields
    }

    private var directory: Directory { addresses.directory }

    // MARK: A page of people

    /// Appends a page of people, with the URLs of the pages around it.
    func append(_ found: PageRequest.LoadedPage, _ request: PageRequest, to body: ByteBuffer) {
        var writer = ObjectWriter(body)
        writer.addObject("directory", addDirectory)
        writer.add("total", number: found.page.total.map(Int64.init))
        let links = Links(base: addresses.base, request: request)
        writer.add("next", if: found.page.hasNext) { links.appendNext(after: found.page, as: .people, to: $0) }
        writer.add("previous", if: found.page.hasPrevious) {
            links.appendPrevious(before: found.page, as: .people, to: $0)
        }
        writer.addObjects("fields", of: fields, addField)
        if request.countsFilters,
            let values = found.filters.values(limit: Self.maxValues, directory.settings, language)
        {
            writer.addObjects("filters", of: values) { add($0.filter, $0.values, to: &$1) }
        }
        writer.start("people")
        body.append(found.page.users, of: directory) { append($0, to: body) }
        writer.close()
    }

    private func addDirectory(to writer: inout ObjectWriter) {
        writer.add("slug", string: directory.slug.text)
        writer.add("title", string: directory.title)
        writer.add("url") { buffer in
            buffer.append(utf8: addresses.base)
            buffer.append("/", of: addresses.linked)
        }
    }

    private func addField(_ index: Int, to writer: inout ObjectWriter) {
        let field = directory.settings.fields[index]
        writer.add("key", string: field.key)
        writer.add("label", string: directory.settings.label(of: field, language))
        writer.add("type", string: field.type.rawValue)
    }

    private func add(_ filter: Filter, _ values: [FilterMenu.Choice], to writer: inout ObjectWriter) {
        writer.add("key", string: filter.key)
        writer.add("label", string: filter.label(in: directory.settings, language))
        writer.addObjects("values", of: values) { value, writer in
            writer.add("value", string: value.text)
            writer.add("count", number: value.count.map(Int64.init))
            writer.add("chosen", flag: value.isChosen)
        }
    }

    // MARK: A person

    /// Appends a person, with the links and the biography in `details`.
    func append(_ person: Profile, _ details: Details? = nil, to body: ByteBuffer) {
        var writer = ObjectWriter(body)
        writer.add("id", number: person.id)
        writer.add("handle", text: person.login)
        writer.add("name", text: person.displayName)
        writer.add("url") { addresses.append(pageOf: person, to: $0) }
        writer.add("type") { $0.append(person.kind.names.json) }
        line.removeAll()
        line.append(initialsOf: person.displayName, of: person.kind)
        writer.start("initials")
        body.append(jsonString: line)
        addPicture(of: person, to: &writer)
        writer.start("fields")
        let mode = addresses.pictures.mode
        body.append(fields.filter { person.hasOwn(directory.settings.fields[$0].role, mode) }, from: person.fields)
        if let details { add(details, to: &writer) }
        writer.close()
    }

    /// Adds the addresses of a picture in three sizes, which are the same if there is one; null without a picture.
    private func addPicture(of user: Profile, to writer: inout ObjectWriter) {
        guard addresses.pictures.hasPicture(of: user) else { return writer.add("picture", json: "null") }
        writer.addObject("picture") { picture in
            for (name, size) in [("small" as StaticString, PictureSize.small), ("medium", .medium), ("large", .large)] {
                line.removeAll()
                addresses.pictures.append(size, of: user, to: line)
                picture.start(name)
                picture.buffer.append(jsonString: line)
            }
        }
    }

    private func add(_ details: Details, to writer: inout ObjectWriter) {
        writer.addObjects("links", of: details.contacts.links) { link, writer in
            writer.add("label", string: link.label)
            writer.add("url", string: link.href)
        }
        writer.add("biography", string: details.biography)
    }
}
