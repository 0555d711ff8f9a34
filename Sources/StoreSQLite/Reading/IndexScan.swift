import Bytes
import Directories

/// A way through the users of a directory, in an order or against it.
struct IndexScan: Hashable {
    var key: Sort.Key
    var isDescending: Bool

    /// The way of a page from its start.
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

/// The place a page starts from.
struct SeekKey {
    let place: SortKey
    /// The text of `place`.
    let text: [UInt8]

    /// `nil` for a page from an end, and for one at a position: where that is takes reading.
    init?(_ start: UserQuery.Start, key: Sort.Key) throws {
        switch start {
        case .first, .last, .at: return nil
        case .after(let cursor), .before(let cursor):
            switch (cursor, key) {
            case (.id(let id), .id): self.init(number: .min, id: id)
            case (.text(let text, let id), .login), (.text(let text, let id), .name):
                self.init(text: Array(text.utf8), id: id)
            case (.number(let number, let id), .reputation):
                self.init(number: number ?? Schema.noReputation, id: id)
            default: throw StoreError(.invalidCursor, "\(cursor) is no cursor of the order by \(key.rawValue)")
            }
        }
    }

    init(number: Int64, id: Int64) {
        place = SortKey(number: number, id: id)
        text = []
    }

    init(text: [UInt8], id: Int64) {
        self.text = text
        place = text.withUnsafeBytes { SortKey(text: Slice(offset: 0, count: $0.count), in: $0, id: id) }
    }
}
