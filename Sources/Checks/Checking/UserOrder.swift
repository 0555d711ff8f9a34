import Bytes
import Directories

/// Checks the order of a walk; it keeps the last user.
///
/// The sort values are those of Rollcall: ids; folded logins; folded names, or logins of users without a name;
/// reputations, where no reputation comes first. Equal values are ordered by id. So each order is total, and no user
/// can appear twice in it.
struct UserOrder {
    let sort: Sort
    private var last: (key: [UInt8], user: ListedUser)?
    private let scratch = ByteBuffer(capacity: 256)

    init(_ sort: Sort) { self.sort = sort }

    /// Checks the next user. Returns what is wrong with their position, or `nil`.
    mutating func take(_ user: ListedUser) -> String? {
        let key = key(of: user)
        defer { last = (key, user) }
        guard let last else { return nil }
        if user.id == last.user.id { return "user \(user.id) comes twice in a row" }
        let isAfter = comesBefore((last.key, last.user), (key, user))
        if isAfter == (sort.direction == .ascending) { return nil }
        return
            "expected the order by \(sort.key.name), \(sort.direction.rawValue), "
            + "found user \(text(user)) after user \(text(last.user))"
    }

    private func comesBefore(_ left: (key: [UInt8], user: ListedUser), _ right: (key: [UInt8], user: ListedUser))
        -> Bool
    {
        if sort.key == .reputation, left.user.reputation != right.user.reputation {
            return (left.user.reputation ?? .min) < (right.user.reputation ?? .min)
        }
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        return left.user.id < right.user.id
    }

    /// The text that the user is sorted by; empty in the orders by number.
    private func key(of user: ListedUser) -> [UInt8] {
        guard sort.key == .login || sort.key == .name else { return [] }
        scratch.removeAll()
        let folded = (sort.key == .login ? user.login : user.name).withUnsafeBytes { scratch.append(folding: $0) }
        return Array(scratch.bytes[folded].sortText)
    }

    /// Returns the user's id with their sort value.
    private func text(_ user: ListedUser) -> String {
        switch sort.key {
        case .id: "\(user.id)"
        case .login: "\(user.id) (\(user.login.quoted))"
        case .name: "\(user.id) (\(user.name.quoted))"
        case .field: "\(user.id)"
        case .reputation: "\(user.id) (\(user.reputation.map { "\($0)" } ?? "none"))"
        }
    }
}
