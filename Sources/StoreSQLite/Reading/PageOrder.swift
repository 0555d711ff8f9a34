import Bytes
import Directories
import SortIndex

extension Page {
    /// Throws an error unless the users follow the start of `query` in its order, each after the one before.
    ///
    /// Exports, sitemaps and readers follow pages from user to user. In a damaged database, a page that is out of order
    /// would lead them in a circle.
    func checkOrder(of query: UserQuery) throws {
        if users.rows.isEmpty { return }
        let order = try IndexedOrder(query.sort, directory.plan)
        guard order.position != nil else {
            return try users.text.withUnsafeBytes { text in
                try Self.check(users.rows.map { $0.sortKey(in: order, text) }, text, of: query, order)
            }
        }
        var text: [UInt8] = []
        let keys = users.rows.map { row in
            let key = SeekKey(row, in: users, order)
            if !order.isText { return key.key }
            return key.text.withUnsafeBytes { SortKey(appending: $0, to: &text, id: row.id) }
        }
        try text.withUnsafeBytes { try Self.check(keys, $0, of: query, order) }
    }

    /// Throws an error unless `keys`, whose texts are in `text`, follow the start of `query` and each other.
    private static func check(
        _ keys: [SortKey], _ text: UnsafeRawBufferPointer, of query: UserQuery, _ order: IndexedOrder
    ) throws {
        let isDescending = query.sort.isReadBackwards
        for (key, next) in zip(keys, keys.dropFirst()) {
            let place = key.compare(in: text, to: next, in: text)
            guard isDescending ? place > 0 : place < 0 else { throw StoreError.damagedOrder }
        }
        guard let bound = try SeekKey(query.start, order) else { return }
        let edge = query.start.isBackward ? keys[keys.count - 1] : keys[0]
        let place = bound.text.withUnsafeBytes { edge.compare(in: text, to: bound.key, in: $0) }
        guard isDescending == query.start.isBackward ? place > 0 : place < 0 else { throw StoreError.damagedOrder }
    }
}

extension UserRow {
    /// The key in an order that every directory has. The text of the row is in `text`.
    fileprivate func sortKey(in order: IndexedOrder, _ text: UnsafeRawBufferPointer) -> SortKey {
        switch order.kind {
        case .id: SortKey(number: .min, id: id)
        case .number: SortKey(number: order.key(reputation), id: id)
        case .text: SortKey(text: sortText, in: text, id: id)
        }
    }
}

extension SeekKey {
    /// Returns a negative number, zero or a positive number as this key comes before, at or after `other`.
    func compare(to other: SeekKey) -> Int {
        text.withUnsafeBytes { text in
            other.text.withUnsafeBytes { key.compare(in: text, to: other.key, in: $0) }
        }
    }
}
