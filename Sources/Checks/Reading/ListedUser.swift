import Base
import People

/// A user as shown in one of the lists. Texts are UTF-8, and empty if absent.
struct ListedUser {
    var id: Int64
    var login: [UInt8] = []
    /// The displayed name: the login if the user has no name.
    var name: [UInt8] = []
    /// Also empty if a list does not show it.
    var avatar: [UInt8] = []
    var reputation: Int64?
    /// The values of the fields that the list is sorted by, as texts, by key. A number is in `sortNumber`, too.
    var sortTexts: [String: [UInt8]] = [:]
    var sortNumber: Double?
    /// The position in the order, from 1, if the list contains it.
    var position: Int?

    /// Returns the first difference between this user and `expected`, the same user in another list, or `nil` if they
    /// agree.
    func difference(from expected: ListedUser) -> (field: String, expected: String, found: String)? {
        let texts = [("login", expected.login, login), ("name", expected.name, name)]
        for (field, expected, found) in texts where expected != found {
            return (field, expected.quoted, found.quoted)
        }
        if !avatar.isEmpty, avatar != expected.avatar { return ("avatar", expected.avatar.quoted, avatar.quoted) }
        if reputation != expected.reputation {
            return ("reputation", expected.reputation.orNone, reputation.orNone)
        }
        return nil
    }
}

extension Optional where Wrapped: BinaryInteger {
    var orNone: String { map { "\($0)" } ?? "none" }
}

extension [UInt8] {
    /// The address of a picture as all lists have it: JSON has absolute addresses for the pictures that Rollcall draws,
    /// and initials for users without a picture.
    var picture: [UInt8] {
        let address = span
        if DrawnPicture.isInitials(address) { return [] }
        // Lists have a stored picture in one size each, so its key is compared.
        let start = address.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        if address[..<start].ends(with: PictureAddress.prefix),
            let picture = PictureAddress(afterPrefix: address[start...])
        {
            return Array("\(picture.key)".utf8)
        }
        return address.firstIndex(of: DrawnPicture.facePrefix).map { Array(address[$0...]) } ?? self
    }

    var quoted: String { isEmpty ? "none" : "“\(String(span))”" }
}

/// A page of users from one of the lists.
struct ListedPage {
    var users: [ListedUser] = []
    /// The links to the next page: in the `Link` field, and in HTML, to the page and to the fragment.
    var linked: String?
    var next: (page: String, fragment: String)?
    /// The total number of users. A list does not contain it for a search with very many matches.
    var total: Int?
}
