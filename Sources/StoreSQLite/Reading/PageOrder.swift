import Bytes
import Directories
import SortIndex

extension Page {
    /// Throws an error unless the users follow the start of `query` in its order, each after the one before.
    ///
    /// Exports, sitemaps and readers follow pages from user to user. In a damaged database, a page that is out of order
    /// would lead them in a circle.
    func checkOrder(of query: UserQuery) throws {
        let rows = users.rows
        guard let first = rows.first, let last = rows.last else { return }
        let key = query.sort.key
        let isDescending = query.sort.direction == .descending
        try users.text.withUnsafeBytes { text in
            for (row, next) in zip(rows, rows.dropFirst()) {
                let order = row.sortKey(by: key, text).compare(in: text, to: next.sortKey(by: key, text), in: text)
                guard isDescending ? order > 0 : order < 0 else { throw StoreError.damagedOrder }
            }
            guard let bound = try SeekKey(query.start, key: key) else { return }
            let edge = (query.start.isBackward ? last : first).sortKey(by: key, text)
            let order = bound.text.withUnsafeBytes { edge.compare(in: text, to: bound.key, in: $0) }
            guard isDescending == query.start.isBackward ? order > 0 : order < 0 else { throw StoreError.damagedOrder }
        }
    }
}

extension UserRow {
    fileprivate func sortKey(by key: Sort.Key, _ text: UnsafeRawBufferPointer) -> SortKey {
        switch key {
        case .id: SortKey(number: .min, id: id)
        case .reputation: SortKey(number: reputation ?? Schema.noReputation, id: id)
        case .field where !key.isText: SortKey(number: sortNumber ?? Schema.noReputation, id: id)
        case .login, .name, .field: SortKey(text: sortText, in: text, id: id)
        }
    }
}
