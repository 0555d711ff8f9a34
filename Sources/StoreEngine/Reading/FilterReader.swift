import Directories
import Fields
import NGramIndex
import SortIndex

/// Finds the users that match filters: those with a value by its tag in the search index, and those in a range by the
/// sort index of the field. Sets that were found are kept for the generation (``FilterCache``).
final class FilterReader {
    private let connection: any StoreConnection
    private let orders: OrderReader
    let cache: FilterCache

    init(_ connection: any StoreConnection, _ orders: OrderReader, _ state: SharedState) {
        self.connection = connection
        self.orders = orders
        cache = state.filters
    }

    /// Returns the users with ids in `range` that match all `filters`, or `nil` without filters.
    func ids(_ filters: [FieldFilter], in directory: Directory, _ range: ClosedRange<Int64>) throws -> IDSet? {
        var found: IDSet?
        for filter in filters {
            if found?.count == 0 { return found }
            let ids = try self.ids(filter, in: directory, range)
            found = found?.intersection(ids) ?? ids
        }
        return found
    }

    /// Returns the users with one of the values, or in one of the ranges, of `filter`.
    func ids(_ filter: FieldFilter, in directory: Directory, _ range: ClosedRange<Int64>) throws -> IDSet {
        var sets: [IDSet] = []
        if let number = FilterNumbers.number(of: filter.facet, in: directory.plan) {
            let known = try values(of: number, in: directory)
            // The request may have been made with values of a moment ago, and with other upper and lower case.
            let indexes = filter.values.compactMap(known.index)
            let chosen = Set(indexes.map { known.numbers[$0] }).sorted()
            sets += try chosen.map { try ids(FilterValues.Value(filter: number, number: $0), in: directory, range) }
        }
        for bounds in filter.ranges {
            sets.append(try ids(filter.facet, bounds, in: directory, range))
        }
        return sets.isEmpty ? .list(IDList()) : IDSet.union(of: sets, in: range)
    }

    /// Returns the users with one value.
    private func ids(
        _ value: FilterValues.Value, in directory: Directory, _ range: ClosedRange<Int64>
    ) throws -> IDSet {
        try cache.ids(.value(value), of: directory) {
            try NGramIndexReader(connection.storage(.userGram, of: directory.id))
                .ids(with: value.tag, in: range)
        }
    }

    /// Returns the values of a filter, the most frequent ones first.
    private func values(of filter: Int64, in directory: Directory) throws -> FilterCache.Values {
        try cache.values(of: filter, in: directory) {
            let statement = try connection.statement(
                "SELECT number, value FROM facet WHERE directory = ? AND facet = ? ORDER BY count DESC, number")
            statement.bind(directory.id, at: 1)
            statement.bind(filter, at: 2)
            defer { statement.reset() }
            var (texts, numbers): ([String], [Int64]) = ([], [])
            while try statement.step() {
                numbers.append(try statement.facetValue(0))
                texts.append(String(decoding: statement.bytes(1), as: UTF8.self))
            }
            return FilterCache.Values(texts, numbers)
        }
    }
}

// MARK: - Ranges

extension FilterReader {
    /// Returns the users whose value of a field is in a range.
    private func ids(
        _ facet: Facet, _ bounds: ValueRange, in directory: Directory, _ range: ClosedRange<Int64>
    ) throws -> IDSet {
        guard let order = IndexedOrder(rangesOf: facet, directory.plan) else {
            return try idsByValue(facet, bounds, in: directory, range)
        }
        return try cache.ids(.range(order, bounds.numbers), of: directory) {
            var ids: [Int64] = []
            // No user has the id 0, so the first key with the lower number comes after it.
            let seek = SeekKey(number: max(order.key(bounds.numbers.lowerBound), UserBatch.noReputation + 1), id: 0)
            let last = order.key(bounds.numbers.upperBound)
            try orders.scanKeys(IndexScan(order: order, isDescending: false), from: seek, in: directory) { key, _ in
                guard key.number <= last else { return false }
                ids.append(key.id)
                return true
            }
            return IDSet(IDList(ids.sorted()), in: range)
        }
    }

    /// Returns the users with a value in a range, for a filter that is not an order.
    private func idsByValue(
        _ facet: Facet, _ bounds: ValueRange, in directory: Directory, _ range: ClosedRange<Int64>
    ) throws -> IDSet {
        guard let number = FilterNumbers.number(of: facet, in: directory.plan),
            let field = directory.plan.fields.first(where: { $0.key == facet.key })
        else { return .list(IDList()) }
        let values = try values(of: number, in: directory)
        let sets = try values.texts.indices.compactMap { index -> IDSet? in
            guard let value = field.sortNumber(ofFilterValue: values.texts[index]), bounds.numbers.contains(value)
            else { return nil }
            return try ids(
                FilterValues.Value(filter: number, number: values.numbers[index]), in: directory, range)
        }
        return sets.isEmpty ? .list(IDList()) : IDSet.union(of: sets, in: range)
    }
}

extension IndexedOrder {
    /// The order that finds the ranges of a field, or `nil` if the directory cannot be sorted by it.
    init?(rangesOf facet: Facet, _ plan: FieldPlan) {
        guard let key = Sort.Key(facet.key, of: plan), !key.isText, key != .id,
            let order = try? IndexedOrder(Sort(key), plan), order != .id
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
