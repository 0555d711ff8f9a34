import Bytes
import Directories

/// Checks the order of a walk; it keeps the last user.
///
/// The sort values are those of Rollcall: ids; folded logins; folded names, or logins of users without a name;
/// reputations, where no reputation comes first; fields, where users without a value come last in both directions.
/// Equal values but those of fields are ordered by id.
struct UserOrder {
    let order: CheckedOrder
    private var last: (key: [UInt8], user: ListedUser)?
    private let scratch = ByteBuffer(capacity: 256)

    init(_ order: CheckedOrder) { self.order = order }

    /// Checks the next user. Returns what is wrong with their position, or `nil`.
    mutating func take(_ user: ListedUser) -> String? {
        let key = key(of: user)
        defer { last = (key, user) }
        guard let last else { return nil }
        if user.id == last.user.id { return "user \(user.id) comes twice in a row" }
        if isRight((last.key, last.user), (key, user)) { return nil }
        return
            "expected the order by \(order.description), "
            + "found user \(text(user)) after user \(text(last.user))"
    }

    private func isRight(_ left: (key: [UInt8], user: ListedUser), _ right: (key: [UInt8], user: ListedUser)) -> Bool {
        switch order.value {
        case .unknown: return true
        case .field:
            if right.user.hasNoSortValue { return true }
            if left.user.hasNoSortValue { return false }
            // Stores differ in how they order users with equal values of a field. A walk finds anybody who comes twice.
            if left.key == right.key, left.user.sortNumber == right.user.sortNumber { return true }
        default: break
        }
        return comesBefore(left, right) != order.isDescending
    }

    private func comesBefore(_ left: (key: [UInt8], user: ListedUser), _ right: (key: [UInt8], user: ListedUser))
        -> Bool
    {
        if order.value == .reputation, left.user.reputation != right.user.reputation {
            return (left.user.reputation ?? .min) < (right.user.reputation ?? .min)
        }
        if let (left, right) = numbers(left.user, right.user), left != right { return left < right }
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        return left.user.id < right.user.id
    }

    /// The text that the user is sorted by; empty in the orders by number.
    private func key(of user: ListedUser) -> [UInt8] {
        let text: [UInt8]
        switch order.value {
        case .login: text = user.login
        case .name: text = user.name
        case .field: text = user.sortText
        case .id, .reputation, .unknown: return []
        }
        scratch.removeAll()
        let folded = text.withUnsafeBytes { scratch.append(folding: $0) }
        return Array(scratch.bytes[folded].sortText)
    }

    private func numbers(_ left: ListedUser, _ right: ListedUser) -> (Double, Double)? {
        guard case .field(_, isNumber: true) = order.value, let left = left.sortNumber, let right = right.sortNumber
        else { return nil }
        return (left, right)
    }

    /// Returns the user's id with their sort value.
    private func text(_ user: ListedUser) -> String {
        switch order.value {
        case .id, .unknown: "\(user.id)"
        case .login: "\(user.id) (\(user.login.quoted))"
        case .name: "\(user.id) (\(user.name.quoted))"
        case .field: "\(user.id) (\(user.sortNumber.map { "\($0)" } ?? user.sortText.quoted))"
        case .reputation: "\(user.id) (\(user.reputation.map { "\($0)" } ?? "none"))"
        }
    }
}

extension ListedUser {
    fileprivate var hasNoSortValue: Bool { sortText.isEmpty && sortNumber == nil }
}
