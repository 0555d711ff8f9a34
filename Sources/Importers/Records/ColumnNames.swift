import Directories

/// The mapping of names of members and columns to columns of ``User``.
public struct ColumnNames: Sendable {
    /// The columns by folded name, from `--map`.
    private var mapped: [String: Column] = [:]

    public init() {}

    /// Maps the member or column `name`, in any case, to `column`, with precedence over all other names.
    public mutating func map(_ column: Column, to name: String) {
        mapped[name.folded] = column
    }

    /// Reads the value of a `--map` option: `login=Column`.
    public mutating func map(_ text: String) throws(ImportError) {
        let columns = Column.allCases.map(\.rawValue).joined(separator: ", ")
        guard let sign = text.firstIndex(of: "="), let column = Column(rawValue: String(text[..<sign])),
            text.last != "="
        else {
            throw ImportError(
                "expected COLUMN=NAME, such as login=Username, where COLUMN is one of \(columns); found \"\(text)\"")
        }
        let name = String(text[text.index(after: sign)...])
        if mapped.values.contains(column) {
            throw ImportError("expected one column for \(column.rawValue), found a second one, \"\(name)\"")
        }
        if let other = mapped[name.folded] {
            throw ImportError("expected \"\(name)\" for \(other.rawValue) only, found \"\(text)\"")
        }
        map(column, to: name)
    }

    func isMapped(_ name: String) -> Bool { mapped[name.folded] != nil }

    /// Returns the mapped names that `names` does not contain.
    func missing(in names: some Sequence<String>) -> [String] {
        let present = Set(names.map(\.folded))
        return mapped.keys.filter { !present.contains($0) }.sorted()
    }

    func meaning(of name: String) -> ColumnMapping {
        let normalized = Self.normalized(name)
        var meaning = Self.known[normalized] ?? ColumnMapping()
        meaning.marks = Self.marks[name] ?? []
        if meaning.role == nil, Self.isEmail(normalized: normalized) { meaning.role = .email }
        guard !mapped.isEmpty, let column = mapped[name.folded] else { return meaning }
        meaning.role = column.role
        meaning.rank = -1
        return meaning
    }

    /// Returns the letters and digits in lower case, so that `User ID`, `user_id` and `userId` are the same name.
    private static func normalized(_ name: String) -> String {
        // Looking up Unicode properties takes ten times as long, and a record of 1 MiB may have very many names.
        if let ascii = normalizedASCII(name) { return ascii }
        return String(
            name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }

    /// Returns `nil` for a name with other characters.
    private static func normalizedASCII(_ name: String) -> String? {
        var name = name
        return name.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { kept in
                var count = 0
                for byte in bytes {
                    let lowered = byte | 0x20
                    guard (97...122).contains(lowered) || (48...57).contains(byte) else { continue }
                    kept[count] = (48...57).contains(byte) ? byte : lowered
                    count += 1
                }
                return count
            }
        }
    }

    /// Returns whether a member of this name is left out, because e-mail addresses are never stored.
    static func isEmail(_ name: String) -> Bool { isEmail(normalized: normalized(name)) }

    private static func isEmail(normalized name: String) -> Bool {
        if name == "mail" || name == "mailaddress" { return true }
        var name = name
        return name.withUTF8 { bytes in
            bytes.count >= 5 && (0...bytes.count - 5).contains { bytes[$0...].starts(with: "email".utf8) }
        }
    }

    /// In order of preference.
    private static let names: [(ColumnMapping.FieldRole, [String])] = [
        (.id, ["id", "userid", "uid"]),
        (.login, ["login", "username", "handle", "nick", "nickname", "screenname", "user"]),
        (.name, ["name", "displayname", "fullname", "realname"]),
        (.firstName, ["firstname", "givenname", "forename"]),
        (.lastName, ["lastname", "surname", "familyname"]),
        (
            .avatarURL,
            ["avatarurl", "avatar", "profileimage", "picture", "photo", "image", "pictureurl", "photourl", "imageurl"]
        ),
        (.htmlURL, ["htmlurl", "profile", "profileurl", "link", "homepage", "website", "websiteurl", "url"]),
        (.type, ["type", "usertype", "accounttype", "kind"]),
        (.reputation, ["reputation", "score", "points", "karma", "contributions", "commits"]),
    ]

    private static let known: [String: ColumnMapping] = {
        var known: [String: ColumnMapping] = [:]
        for (role, names) in names {
            for (rank, name) in names.enumerated() { known[name] = ColumnMapping(role: role, rank: rank) }
        }
        return known
    }()

    private static let marks: [String: ColumnMapping.Marks] = {
        var marks: [String: ColumnMapping.Marks] = [
            "user_id": .userID, "display_name": .displayName, "species": .species, "status": .status,
            "last_access_date": .lastAccess,
        ]
        for column in Column.allCases { marks[column.rawValue] = .own(column.role) }
        return marks
    }()
}
