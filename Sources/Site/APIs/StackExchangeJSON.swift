import Base
import People

/// Writes users as Stack Exchange's API does (the `user` type, api.stackexchange.com/docs/types/user).
///
/// Users imported from there keep their members. Members of other sources get the names and values that this API has
/// for them, members that only a network of sites has get neutral values, and unknown members are left out, as the
/// service does.
struct StackExchangeJSON {
    let request: StackExchangeRequest
    let addresses: PersonAddresses
    let body: ByteBuffer
    let scratch: ByteBuffer

    private static let columnKeys: [StaticString] = [
        "reputation", "user_type", "user_id", "link", "profile_image", "display_name",
    ]
    /// The values of `user_type`.
    private static let types = [
        "registered", "moderator", "unregistered", "team_admin", "does_not_exist",
    ]

    func append(_ person: Profile) {
        var object = ObjectWriter(body)
        let kept = JSON.Members(of: person.more)
        if kept.areStackExchanges { add(kept, to: &object) } else { addMapped(kept, of: person, to: &object) }
        object.add("reputation", number: person.reputation ?? 0)
        object.add("user_type", string: Self.types.contains(person.type) ? person.type : "registered")
        object.add("user_id", number: person.id)
        addLink(to: person, &object)
        object.start("profile_image")
        addresses.pictures.append(jsonOf: person, to: body)
        object.start("display_name")
        append(encoding: String(person.displayName))
        object.close()
    }

    /// Adds the members as imported, in their order.
    private func add(_ kept: JSON.Members, to object: inout ObjectWriter) {
        for index in kept.indices {
            let key = kept.key(at: index)
            let value = kept.value(at: index)
            if Self.columnKeys.contains(where: { key.equals($0) }) { continue }
            // `about_me` is HTML, and the other a URL.
            if let text = value.string, !key.equals("about_me"), !key.equals("website_url") {
                object.start(key)
                append(encoding: text.text)
            } else {
                object.add(key, value)
            }
        }
    }

    private func addMapped(_ kept: JSON.Members, of person: Profile, to object: inout ObjectWriter) {
        object.add("badge_counts", json: #"{"bronze":0,"silver":0,"gold":0}"#)
        object.add("account_id", number: person.id)
        object.add("is_employee", json: "false")
        if let moment = kept.moment("updated_at") { object.add("last_modified_date", number: moment) }
        if let moment = kept.moment("created_at") ?? kept.moment("created") {
            object.add("creation_date", number: moment)
        }
        if let place = kept.text("location")?.text ?? person.fields.value(of: .location)?.plainText {
            object.start("location")
            append(encoding: place)
        }
        if let address = kept[kept.has("blog") ? "blog" : "website"], address.kind == .string {
            object.start("website_url")
            object.buffer.append(address.raw)
        }
    }

    private func addLink(to person: Profile, _ object: inout ObjectWriter) {
        if let page = person.website {
            object.add("link", string: page)
        } else if !addresses.home.isEmpty {
            object.add("link") { addresses.append(pageOf: person, to: $0) }
        }
    }

    // MARK: Texts

    func append(encoding text: String) {
        scratch.removeAll()
        scratch.append(encodingEntities: text)
        body.append(jsonString: scratch)
    }
}

extension JSON.Members {
    fileprivate var areStackExchanges: Bool {
        self["account_id"]?.int64 != nil || self["badge_counts"]?.kind == .object
            || self["creation_date"]?.int64 != nil
    }

    /// The seconds since 1970 of a time in a text.
    fileprivate func moment(_ key: StaticString) -> Int64? {
        guard let text = self[key]?.string, let time = ISOTime(text.raw) else { return nil }
        return time.secondsSince1970.map { Int64($0) }
    }
}

extension ByteBuffer {
    /// Appends a text as the service's "safe" filters encode it (api.stackexchange.com/docs/filters): HTML's special
    /// characters and quotes, accented Latin letters, and characters beyond the basic plane as references; all others
    /// unchanged.
    func append(encodingEntities text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "'", "\u{A0}"..."\u{FF}", "\u{10000}"...:
                append("&#")
                append(decimal: scalar.value)
                append(";")
            default: append(utf8: String(scalar))
            }
        }
    }
}
