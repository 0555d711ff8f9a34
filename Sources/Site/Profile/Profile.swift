import Base
import People

/// A person as readers see them. This type, and ``Details`` for a page of the person's own, decide what is shown of a
/// row: pages, fragments, JSON, vCards and linked data only write it.
///
/// ```swift
/// let reader = page.directory.settings.makeReader()
/// reader.forEachProfile(of: page.users) { index, person in body.append(person.displayName) }
/// ```
struct Profile: ~Escapable {
    let row: UserRow
    private let text: Bytes
    /// Reads the person's fields, as long as the profile lives.
    let fields: FieldReader
    /// `Organization`, `Bot`, …; empty for an ordinary user: GitHub's `User`, Stack Exchange's `registered`.
    let type: String

    @_lifetime(copy text)
    fileprivate init(_ row: UserRow, _ text: Bytes, _ fields: FieldReader) {
        self.row = row
        self.text = text
        self.fields = fields
        // Each is asked for several times in a list.
        let (login, name) = (text[row.login], text[row.name])
        self.login = login
        self.name = name
        displayName = name.isEmpty ? login : name
        showsLogin = !row.generated.contains(.login) && !name.isEmpty && !name.equals(login)
        let type = fields.settings.typeField.flatMap { fields.value(of: $0)?.plainText } ?? ""
        self.type = ["User", "registered"].contains(type) ? "" : type
        kind = AccountKind(type: self.type)
    }

    var id: Int64 { row.id }
    /// Whether the source gave the id. One that Rollcall made is not shown.
    var showsID: Bool { !row.generated.contains(.id) }

    let login: Bytes
    /// Whether the source gave the login.
    var hasLogin: Bool { !row.generated.contains(.login) }
    /// Whether the login is worth showing: it differs from the name, and Rollcall did not make it.
    let showsLogin: Bool

    /// The name, empty without one.
    let name: Bytes
    /// The name, or the login without one.
    let displayName: Bytes

    let kind: AccountKind
    /// Whether walls leave the account out: one of a program, or with a login such as GitHub gives its apps.
    var isBot: Bool { kind == .software || login.ends(with: "[bot]") }

    /// The person's page, at the source or elsewhere, an http or https URL.
    var website: String? {
        guard case .link(let url, _) = fields.value(of: .website), url.isWebURL else { return nil }
        return url
    }

    /// The whole number that stands out beside a name.
    var reputation: Int64? { fields.settings.reputationField.flatMap(fields.wholeNumber) }

    /// The address of a photo in the data; empty without one.
    var photo: Bytes { @_lifetime(copy self) get { text[row.avatarURL] } }
    /// The members of the source's record, as JSON.
    var more: Bytes { @_lifetime(copy self) get { text[row.more] } }

    /// Whether a field with this role has a value of the source's own, and not one that Rollcall made. The address of a
    /// photo counts only where pages link it.
    func hasOwn(_ role: FieldRole?, _ pictures: PictureMode) -> Bool {
        switch role {
        case .id: showsID
        case .login: hasLogin
        case .photo: pictures == .link
        default: true
        }
    }

    /// One of twelve colours, by the id (Fibonacci hashing), so that neighbours differ.
    var hue: Int { Self.hue(of: id) }

    static func hue(of id: Int64) -> Int { Int((UInt64(bitPattern: id) &* 0x9e37_79b9_7f4a_7c15) >> 32) % 12 }
}

extension FieldReader {
    func forEachProfile(of users: UserRows, _ body: (_ index: Int, Profile) throws -> Void) rethrows {
        try users.text.withBytes { text in
            for (index, row) in users.rows.enumerated() {
                try reading(row, text) { try body(index, Profile(row, text, self)) }
            }
        }
    }

    func withProfile<Result>(
        of users: UserRows, at index: Int = 0, _ body: (Profile) throws -> Result
    ) rethrows -> Result {
        try users.text.withBytes { text in
            try reading(users.rows[index], text) { try body(Profile(users.rows[index], text, self)) }
        }
    }
}

/// The owner of an account. GitHub has all three kinds.
enum AccountKind {
    case person, organization, software

    init(type: String) {
        switch type.lowercased() {
        case "organization": self = .organization
        case "bot": self = .software
        default: self = .person
        }
    }

    /// The names of a kind: in JSON for front ends, in vCards (RFC 6350 §6.1.4), and as a type of schema.org. Then the
    /// shape of pictures on pages, and on walls: organisations have corners, and bots have six.
    typealias Names = (
        json: StaticString, vCard: StaticString, schema: StaticString, shape: StaticString, wall: StaticString
    )

    var names: Names {
        switch self {
        case .person: ("person", "individual", "Person", "", "p")
        case .organization: ("organization", "org", "Organization", "org", "o")
        case .software: ("bot", "application", "SoftwareApplication", "bot", "b")
        }
    }
}
