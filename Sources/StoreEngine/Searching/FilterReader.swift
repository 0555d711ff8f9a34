import NGramIndex
import People
import SortIndex

/// Finds the users that match filters: those with a value by its tag in the search index, and those in a range by the
/// sort index of the field. Sets that were found are kept for the generation (``FilterCache``).
final class FilterReader {
    private let connection: any StoreConnection
    private let orders: OrderReader
    private let positions: PositionFinder
    let cache: FilterCache

    init(_ connection: any StoreConnection, _ orders: OrderReader, _ state: SharedState) {
        self.connection = connection
        self.orders = orders
        positions = PositionFinder(orders)
        cache = state.filters
    }

    /// Returns the users with ids in `space` that match all `filters`, or `nil` without filters.
    func ids(_ filters: [ChosenFilter], in directory: Directory, _ space: IDSpace) throws -> IDSet? {
        var found: IDSet?
        for chosen in filters {
            if found?.count == 0 { return found }
            let ids = try self.ids(chosen, in: directory, space)
            found = found?.intersection(ids) ?? ids
        }
        return found
    }

    /// Returns the ids of a directory's users, or `nil` if it has none.
    func space(of directory: Directory) throws -> IDSpace? {
        try cache.space(of: directory) {
            guard let range = try connection.idRange(of: directory) else { return nil }
            guard IDSpace.isSparse(range, count: directory.total) else { return IDSpace(range) }
            var ids: [Int64] = []
            try orders.scanIDs(IndexScan(order: .id, isDescending: false), from: nil, in: directory) { block in
                ids += block
                return true
            }
            guard let space = IDSpace(ids) else { throw StoreError.damagedOrder }
            return space
        }
    }

    /// Returns the users with one of the values, or in one of the ranges, of `chosen`.
    func ids(_ chosen: ChosenFilter, in directory: Directory, _ space: IDSpace) throws -> IDSet {
        var sets: [IDSet] = []
        if let number = FilterNumbers.number(of: chosen.filter, in: directory.settings) {
            let known = try values(of: number, in: directory)
            // The request may have been made with values of a moment ago, and with other upper and lower case.
            let indexes = chosen.values.compactMap(known.index)
            let numbers = Set(indexes.map { known.numbers[$0] }).sorted()
            sets += try numbers.map { try ids(FilterValues.Value(filter: number, number: $0), in: directory, space) }
        }
        if !chosen.ranges.isEmpty {
            sets.append(try ids(chosen.filter, chosen.ranges.map(\.numbers).joined, in: directory, space))
        }
        return sets.isEmpty ? .list(IDList()) : IDSet.union(of: sets, in: space)
    }

    /// Returns the users with one value.
    private func ids(
        _ value: FilterValues.Value, in directory: Directory, _ space: IDSpace
    ) throws -> IDSet {
        try cache.ids(.value(value), of: directory) {
            try NGramIndexReader(connection.blobs(.userNGram, of: directory.id))
                .ids(with: value.tag, in: space)
        }
    }

    /// Returns the values of a filter, the most frequent ones first.
    private func values(of filter: Int64, in directory: Directory) throws -> FilterCache.Values {
        try cache.values(of: filter, in: directory) {
            let statement = try connection.statement(
                "SELECT number, value FROM filterValue WHERE directory = ? AND filter = ? ORDER BY count DESC, number")
            statement.bind(directory.id, at: 1)
            statement.bind(filter, at: 2)
            defer { statement.reset() }
            var (texts, numbers): ([String], [Int64]) = ([], [])
            while try statement.step() {
                numbers.append(try statement.filterValue(0))
                texts.append(String(decoding: statement.bytes(1), as: UTF8.self))
            }
            return FilterCache.Values(texts, numbers)
        }
    }
}

// MARK: - Ranges

extension FilterReader {
    /// Returns the users whose value of a field is in one of some ranges, which ascend.
    private func ids(
        _ filter: Filter, _ ranges: [ClosedRange<Int64>], in directory: Directory, _ space: IDSpace
    ) throws -> IDSet {
        guard let order = IndexedOrder(rangesOf: filter, directory.settings) else {
            return try idsByValue(filter, ranges, in: directory, space)
        }
        return try cache.ids(.ranges(order, ranges), of: directory) {
            var builder = IDSetBuilder(space)
            for numbers in ranges { try collect(numbers, in: order, of: directory, into: &builder) }
            return builder.finished()
        }
    }

    /// Collects the users with a number in a range: as many as the ranks of its ends say, from its beginning on. Only
    /// the blocks with the ends are decoded; of the others, the ids are read.
    private func collect(
        _ numbers: ClosedRange<Int64>, in order: IndexedOrder, of directory: Directory,
        into builder: inout IDSetBuilder
    ) throws {
        // No user has the id 0, so the first key with a number comes after these. Users without a value have the
        // greatest number of an order.
        let first = SeekKey(number: order.key(numbers.lowerBound), id: 0)
        let end = SeekKey(number: order.key(numbers.upperBound) + 1, id: 0)
        var rest =
            try positions.rank(of: end, in: order, of: directory) - positions.rank(of: first, in: order, of: directory)
        guard rest > 0 else { return }
        try orders.scanIDs(IndexScan(order: order, isDescending: false), from: first, in: directory) { ids in
            builder.insert(UnsafeBufferPointer(rebasing: ids.prefix(rest)))
            rest -= ids.count
            return rest > 0
        }
    }

    /// Returns the users with a value in one of some ranges, for a filter that is not an order.
    private func idsByValue(
        _ filter: Filter, _ ranges: [ClosedRange<Int64>], in directory: Directory, _ space: IDSpace
    ) throws -> IDSet {
        guard let number = FilterNumbers.number(of: filter, in: directory.settings),
            let field = directory.settings.fields.first(where: { $0.key == filter.key })
        else { return .list(IDList()) }
        let numbers = try cache.sortNumbers(of: number, in: directory) {
            let values = try values(of: number, in: directory)
            return FilterCache.SortNumbers(
                zip(values.texts, values.numbers).compactMap { text, value in
                    field.sortNumber(ofFilterValue: text).map { ($0, value) }
                })
        }
        return try cache.ids(.valuesInRanges(filter: number, ranges), of: directory) {
            let tags = numbers.values(in: ranges).map { FilterValues.Value(filter: number, number: $0).tag }
            if tags.isEmpty { return .list(IDList()) }
            let index = NGramIndexReader(connection.blobs(.userNGram, of: directory.id))
            try index.prepare(tags)
            return try index.ids(withAnyOf: tags, in: space)
        }
    }
}

extension [ClosedRange<Int64>] {
    /// The same numbers in ranges that ascend and do not overlap.
    fileprivate var joined: [ClosedRange<Int64>] {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            guard let last = joined.last, range.lowerBound <= last.upperBound else { return joined.append(range) }
            joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
        }
    }
}

extension IndexedOrder {
    /// The order that finds the ranges of a field, or `nil` if the directory cannot be sorted by it.
    init?(rangesOf filter: Filter, _ settings: ResolvedSettings) {
        guard let key = Sort.Key(filter.key, of: settings), !key.isText, key != .id,
            let order = try? IndexedOrder(Sort(key), settings), order != .id
        else { return nil }
        self = order
    }
}

extension StoreConnection {
    /// Returns the least and the greatest id of a directory, or `nil` if it has no users.
    func idRange(of directory: Directory) throws -> ClosedRange<Int64>? {
        // Two subqueries: SQLite would read the whole table to answer both in one.
        let table = "userText\(directory.id)"
        let statement = try statement("SELECT (SELECT min(id) FROM \(table)), (SELECT max(id) FROM \(table))")
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        let (first, last) = (statement.number(0), statement.number(1))
        guard 0 < first, first <= last else { throw StoreError.damagedOrder }
        return first...last
    }
}
