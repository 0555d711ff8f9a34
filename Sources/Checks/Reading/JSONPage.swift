import Base

extension ListedPage {
    /// Reads the JSON of `/api/v3/users`: an array of users.
    init(json: Bytes) throws {
        var users: [ListedUser] = []
        try JSON.forEachElement(of: json) { element in
            let place = "user \(users.count + 1) of the page"
            try expect(element.kind == .object, "expected an object as \(place), found another value")
            let user = try ListedUser(json: element.raw)
            users.append(try required(user, "expected a number \"id\" and a string \"login\" in \(place)"))
        }
        self.users = users
    }
}

extension ListedUser {
    /// Returns `nil` if the object has no id or no login.
    fileprivate init?(json object: Bytes) throws {
        var (id, user) = (Int64?.none, ListedUser(id: 0))
        try JSON.forEachMember(of: object) { key, value in
            // Only a few of about thirty members matter; the first letter excludes most of the others.
            switch key.raw.first {
            case UInt8(ascii: "i") where key.equals("id"): id = value.int64
            case UInt8(ascii: "l") where key.equals("login"): user.login = value.bytes
            case UInt8(ascii: "n") where key.equals("name"): user.name = value.bytes
            case UInt8(ascii: "a") where key.equals("avatar_url"): user.avatar = value.bytes.picture
            case UInt8(ascii: "f") where key.equals("fields") && value.kind == .object:
                // The address asks for the fields that the list is sorted by.
                try JSON.forEachMember(of: value.raw) { key, value in
                    user.sortTexts[key.text] = value.bytes
                    user.sortNumber = value.kind == .number ? Double(String(value.raw)) : nil
                }
            case UInt8(ascii: "r") where key.equals("reputation"): user.reputation = value.int64
            default: break
            }
        }
        guard let id, !user.login.isEmpty else { return nil }
        user.id = id
        if user.name.isEmpty { user.name = user.login }
        self = user
    }
}

extension JSON.LentValue {
    /// The bytes of a string; empty for any other value.
    fileprivate var bytes: [UInt8] {
        guard let string else { return [] }
        return string.hasEscapes ? Array(string.text.utf8) : Array(string.raw)
    }
}
