import Base
import People

/// Writes users as GitHub's REST API does ("List users" and "Get a user", docs.github.com/en/rest/users/users).
struct UserJSON {
    let addresses: PersonAddresses
    /// A buffer for the URL of the current user.
    let address: ByteBuffer
    /// The fields that `fields` contains, as indexes of the directory's. If it is empty, the member is left out.
    let fields: [Int]

    private var directory: Directory { addresses.directory }

    func append(_ users: UserRows, to buffer: ByteBuffer) {
        buffer.append(users, of: directory) { append($0, isWhole: false, to: buffer) }
    }

    /// Appends a user as an object with all of GitHub's keys, from the data or null. A single user (`isWhole`) has
    /// more of them, followed by all other members of the source.
    func append(_ person: Profile, isWhole: Bool, to buffer: ByteBuffer) {
        setAddress(of: person)
        var object = UserObject(buffer, more: person.more)
        object.writer.add("login", text: person.login)
        object.writer.add("id", number: person.id)
        object.addFromData("node_id")
        object.writer.start("avatar_url")
        addresses.pictures.append(jsonOf: person, to: buffer)
        // GitHub's own is empty, too. One of another source is a hash of an e-mail address.
        _ = object.members.take("gravatar_id")
        object.writer.add("gravatar_id", json: #""""#)
        addOwnAddress(to: &object)
        addPage(of: person, to: &object)
        addAddresses(to: &object)
        // Clients of GitHub's expect one.
        object.writer.add("type", string: person.type.isEmpty ? "User" : person.type)
        object.addFromData("user_view_type")
        object.writer.add("site_admin", flag: object.members.take("site_admin")?.bool == true)
        object.writer.add("name", text: person.name)
        object.writer.add("reputation", number: person.reputation)
        if let generated = person.row.generated.json { object.writer.add("generated", json: generated) }
        if isWhole { addProfile(of: person, to: &object) }
        if !fields.isEmpty {
            object.writer.start("fields")
            buffer.append(fields, from: person.fields)
        }
        object.writer.close()
    }

    /// Adds the members that only the response for a single user has: GitHub's, from the source or else from fields
    /// with the same role, and all other members of the source that no field reads.
    private func addProfile(of person: Profile, to object: inout UserObject) {
        let settings = directory.settings
        for (key, role) in UserObject.profileKeys {
            // A service has its page of a person as the website, which is `html_url`.
            let isPage = role == .website && settings.columns.isEmpty
            if let role, !isPage, !object.members.has(key), let value = person.fields.value(of: role) {
                object.writer.add(key, string: Self.text(of: value, as: role))
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

    /// Adds `html_url`: the user's page at the source, or else here. Clients expect a text.
    private func addPage(of person: Profile, to object: inout UserObject) {
        if let page = person.website { return object.writer.add("html_url", string: page) }
        object.writer.add("html_url") { addresses.append(pageOf: person, to: $0) }
    }

    /// Adds `url`, the user's URL in this API. Clients request the members there that a list leaves out. Some request
    /// nothing from another host, so this is never the source's own URL, as on GitHub Enterprise Server.
    private func addOwnAddress(to object: inout UserObject) {
        guard !addresses.home.isEmpty else { return object.addFromData("url") }
        _ = object.members.take("url")
        object.writer.add("url") { buffer in
            buffer.append(address)
            var query = QueryWriter(buffer)
            query.add(addresses.linked)
        }
    }

    /// Adds the URLs of a user's parts, from the source, or else below the user's own URL. Clients expect texts and
    /// templates (RFC 6570).
    private func addAddresses(to object: inout UserObject) {
        for (key, suffix) in UserObject.addresses {
            let value = object.members.take(key)
            if addresses.home.isEmpty || value?.kind == .string {
                object.add(key, scalar: value)
            } else {
                object.writer.add(key) { buffer in
                    buffer.append(address)
                    buffer.append(suffix)
                }
            }
        }
    }

    private func setAddress(of person: Profile) {
        address.removeAll()
        address.append(utf8: addresses.home)
        address.append("/api/v3/users/")
        address.append(percentEncoding: person.login)
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
