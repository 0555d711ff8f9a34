import People
import SortIndex

/// A sort index and the direction in which it is read.
package struct IndexScan: Hashable {
    package var order: IndexedOrder
    package var isDescending: Bool

    /// The scan that reads the users of a page, from the page's start.
    init(_ query: UserQuery, _ settings: ResolvedSettings) throws {
        self.init(
            order: try IndexedOrder(query.sort, settings),
            isDescending: query.sort.isReadBackwards != query.start.isBackward)
    }

    package init(order: IndexedOrder, isDescending: Bool) {
        self.order = order
        self.isDescending = isDescending
    }

    var reversed: IndexScan { IndexScan(order: order, isDescending: !isDescending) }
}

extension SeekKey {
    /// The key that a page of `order` starts from. `nil` for the first and the last page, and for a page by number or
    /// letter, whose key has to be looked up.
    init?(_ start: UserQuery.Start, _ order: IndexedOrder) throws {
        switch start {
        case .first, .last, .at, .letter: return nil
        case .after(let cursor), .before(let cursor):
            switch (cursor.base, order.kind) {
            // The order by a hidden reputation is read by id: see `IndexedOrder`.
            case (.id(let id), .id), (.number(_, let id), .id): self.init(number: .min, id: id)
            case (.text(var text, let id), .text):
                self.init(text: text.withUTF8 { order.key(UnsafeRawBufferPointer($0)) }, id: id)
            case (.key(let key, _, let id), .text):
                self.init(text: key.withUnsafeBytes { order.key($0) }, id: id)
            case (.number(let number, let id), .number): self.init(number: order.key(number), id: id)
            default: throw StoreError(.invalidCursor, "\(cursor) is not a cursor of the order")
            }
        }
    }

    /// The key of a row of `rows` in `order`.
    init(_ row: UserRow, in rows: UserRows, _ order: IndexedOrder) {
        switch order.kind {
        case .id: self.init(number: .min, id: row.id)
        case .number where order.isReputation: self.init(number: order.key(row.reputation), id: row.id)
        case .number: self.init(number: order.key(row.sortNumber), id: row.id)
        case .text: self.init(text: rows.text.withUnsafeBytes { order.key($0[row.sortText]) }, id: row.id)
        }
    }
}
