import Base
import People

/// Checks the order of a walk; it keeps the last user.
///
/// The sort values are those of Rollcall: ids; loose logins; collation keys of names, or of logins of users without a
/// name; fields and last names, where users without a value come last in both directions. Equal values but those of
/// fields are ordered by id.
///
/// If this program does not have the page's collation, it cannot check an order that uses it.
struct UserOrder {
    let order: CheckedOrder
    private var last: (key: [UInt8], user: ListedUser)?

    private let collation: CollationKeys?
    /// Whether the order uses a collation that this program does not have.
    private let isUnknown: Bool

    init(_ order: CheckedOrder) {
        self.order = order
        collation = order.collation.map { CollationKeys(language: $0.language) }
        isUnknown = order.isCollated && collation == nil
    }

    /// Takes the next user. Throws what is wrong with their position.
    mutating func take(_ user: ListedUser) throws(RollcallError) {
        let key = key(of: user)
        if let last {
            try expect(user.id != last.user.id, "user \(user.id) comes twice in a row")
            try expect(
                isUnknown || isRight(last, (key, user)),
                "expected the order by \(order.description), found user \(text(user)) after user \(text(last.user))")
        }
        last = (key, user)
    }

    private func isRight(_ left: (key: [UInt8], user: ListedUser), _ right: (key: [UInt8], user: ListedUser)) -> Bool {
        switch order.value {
        case .unknown: return true
        case .field, .surname:
            if hasNoValue(right.user) { return true }
            if hasNoValue(left.user) { return false }
            // Stores differ in how they order users with equal values of a field. A walk finds anybody who comes twice.
            if left.key == right.key, left.user.sortNumber == right.user.sortNumber { return true }
        default: break
        }
        return comesBefore(left, right) != order.isDescending
    }

    private func comesBefore(_ left: (key: [UInt8], user: ListedUser), _ right: (key: [UInt8], user: ListedUser))
        -> Bool
    {
        if let (left, right) = numbers(left.user, right.user), left != right { return left < right }
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        return left.user.id < right.user.id
    }

    /// The text that the user is sorted by; empty in the orders by number.
    private func key(of user: ListedUser) -> [UInt8] {
        guard let collation, order.isCollated else { return LooseForm.sortText(text(orderedOf: user)) }
        let text = text(orderedOf: user)
        switch order.value {
        case .name(let surname): return collation.key(of: text, surname: surname)
        case .surname where text.isEmpty: return []
        case .reading where sortText(of: user).isEmpty: return collation.key(of: text)
        case .surname, .reading: return collation.key(of: text, then: String(user.name.span))
        default: return collation.key(of: text)
        }
    }

    private func text(orderedOf user: ListedUser) -> String {
        switch order.value {
        case .login: String(user.login.span)
        case .name: String(user.name.span)
        case .reading where sortText(of: user).isEmpty: String(user.name.span)
        case .reading, .field, .surname: String(sortText(of: user).span)
        case .id, .unknown: ""
        }
    }

    /// The first value of the fields that the list is sorted by; empty if the user has none.
    private func sortText(of user: ListedUser) -> [UInt8] {
        order.fields.lazy.compactMap { user.sortTexts[$0] }.first { !$0.isEmpty } ?? []
    }

    /// Whether the user comes last in both directions. A text is no number.
    private func hasNoValue(_ user: ListedUser) -> Bool {
        if case .field(_, .number) = order.value { return user.sortNumber == nil }
        return user.sortTexts.values.allSatisfy(\.isEmpty) && user.sortNumber == nil
    }

    private func numbers(_ left: ListedUser, _ right: ListedUser) -> (Double, Double)? {
        guard case .field(_, .number) = order.value, let left = left.sortNumber, let right = right.sortNumber
        else { return nil }
        return (left, right)
    }

    /// Returns the user's id with their sort value.
    private func text(_ user: ListedUser) -> String {
        switch order.value {
        case .id, .unknown: "\(user.id)"
        case .login: "\(user.id) (\(user.login.quoted))"
        case .name, .reading: "\(user.id) (\(user.name.quoted))"
        case .field, .surname: "\(user.id) (\(user.sortNumber.map { "\($0)" } ?? sortText(of: user).quoted))"
        }
    }
}
