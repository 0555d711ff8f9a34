import People
import Indexes

/// An order that has a sort index.
///
/// The orders by id, login and name are read in both directions. Each order of the settings has two indexes, one for
/// each direction, because users without a value come last in both: the keys of the second one are complemented, so
/// that both are read from their smallest key.
package struct IndexedOrder: Hashable {
    /// The number that the column `sort` of `userBlockDirectory` has. It is the index of the order among ``all(_:)``.
    package let number: Int64
    package let kind: SortKey.Kind
    /// The position among the ``OrderKeys`` of a user; `nil` for an order by a column of users.
    let position: Int?
    /// Whether users may have no value, so that the order has two indexes.
    let hasTwoIndexes: Bool
    /// Whether the keys are complemented.
    let isReversed: Bool

    package static let id = IndexedOrder(0, .id)
    package static let login = IndexedOrder(1, .text)
    package static let name = IndexedOrder(2, .text, position: OrderKeys.namePosition)
    package static let common = [id, login, name]

    private init(_ number: Int64, _ kind: SortKey.Kind, position: Int? = nil) {
        (self.number, self.kind, self.position, hasTwoIndexes, isReversed) = (number, kind, position, false, false)
    }

    private init(_ index: Int, _ order: FieldOrder, isReversed: Bool) {
        number = Int64(Self.common.count + 2 * index + (isReversed ? 1 : 0))
        kind = order.kind == .text ? .text : .number
        position = OrderKeys.position(ofOrder: index)
        hasTwoIndexes = true
        self.isReversed = isReversed
    }

    /// The orders of a directory with `settings`, by number.
    package static func all(_ settings: ShownSettings) -> [IndexedOrder] {
        common
            + settings.orders.enumerated().flatMap { index, order in
                [false, true].map { IndexedOrder(index, order, isReversed: $0) }
            }
    }

    /// The index to read for `sort` in a directory with `settings`. Throws if they no longer have this order.
    init(_ sort: Sort, _ settings: ShownSettings) throws {
        switch sort.key {
        case .id: self = .id
        case .login: self = .login
        case .name: self = .name
        case .field(let order):
            let index = settings.orders.firstIndex { $0.key == order.key && $0.kind == order.kind }
            guard let index else {
                throw StoreError(
                    .unknownOrder, "the directory can no longer be sorted by \(sort.key.name); reload the page")
            }
            self.init(index, settings.orders[index], isReversed: sort.direction == .descending)
        case .relevance(let base): try self.init(base, settings)
        }
    }

    /// The index of this order among ``all(_:)``.
    var index: Int { Int(number) }

    var isText: Bool { kind == .text }
}

extension Sort {
    /// Whether the users of this order are read from the end of the index on. In the order by relevance, those of one
    /// relevance.
    var isReadBackwards: Bool {
        switch key {
        case .field: false
        case .relevance(let base): base.isReadBackwards != (direction == .descending)
        case .id, .login, .name: direction == .descending
        }
    }
}

// MARK: - Keys

extension IndexedOrder {
    /// Returns the index's encoding of `number`. Users without one come last.
    func key(_ number: Int64?) -> Int64 {
        guard let number else { return .max }
        // The greatest key is taken. So the least number counts as the next one; no field has either.
        let clamped = max(number, .min + 1)
        return isReversed ? ~clamped : clamped - 1
    }

    func number(_ key: Int64) -> Int64? {
        if key == .max { return nil }
        return isReversed ? ~key : key + 1
    }

    /// Returns the index's encoding of `text`, which is empty for a user without one.
    func key(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        guard hasTwoIndexes else { return Array(text) }
        // No collation key begins with the byte 255 or 0.
        if text.isEmpty { return isReversed ? [255, 255] : [255] }
        return isReversed ? text.map { ~$0 } + [255] : Array(text)
    }

    /// Calls `body` with the key of a user in the index. In the order by id, all have the least number.
    ///
    /// - Parameter keys: The user's ``OrderKeys``.
    @inline(__always) func withKey<Result>(
        of keys: UnsafeRawBufferPointer, login: @autoclosure () -> UnsafeRawBufferPointer,
        _ body: (OrderKeys.Key) throws -> Result
    ) rethrows -> Result {
        guard let position else {
            return try body(isText ? .text(login()) : .number(.min))
        }
        let found = keys.orderKey(at: position)
        guard isText else {
            if case .number(let number) = found { return try body(.number(key(number))) }
            return try body(.number(key(nil)))
        }
        let text = if case .text(let own) = found { own } else { UnsafeRawBufferPointer.empty }
        // The index has most keys as they are.
        if !text.isEmpty, !isReversed { return try body(.text(text)) }
        return try key(text).withUnsafeBytes { try body(.text($0)) }
    }

    /// Appends the text that `key` encodes to `rows`.
    func withText<Result>(
        _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard hasTwoIndexes else { return try body(key) }
        if key.first == 255 && key.count == (isReversed ? 2 : 1) { return try body(.empty) }
        if !isReversed { return try body(key) }
        return try key.dropLast().map { ~$0 }.withUnsafeBytes(body)
    }
}
