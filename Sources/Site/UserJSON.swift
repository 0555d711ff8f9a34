import Bytes
import Directories
import JSON

/// Users as GitHub's REST API gives them ("List users" and "Get a user", docs.github.com/en/rest/users/users).
extension UserRows {
    /// Appends all rows as a bare array.
    func appendJSON(to buffer: ByteBuffer) {
        buffer.append("[")
        for index in rows.indices {
            if index > 0 { buffer.append(",") }
            appendJSON(row: index, isWhole: false, to: buffer)
        }
        buffer.append("]")
    }

    /// Appends row `index` as an object with all of GitHub's keys: from the data, or null. A single user (`isWhole`) has
    /// more of them, and then whatever else the source gave.
    func appendJSON(row index: Int, isWhole: Bool, to buffer: ByteBuffer) {
        text.withUnsafeBytes { text in
            let row = rows[index]
            var object = UserObject(buffer, more: text[row.more])
            object.add("login", text: text[row.login])
            object.add("id", number: row.id)
            object.addFromData(UserObject.identityKeys)
            object.add("avatar_url", text: text[row.avatarURL])
            object.addFromData(UserObject.avatarKeys)
            object.add("html_url", text: text[row.htmlURL])
            object.addFromData(UserObject.linkKeys)
            object.add("type", text: text[row.type])
            object.addFromData(UserObject.roleKeys)
            object.add("name", text: text[row.name])
            object.add("reputation", number: row.reputation)
            if isWhole {
                object.addFromData(UserObject.profileKeys)
                object.addRest()
            }
            object.close()
        }
    }
}

/// Writes one object, taking what it lacks from what the source gave.
private struct UserObject {
    static let identityKeys: [StaticString] = ["node_id"]
    static let avatarKeys: [StaticString] = ["gravatar_id", "url"]
    static let linkKeys: [StaticString] = [
        "followers_url", "following_url", "gists_url", "starred_url", "subscriptions_url", "organizations_url",
        "repos_url",
        "events_url", "received_events_url",
    ]
    static let roleKeys: [StaticString] = ["user_view_type", "site_admin"]
    static let profileKeys: [StaticString] = [
        "company", "blog", "location", "email", "hireable", "bio", "twitter_username", "public_repos", "public_gists",
        "followers", "following", "created_at", "updated_at",
    ]
    /// Keys that are written from columns; a source's own members of these names would be doubles.
    static let columnKeys: [StaticString] = ["login", "id", "avatar_url", "html_url", "type", "name", "reputation"]

    private let buffer: ByteBuffer
    private var members: [(key: JSONString, value: JSONValue, isWritten: Bool)] = []
    private var isFirst = true

    init(_ buffer: ByteBuffer, more: UnsafeRawBufferPointer) {
        self.buffer = buffer
        buffer.append("{")
        guard !more.isEmpty else { return }
        var members = members
        // What is in the database was checked when it came in; a foreign row that is no object has just no members.
        try? JSON.forEachMember(of: more) { members.append(($0, $1, false)) }
        self.members = members
    }

    mutating func add(_ key: StaticString, text: UnsafeRawBufferPointer) {
        startMember(key)
        if text.isEmpty { buffer.append("null") } else { buffer.append(jsonString: text) }
    }

    mutating func add(_ key: StaticString, number: Int64?) {
        startMember(key)
        if let number { buffer.append(decimal: number) } else { buffer.append("null") }
    }

    mutating func addFromData(_ keys: [StaticString]) {
        for key in keys {
            startMember(key)
            if let index = members.firstIndex(where: { $0.key.equals(key) }) {
                append(scalar: members[index].value)
                members[index].isWritten = true
            } else {
                buffer.append("null")
            }
        }
    }

    /// GitHub's values are texts, numbers and truth values; clients decode them as such. Of another source's object, such
    /// as the location of a character, its name stands for it.
    private func append(scalar value: JSONValue) {
        var name: JSONValue?
        switch value.kind {
        case .object: try? JSON.forEachMember(of: value.raw) { if $0.equals("name"), $1.kind == .string { name = $1 } }
        case .array: break
        default: name = value
        }
        if let name { buffer.append(name.raw) } else { buffer.append("null") }
    }

    mutating func addRest() {
        for member in members where !member.isWritten && !Self.columnKeys.contains(where: { member.key.equals($0) }) {
            buffer.append(",\"")
            buffer.append(member.key.raw)
            buffer.append("\":")
            buffer.append(member.value.raw)
        }
    }

    func close() { buffer.append("}") }

    private mutating func startMember(_ key: StaticString) {
        buffer.append(isFirst ? "\"" : ",\"")
        isFirst = false
        buffer.append(key)
        buffer.append("\":")
    }
}
