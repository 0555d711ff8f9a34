import Base
import JSON
import People

/// Writes users as GitHub's REST API does ("List users" and "Get a user", docs.github.com/en/rest/users/users).
struct UserJSON {
    /// Scheme, host and base path; empty if the host is not known.
    let origin: String
    let basePath: String
    let directory: Directory
    let isDefaultDirectory: Bool
    /// A buffer for the URL of the current user.
    let address: ByteBuffer
    /// The fields that `fields` contains, as indexes of the directory's. If it is empty, the member is left out.
    let fields: [Int]
    private let reader: FieldReader?
    private let pictures: PictureLinks

    init(
        origin: String, basePath: String, directory: Directory, isDefaultDirectory: Bool,
        _ configuration: Site.Configuration, address: ByteBuffer, fields: [Int]
    ) {
        self.origin = origin
        self.basePath = basePath
        self.directory = directory
        self.isDefaultDirectory = isDefaultDirectory
        self.address = address
        self.fields = fields
        pictures = PictureLinks(directory, configuration, base: origin.isEmpty ? basePath : origin)
        // Most lists need none.
        reader = fields.isEmpty ? nil : FieldReader(directory.settings)
    }

    /// Appends all rows as an array.
    func append(_ users: UserRows, to buffer: ByteBuffer) {
        buffer.append("[")
        for index in users.rows.indices {
            if index > 0 { buffer.append(",") }
            append(users, row: index, isWhole: false, to: buffer)
        }
        buffer.append("]")
    }

    /// Appends row `index` as an object with all of GitHub's keys, from the data or null. A single user (`isWhole`) has
    /// more of them, followed by all other members of the source.
    func append(_ users: UserRows, row index: Int, isWhole: Bool, to buffer: ByteBuffer) {
        users.text.withBytes { text in
            let row = users.rows[index]
            setAddress(of: text[row.login])
            var object = UserObject(buffer, more: text[row.more])
            object.writer.add("login", text: text[row.login])
            object.writer.add("id", number: row.id)
            object.addFromData("node_id")
            object.writer.start("avatar_url")
            pictures.append(jsonFor: row, text, to: buffer)
            // GitHub's own is empty, too. One of another source is a hash of an e-mail address.
            _ = object.members.take("gravatar_id")
            object.writer.add("gravatar_id", json: #""""#)
            addOwnAddress(to: &object)
            addPage(of: row, text, to: &object)
            addAddresses(to: &object)
            // Clients of GitHub's expect one.
            if row.type.isEmpty {
                object.writer.add("type", json: #""User""#)
            } else {
                object.writer.add("type", text: text[row.type])
            }
            object.addFromData("user_view_type")
            object.addFlag("site_admin")
            object.writer.add("name", text: text[row.name])
            object.writer.add("reputation", number: row.reputation)
            if let generated = row.generated.json { object.writer.add("generated", json: generated) }
            guard let reader else {
                if isWhole { addProfile(to: &object) }
                return object.writer.close()
            }
            reader.reading(row, text) {
                if isWhole { addProfile(to: &object) }
                object.writer.start("fields")
                buffer.append(fields, from: reader)
            }
            object.writer.close()
        }
    }

    /// Adds the members that only the response for a single user has: GitHub's, from the source or else from fields
    /// with the same role, and all other members of the source that no field reads.
    private func addProfile(to object: inout UserObject) {
        let settings = directory.settings
        for (key, role) in UserObject.profileKeys {
            if let role, !object.members.has(key), let value = reader?.value(of: role) {
                object.writer.start(key)
                object.writer.buffer.append(jsonString: Self.text(of: value, as: role))
            } else {
                object.addFromData(key)
            }
        }
        // `fields` has a field with its type. Under its own key, the field is also here, as the source gave it.
        let keys = Set(settings.fields.map(\.key))
        object.addRest(without: settings.readColumns.subtracting(keys).union(["fields", "generated"]))
    }

    /// GitHub gives a URL for the website and a bare address for e-mail.
    private static func text(of value: FieldValue, as role: FieldRole) -> String {
        if case .link(let url, _) = value, role == .website { return url }
        if case .boolean(let isTrue) = value { return isTrue ? "yes" : "no" }
        return value.plainText ?? ""
    }

    /// The part before paths on this server.
    private var base: String { origin.isEmpty ? basePath : origin }

    /// Adds `html_url`: the user's page at the source, or else here. Clients expect a text.
    private func addPage(of row: UserRow, _ text: Bytes, to object: inout UserObject) {
        if !row.htmlURL.isEmpty { return object.writer.add("html_url", text: text[row.htmlURL]) }
        object.writer.add("html_url") { buffer in
            buffer.append(
                userPathOf: text[row.login], below: base, directory: directory, isDefault: isDefaultDirectory)
        }
    }

    /// Adds `url`, the user's URL in this API. Clients request the members there that a list leaves out. Some request
    /// nothing from another host, so this is never the source's own URL, as on GitHub Enterprise Server.
    private func addOwnAddress(to object: inout UserObject) {
        guard !origin.isEmpty else { return object.addFromData("url") }
        _ = object.members.take("url")
        object.writer.add("url") { buffer in
            buffer.append(address)
            if isDefaultDirectory { return }
            buffer.append("?directory=")
            buffer.append(utf8: directory.slug.text)
        }
    }

    /// Adds the URLs of a user's parts, from the source, or else below the user's own URL. Clients expect texts and
    /// templates (RFC 6570).
    private func addAddresses(to object: inout UserObject) {
        for (key, suffix) in UserObject.addresses {
            let value = object.members.take(key)
            if origin.isEmpty || value?.kind == .string {
                object.add(key, scalar: value)
            } else {
                object.writer.add(key) { buffer in
                    buffer.append(address)
                    buffer.append(suffix)
                }
            }
        }
    }

    private func setAddress(of login: Bytes) {
        address.removeAll()
        address.append(utf8: origin)
        address.append("/api/v3/users/")
        address.append(percentEncoding: login)
    }
}

/// Writes one object, with members from the source.
private struct UserObject: ~Escapable {
    static let addresses: [(key: StaticString, suffix: StaticString)] = [
        ("followers_url", "/followers"), ("following_url", "/following{/other_user}"),
        ("gists_url", "/gists{/gist_id}"),
        ("starred_url", "/starred{/owner}{/repo}"), ("subscriptions_url", "/subscriptions"),
        ("organizations_url", "/orgs"), ("repos_url", "/repos"), ("events_url", "/events{/privacy}"),
        ("received_events_url", "/received_events"),
    ]
    static let profileKeys: [(key: StaticString, role: FieldRole?)] = [
        ("company", .organization), ("blog", .website), ("location", .location), ("email", .email), ("hireable", nil),
        ("bio", .about), ("twitter_username", nil), ("public_repos", nil), ("public_gists", nil), ("followers", nil),
        ("following", nil), ("created_at", nil), ("updated_at", nil),
    ]
    /// Keys that are written from columns. Members of the source with these names would be duplicates.
    static let columnKeys: [StaticString] = ["login", "id", "avatar_url", "html_url", "type", "name", "reputation"]

    var writer: ObjectWriter
    /// The members of the source that are not written yet.
    var members: JSON.Members

    @_lifetime(copy more)
    init(_ buffer: ByteBuffer, more: Bytes) {
        writer = ObjectWriter(buffer)
        members = JSON.Members(of: more)
    }

    mutating func addFromData(_ key: StaticString) { add(key, scalar: members.take(key)) }

    /// Adds true or false. False is the default.
    mutating func addFlag(_ key: StaticString) {
        writer.add(key, json: members.take(key)?.bool == true ? "true" : "false")
    }

    /// Adds a value of the source, or null. GitHub's values are strings, numbers and booleans, and clients decode them
    /// as such. An object of another source, such as the location of a character, is replaced by its name.
    mutating func add(_ key: StaticString, scalar value: JSON.LentValue?) {
        writer.start(key)
        guard let value else { return writer.buffer.append("null") }
        switch value.kind {
        case .object:
            if let name = JSON.Members(of: value.raw)["name"], name.kind == .string {
                writer.buffer.append(name.raw)
            } else {
                writer.buffer.append("null")
            }
        case .array: writer.buffer.append("null")
        default: writer.buffer.append(value.raw)
        }
    }

    mutating func addRest(without excluded: Set<String>) {
        for index in members.indices {
            let key = members.key(at: index)
            if Self.columnKeys.contains(where: { key.equals($0) }) || excluded.contains(key.text) { continue }
            writer.add(key, members.value(at: index))
        }
    }
}
