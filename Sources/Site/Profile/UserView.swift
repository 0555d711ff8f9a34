import Base
import People

/// A row as pages show it: views of the page's text, valid as long as that text.
struct UserView {
    /// The row, and the text of the page.
    let row: UserRow
    let text: UnsafeRawBufferPointer
    let id: Int64
    let login: UnsafeRawBufferPointer
    let displayName: UnsafeRawBufferPointer
    /// Whether the login is worth showing: it differs from the name, and Rollcall did not make it.
    let showsLogin: Bool
    /// Whether the source gave the login.
    let hasLogin: Bool
    /// Whether the source gave the id. One that Rollcall made is not shown.
    let showsID: Bool
    /// An http or https URL, or empty.
    let htmlURL: UnsafeRawBufferPointer
    /// Empty for an ordinary user.
    let type: UnsafeRawBufferPointer
    let reputation: Int64?
    let more: UnsafeRawBufferPointer
    /// The values that fields are read from.
    let record: FieldRecord
    /// Whether the user's page has `noindex`.
    let isNoIndex: Bool

    init(_ row: UserRow, _ text: UnsafeRawBufferPointer) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        (self.row, self.text) = (row, text)
        id = row.id
        reputation = row.reputation
        login = text[row.login]
        more = text[row.more]
        let name = text[row.name]
        hasLogin = !row.generated.contains(.login)
        showsLogin = hasLogin && !name.isEmpty && !name.elementsEqual(login)
        showsID = !row.generated.contains(.id)
        record = FieldRecord(row, text)
        isNoIndex = row.isNoIndex
        displayName = name.isEmpty ? login : name
        // Imports check this, but another program may have written the database: no `javascript:` links.
        htmlURL = text[row.htmlURL].isWebURL ? text[row.htmlURL] : nothing
        type = text[row.type].equals("User") ? nothing : text[row.type]
    }

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

    var kind: AccountKind { AccountKind(type: type) }

    /// The shape of the picture: organisations have corners, and bots have six. Empty for a person.
    var shape: String {
        switch kind {
        case .person: ""
        case .organization: "org"
        case .software: "bot"
        }
    }

    /// One of twelve colours, by the id (Fibonacci hashing), so that neighbours differ.
    var hue: Int { Self.hue(of: id) }

    static func hue(of id: Int64) -> Int { Int((UInt64(bitPattern: id) &* 0x9e37_79b9_7f4a_7c15) >> 32) % 12 }
}

/// The owner of an account. GitHub has all three kinds.
enum AccountKind {
    case person, organization, software

    init(type: UnsafeRawBufferPointer) {
        if type.equals(ignoringCase: "organization") {
            self = .organization
        } else {
            self = type.equals(ignoringCase: "bot") ? .software : .person
        }
    }
}
