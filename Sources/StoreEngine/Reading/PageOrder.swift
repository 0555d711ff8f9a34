import Base
import People
import SortIndex

extension Page {
    /// Throws an error unless the users follow the start of `query` in its order, each after the one before.
    ///
    /// Exports, sitemaps and readers follow pages from user to user. In a damaged database, a page that is out of order
    /// would lead them in a circle.
    func checkOrder(of query: UserQuery) throws {
        if users.rows.isEmpty { return }
        let order = try IndexedOrder(query.sort, directory.settings)
        try checkRelevance(of: query)
        guard order.hasTwoIndexes else {
            return try users.text.withUnsafeBytes { text in
                try check(users.rows.map { $0.sortKey(in: order, text) }, text, of: query, order)
            }
        }
        var text: [UInt8] = []
        let keys = users.rows.map { row in
            let key = SeekKey(row, in: users, order)
            if !order.isText { return key.key }
            return key.text.withUnsafeBytes { SortKey(appending: $0, to: &text, id: row.id) }
        }
        try text.withUnsafeBytes { try check(keys, $0, of: query, order) }
    }

    /// Throws an error unless better matches come before others in the order by relevance, or after them if it is
    /// descending.
    private func checkRelevance(of query: UserQuery) throws {
        guard case .relevance = query.sort.key else { return }
        let isDescending = query.sort.direction == .descending
        for (row, next) in zip(users.rows, users.rows.dropFirst()) where row.relevance != next.relevance {
            guard isDescending == (row.relevance > next.relevance) else { throw StoreError.damagedOrder }
        }
    }

    /// Throws an error unless `keys`, whose texts are in `text`, follow the start of `query` and each other. Keys of
    /// users with another relevance are not compared.
    private func check(
        _ keys: [SortKey], _ text: UnsafeRawBufferPointer, of query: UserQuery, _ order: IndexedOrder
    ) throws {
        let isDescending = query.sort.isReadBackwards
        let rows = users.rows
        for (index, (key, next)) in zip(keys, keys.dropFirst()).enumerated()
        where rows[index].relevance == rows[index + 1].relevance {
            let place = key.compare(in: text, to: next, in: text)
            guard isDescending ? place > 0 : place < 0 else { throw StoreError.damagedOrder }
        }
        guard let bound = try SeekKey(query.start, order) else { return }
        let edgeIndex = query.start.isBackward ? keys.count - 1 : 0
        if let relevance = query.start.cursor?.relevance, relevance != rows[edgeIndex].relevance { return }
        let edge = keys[edgeIndex]
        let place = bound.text.withUnsafeBytes { edge.compare(in: text, to: bound.key, in: $0) }
        guard isDescending == query.start.isBackward ? place > 0 : place < 0 else { throw StoreError.damagedOrder }
    }
}

extension UserRow {
    /// The key in an order by id, login or name. The text of the row is in `text`.
    fileprivate func sortKey(in order: IndexedOrder, _ text: UnsafeRawBufferPointer) -> SortKey {
        switch order.kind {
        case .id, .number: SortKey(number: .min, id: id)
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
