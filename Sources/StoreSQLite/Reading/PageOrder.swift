import Bytes
import Directories
import SortIndex

extension Page {
    /// Throws an error unless the users follow the start of `query` in its order, each after the one before.
    ///
    /// Exports, sitemaps and readers follow pages from user to user. In a damaged database, a page that is out of order
    /// would lead them in a circle.
    func checkOrder(of query: UserQuery) throws {
        guard let first = users.rows.first, let last = users.rows.last else { return }
        let order = try IndexedOrder(query.sort, directory.plan)
        let isDescending = query.sort.isReadBackwards
        var key = SeekKey(first, in: users, order)
        for row in users.rows.dropFirst() {
            let next = SeekKey(row, in: users, order)
            guard isDescending ? key.compare(to: next) > 0 : key.compare(to: next) < 0 else {
                throw StoreError.damagedOrder
            }
            key = next
        }
        guard let bound = try SeekKey(query.start, order) else { return }
        let edge = SeekKey(query.start.isBackward ? last : first, in: users, order)
        let place = edge.compare(to: bound)
        guard isDescending == query.start.isBackward ? place > 0 : place < 0 else { throw StoreError.damagedOrder }
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
