import Directories
import SortIndex

/// An order of users and the direction in which it is read.
struct IndexScan: Hashable {
    var key: Sort.Key
    var isDescending: Bool

    /// The scan that reads the users of a page, from the page's start.
    init(_ query: UserQuery) {
        key = query.sort.key
        isDescending = (query.sort.direction == .descending) != query.start.isBackward
    }

    init(key: Sort.Key, isDescending: Bool) {
        self.key = key
        self.isDescending = isDescending
    }

    var reversed: IndexScan { IndexScan(key: key, isDescending: !isDescending) }
    var order: IndexedOrder { IndexedOrder(key) }
}

extension SeekKey {
    /// The key that a page starts from. `nil` for the first and the last page, and for a page by number, whose key has
    /// to be looked up.
    init?(_ start: UserQuery.Start, key: Sort.Key) throws {
        switch start {
        case .first, .last, .at: return nil
        case .after(let cursor), .before(let cursor):
            switch (cursor, key) {
            case (.id(let id), .id): self.init(number: .min, id: id)
            case (.text(let text, let id), _) where key.isText:
                self.init(text: Array(text.utf8), id: id)
            case (.number(let number, let id), .reputation):
                self.init(number: number ?? Schema.noReputation, id: id)
            case (.number(let number, let id), .field) where !key.isText:
                self.init(number: number ?? Schema.noReputation, id: id)
            default: throw StoreError(.invalidCursor, "\(cursor) is not a cursor of the order by \(key.name)")
            }
        }
    }
}
