import Indexes
import People
import Synchronization

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

    /// Returns the users with ids in `space` that match all `filters`, or `nil` without filters.
    func ids(_ filters: [ChosenFilter], in directory: ShownDirectory, _ space: IDSpace) throws -> IDSet? {
        var found: IDSet?
        for chosen in filters {
            if found?.count == 0 { return found }
            let ids = try self.ids(chosen, in: directory, space)
            found = found?.intersection(ids) ?? ids
        }
        return found
    }

    /// Returns the ids of a directory's users, or `nil` if it has none.
    func space(of directory: ShownDirectory) throws -> IDSpace? {
        try cache.space(of: directory) {
            guard let range = try connection.idRange(of: directory) else { return nil }
            guard IDSpace.isSparse(range, count: directory.total) else { return IDSpace(range) }
            var ids: [Int64] = []
            try orders.scanIDs(IndexScan(order: .id, isDescending: false), in: directory) { block in
                ids += block
                return true
            }
            guard let space = IDSpace(ids) else { throw StoreError.damagedOrder }
            return space
        }
    }

    /// Returns the users with one of the values, or in one of the ranges, of `chosen`.
    func ids(_ chosen: ChosenFilter, in directory: ShownDirectory, _ space: IDSpace) throws -> IDSet {
        var sets: [IDSet] = []
        if let number = directory.settings.number(of: chosen.filter) {
            let known = try values(of: number, in: directory)
            // The request may have been made with values of a moment ago, and with other upper and lower case.
            let indexes = chosen.values.compactMap(known.index)
            let numbers = Set(indexes.map { known.numbers[$0] }).sorted()
            sets += try numbers.map { try ids(FilterValues.Value(filter: number, number: $0), in: directory, space) }
        }
        if !chosen.ranges.isEmpty {
            sets.append(try ids(chosen.filter, chosen.ranges.map(\.numbers).joined, in: directory, space))
        }
        return .union(of: sets, in: space)
    }

    /// Returns the users with one value.
    private func ids(
        _ value: FilterValues.Value, in directory: ShownDirectory, _ space: IDSpace
    ) throws -> IDSet {
        try cache.ids(.value(value), of: directory) {
            try NGramIndexReader(connection.blobs(.userNGram, of: directory.id))
                .ids(with: value.tag, in: space)
        }
    }

    /// Returns the values of a filter, the most frequent ones first.
    private func values(of filter: Int64, in directory: ShownDirectory) throws -> FilterCache.Values {
        try cache.values(of: filter, in: directory) {
            let values = try connection.all(
                """
                SELECT number, value FROM filterValue WHERE directory = ? AND filter = ? AND count > 0
                ORDER BY count DESC, number
                """, directory.id, filter
            ) { (number: try $0.filterValue(0), text: $0.text(1)) }
            return FilterCache.Values(values.map(\.text), values.map(\.number))
        }
    }
}

// MARK: - Ranges

extension FilterReader {
    /// Returns the users whose value of a field is in one of some ranges, which ascend.
    private func ids(
        _ filter: Filter, _ ranges: [ClosedRange<Int64>], in directory: ShownDirectory, _ space: IDSpace
    ) throws -> IDSet {
        try cache.ids(.ranges(filter, ranges), of: directory) {
            guard let order = IndexedOrder(rangesOf: filter, directory.settings) else {
                return try idsByValue(filter, ranges, in: directory, space)
            }
            var builder = IDSetBuilder(space)
            for numbers in ranges { try collect(numbers, in: order, of: directory, into: &builder) }
            return builder.finished()
        }
    }

    /// Collects the users with a number in a range: as many as the ranks of its ends say, from its beginning on. Only
    /// the blocks with the ends are decoded; of the others, the ids are read.
    private func collect(
        _ numbers: ClosedRange<Int64>, in order: IndexedOrder, of directory: ShownDirectory,
        into builder: inout IDSetBuilder
    ) throws {
        // No user has the id 0, so the first key with a number comes after these. Users without a value have the
        // greatest number of an order.
        let first = SeekKey(number: order.key(numbers.lowerBound), id: 0)
        let end = SeekKey(number: order.key(numbers.upperBound) + 1, id: 0)
        var rest =
            try orders.rank(of: end, in: order, of: directory) - orders.rank(of: first, in: order, of: directory)
        guard rest > 0 else { return }
        try orders.scanIDs(IndexScan(order: order, isDescending: false, from: first), in: directory) { ids in
            builder.insert(UnsafeBufferPointer(rebasing: ids.prefix(rest)))
            rest -= ids.count
            return rest > 0
        }
    }

    /// Returns the users with a value in one of some ranges, for a filter that is not an order.
    private func idsByValue(
        _ filter: Filter, _ ranges: [ClosedRange<Int64>], in directory: ShownDirectory, _ space: IDSpace
    ) throws -> IDSet {
        guard let number = directory.settings.number(of: filter),
            let field = directory.settings.fields.first(where: { $0.key == filter.key })
        else { return .list(IDList()) }
        let numbers = try cache.sortNumbers(of: number, in: directory) {
            let values = try values(of: number, in: directory)
            return FilterCache.SortNumbers(
                zip(values.texts, values.numbers).compactMap { text, value in
                    field.sortNumber(ofFilterValue: text).map { ($0, value) }
                })
        }
        let tags = numbers.values(in: ranges).map { FilterValues.Value(filter: number, number: $0).tag }
        if tags.isEmpty { return .list(IDList()) }
        let index = NGramIndexReader(connection.blobs(.userNGram, of: directory.id))
        try index.prepare(tags)
        return try index.ids(withAnyOf: tags, in: space)
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
    init?(rangesOf filter: Filter, _ settings: ShownSettings) {
        guard let key = Sort.Key(filter.key, of: settings), !key.isText, key != .id,
            let order = try? IndexedOrder(Sort(key), settings), order != .id
        else { return nil }
        self = order
    }
}

extension StoreConnection {
    /// Returns the least and the greatest id of a directory, or `nil` if it has no users.
    func idRange(of directory: ShownDirectory) throws -> ClosedRange<Int64>? {
        // Two subqueries: SQLite would read the whole table to answer both in one.
        let table = "userText\(directory.id)"
        let ends = "(SELECT min(id) FROM \(table)), (SELECT max(id) FROM \(table))"
        return try first("SELECT \(ends)") { row -> ClosedRange<Int64>? in
            if row.isNull(0) { return nil }
            let (first, last) = (row.number(0), row.number(1))
            guard 0 < first, first <= last else { throw StoreError.damagedOrder }
            return first...last
        } ?? nil
    }
}

/// The sets of users that filters have found, shared by all readers of a store. Each is kept until the directory
/// changes, or until others need the memory.
final class FilterCache: Sendable {
    /// The value or the ranges that a set was found for.
    enum Key: Hashable {
        case value(FilterValues.Value)
        case ranges(Filter, [ClosedRange<Int64>])
    }

    /// The values of a filter, the most frequent ones first.
    struct Values {
        let texts: [String]
        let numbers: [Int64]
        private let index: ValueIndex

        init(_ texts: [String], _ numbers: [Int64]) {
            self.texts = texts
            self.numbers = numbers
            index = ValueIndex(texts)
        }

        /// Returns the index of a value in any case.
        func index(of text: String) -> Int? { index.index(of: text) }
    }

    /// The numbers and dates that the values of a filter mean, ascending, and the values' own numbers.
    struct SortNumbers {
        private let numbers: [(meant: Int64, value: Int64)]

        init(_ numbers: [(meant: Int64, value: Int64)]) { self.numbers = numbers.sorted { $0 < $1 } }

        /// Returns the values in `ranges`, which ascend and do not overlap.
        func values(in ranges: [ClosedRange<Int64>]) -> [Int64] {
            var index = 0
            return ranges.flatMap { range in
                while index < numbers.count, numbers[index].meant < range.lowerBound { index += 1 }
                let start = index
                while index < numbers.count, numbers[index].meant <= range.upperBound { index += 1 }
                return numbers[start..<index].map(\.value)
            }
        }
    }

    private struct Question: Hashable {
        var filter: ChosenFilter
        var search: Search
    }

    private struct Kept {
        var generation: Int64
        /// All ids; `nil` as long as they are not known, and `.some(nil)` without any. Kept when memory is short: no
        /// search can do without.
        var space: IDSpace??
        var sets: [Key: IDSet] = [:]
        var values: [Int64: Values] = [:]
        var sortNumbers: [Int64: SortNumbers] = [:]
        var answers: [Question: [Int]?] = [:]
        var memory = 0
    }

    /// Each takes about a kilobyte.
    private static let maxAnswers = 1000

    /// Enough for 50 values of ten million users.
    private static let maxMemory = 64 << 20
    private let directories = Mutex<[Int64: Kept]>([:])

    /// Returns the ids of a directory that were read, or else what `read` returns.
    func space(of directory: ShownDirectory, _ read: () throws -> IDSpace?) rethrows -> IDSpace? {
        try known(of: directory, { $0.space }, or: read) { $0.space = .some($1) }
    }

    /// Returns the set that was found for `key`, or else what `find` returns.
    func ids(_ key: Key, of directory: ShownDirectory, _ find: () throws -> IDSet) rethrows -> IDSet {
        try known(of: directory, { $0.sets[key] }, or: find) { kept, found in
            guard kept.sets.updateValue(found, forKey: key) == nil else { return }
            kept.memory += found.memory + 64
        }
    }

    /// Returns the values of a filter that were read, or else what `read` returns.
    func values(of filter: Int64, in directory: ShownDirectory, _ read: () throws -> Values) rethrows -> Values {
        try known(of: directory, { $0.values[filter] }, or: read) { $0.values[filter] = $1 }
    }

    /// Returns what the values of a filter mean, or else what `read` returns.
    func sortNumbers(
        of filter: Int64, in directory: ShownDirectory, _ read: () throws -> SortNumbers
    ) rethrows -> SortNumbers {
        try known(of: directory, { $0.sortNumbers[filter] }, or: read) { $0.sortNumbers[filter] = $1 }
    }

    /// Returns the numbers of users that were counted, or else what `count` returns.
    func counts(
        of filter: ChosenFilter, among search: Search, in directory: ShownDirectory, _ count: () throws -> [Int]?
    ) rethrows -> [Int]? {
        let question = Question(filter: filter, search: search)
        return try known(of: directory, { $0.answers[question] }, or: count) { kept, counts in
            if kept.answers.count >= Self.maxAnswers { kept.answers = [:] }
            kept.answers[question] = .some(counts)
        }
    }

    /// Returns what `read` finds in the entry of a directory, or else what `find` returns and `keep` puts there.
    private func known<Value>(
        of directory: ShownDirectory, _ read: (Kept) -> Value?, or find: () throws -> Value,
        _ keep: (inout Kept, Value) -> Void
    ) rethrows -> Value {
        let known: Value? = directories.withLock { directories in
            guard let kept = directories[directory.id], kept.generation == directory.generation else { return nil }
            return read(kept)
        }
        if let known { return known }
        let found = try find()
        change(directory) { keep(&$0, found) }
        return found
    }

    /// Changes the entry of a directory unless it is of a later generation.
    private func change(_ directory: ShownDirectory, _ body: (inout Kept) -> Void) {
        directories.withLock { directories in
            var kept = directories.removeValue(forKey: directory.id) ?? Kept(generation: directory.generation)
            if kept.generation < directory.generation { kept = Kept(generation: directory.generation) }
            if kept.generation == directory.generation { body(&kept) }
            if directories.values.reduce(kept.memory, { $0 + $1.memory }) > Self.maxMemory { directories = [:] }
            if kept.memory > Self.maxMemory { kept = Kept(generation: kept.generation, space: kept.space) }
            directories[directory.id] = kept
        }
    }
}
