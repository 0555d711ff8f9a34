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
    private var last: Place?
    private let collation: CollationKeys?
    /// Whether this program cannot tell whether a user comes before another one.
    private let isUnknown: Bool

    init(_ order: CheckedOrder) {
        self.order = order
        collation = order.isCollated ? order.collation.map { CollationKeys(language: $0.language) } : nil
        isUnknown = order.value == .unknown || (order.isCollated && collation == nil)
    }

    /// A user, and what the order compares.
    private struct Place: CustomStringConvertible {
        let user: ListedUser
        /// What a message says of it; `nil` in the order by id.
        var shown: [UInt8]?
        /// `nil` in the orders by text.
        var number: Double?
        /// Empty in the orders by number.
        var key: [UInt8] = []
        /// Whether the user has no value of a field, and comes last in both directions.
        var isLast = false

        /// The user's id with their sort value.
        var description: String {
            guard let shown else { return "\(user.id)" }
            return "\(user.id) (\(number.map { "\($0)" } ?? shown.quoted))"
        }
    }

    /// Takes the next user. Throws what is wrong with their position.
    mutating func take(_ user: ListedUser) throws(RollcallError) {
        let place = place(of: user)
        if let last {
            try expect(user.id != last.user.id, "user \(user.id) comes twice in a row")
            try expect(
                isUnknown || isRight(last, place),
                "expected the order by \(order.description), found user \(place) after user \(last)")
        }
        last = place
    }

    private func place(of user: ListedUser) -> Place {
        let own = sortText(of: user)
        switch order.value {
        case .id, .unknown: return Place(user: user)
        case .login: return Place(user: user, shown: user.login, key: key(of: user.login))
        case .name(let surname): return Place(user: user, shown: user.name, key: key(of: user.name, surname: surname))
        case .reading where own.isEmpty: return Place(user: user, shown: user.name, key: key(of: user.name))
        case .reading: return Place(user: user, shown: user.name, key: key(of: own, then: user.name))
        case .surname where own.isEmpty: return Place(user: user, shown: own, isLast: true)
        case .surname: return Place(user: user, shown: own, key: key(of: own, then: user.name))
        // A text does not count as a number.
        case .number:
            return Place(user: user, shown: own, number: user.sortNumber, isLast: user.sortNumber == nil)
        case .date, .text: return Place(user: user, shown: own, key: key(of: own), isLast: own.isEmpty)
        }
    }

    private func key(of text: [UInt8], surname: Surname? = nil) -> [UInt8] {
        let text = String(text.span)
        return collation?.key(of: text, surname: surname) ?? LooseForm.sortText(text)
    }

    private func key(of first: [UInt8], then second: [UInt8]) -> [UInt8] {
        collation?.key(of: String(first.span), then: String(second.span)) ?? []
    }

    private func isRight(_ left: Place, _ right: Place) -> Bool {
        if right.isLast { return true }
        if left.isLast { return false }
        if !order.fields.isEmpty, order.value != .reading, left.key == right.key, left.number == right.number {
            // Stores differ in how they order users with equal values of a field. A walk finds anybody who comes twice.
            return true
        }
        return comesBefore(left, right) != order.isDescending
    }

    private func comesBefore(_ left: Place, _ right: Place) -> Bool {
        if let left = left.number, let right = right.number, left != right { return left < right }
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        return left.user.id < right.user.id
    }

    /// The first value of the fields that the list is sorted by; empty if the user has none.
    private func sortText(of user: ListedUser) -> [UInt8] {
        order.fields.lazy.compactMap { user.sortTexts[$0] }.first { !$0.isEmpty } ?? []
    }
}
