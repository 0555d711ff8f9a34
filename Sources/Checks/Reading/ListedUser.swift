/// A user as one of the lists shows them: texts as UTF-8, empty where there is none.
struct ListedUser {
    var id: Int64
    var login: [UInt8] = []
    /// What is shown as the name: the login of those who have none.
    var name: [UInt8] = []
    /// Empty, too, where a list does not show it.
    var avatar: [UInt8] = []
    var reputation: Int64?
    /// The place in the order, from 1, where the list tells it.
    var position: Int?

    /// How this user, as another list has them, differs; `nil` where they agree.
    func difference(from expected: ListedUser) -> (field: String, expected: String, found: String)? {
        let texts = [("login", expected.login, login), ("name", expected.name, name)]
        for (field, expected, found) in texts where expected != found {
            return (field, expected.quoted, found.quoted)
        }
        if !avatar.isEmpty, avatar != expected.avatar { return ("avatar", expected.avatar.quoted, avatar.quoted) }
        if reputation != expected.reputation {
            return ("reputation", Self.text(expected.reputation), Self.text(reputation))
        }
        return nil
    }

    private static func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "none" }
}

extension [UInt8] {
    var quoted: String { isEmpty ? "none" : "“\(String(decoding: self, as: UTF8.self))”" }
}

/// A page of users as one of the lists gives it.
struct ListedPage {
    var users: [ListedUser] = []
    /// The links to the next page: as the `Link` field has it, and as HTML has it, to the page and to the fragment.
    var linked: String?
    var next: (page: String, fragment: String)?
    /// How many users there are in all, where the list tells: not of a search that finds very many.
    var total: Int?
}
