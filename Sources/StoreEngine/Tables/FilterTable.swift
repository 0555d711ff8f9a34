import Base
import Indexes
import People
import Publishing

/// The values of the filters of one directory as its writer changes them, and the number of users with each.
///
/// Rows and the search index contain a value's number instead of its text. When nobody has a value any more, its text
/// is erased and its number is free for a later value. So the numbers never become fewer, and a filter that once had
/// too many values stays excluded until the directory is derived again.
final class FilterTable {
    private(set) var settings = ShownSettings.empty
    /// By the number of the filter.
    private var filters: [Int64: NumberedValues] = [:]
    private let directory: Int64
    private let connection: any StoreConnection
    private var found: [FilterValues.Value] = []

    init(directory: Int64, connection: any StoreConnection) {
        self.directory = directory
        self.connection = connection
    }

    func load(_ directory: StoredDirectory) throws {
        reset(directory.settings.shown)
        try connection.forEach(
            "SELECT filter, number, value, count FROM filterValue WHERE directory = ? ORDER BY filter, number",
            directory.id
        ) { row in
            let number = row.number(0)
            guard settings.filters.indices.contains(Int(truncatingIfNeeded: number)) else { return }
            guard try row.filterValue(1) == Int64(filters[number]?.values.count ?? 0) + 1 else {
                throw StoreError.damage("the values of a filter are not numbered one by one")
            }
            numbered(number).append(Array(row.bytes(2)), count: Int64(try row.count(3, "the count of a value")))
        }
    }

    /// Removes all values, also from the database, so that they are counted again.
    func clear(_ settings: ShownSettings) throws {
        try connection.execute("DELETE FROM filterValue WHERE directory = \(directory)")
        reset(settings)
    }

    private func reset(_ settings: ShownSettings) {
        self.settings = settings
        filters = [:]
    }

    /// Returns the values of a user. Values that are new get a number.
    func values(of record: UserToWrite, _ bytes: UnsafeRawBufferPointer) -> FilterValues {
        if record.filters.isEmpty { return FilterValues() }
        found.removeAll(keepingCapacity: true)
        var alone = FilterValues()
        bytes[record.filters].forEachFilterValue { filter, text in
            let values = numbered(Int64(filter))
            guard let value = values.value(text, maxCount: settings.maxFilterValues) else { return }
            found.append(value.value)
            alone = value.alone
        }
        return found.count < 2 ? alone : FilterValues(found)
    }

    func change(from old: FilterValues, to new: FilterValues) {
        if old == new { return }
        old.subtracting(new).forEach { filters[$0.filter]?.count($0.number, -1) }
        new.subtracting(old).forEach { filters[$0.filter]?.count($0.number, 1) }
    }

    func save() throws {
        for number in filters.keys {
            try filters[number]?.saveChanges { value, text, count in
                guard count >= 0 else { throw StoreError.damage("the count of a filter's value would be negative") }
                try connection.run(
                    """
                    INSERT INTO filterValue (directory, filter, number, value, count) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (directory, filter, number) DO UPDATE SET value = excluded.value, count = excluded.count
                    """, directory, number, value, SQLValue.text(text), count)
            }
        }
    }

    private func numbered(_ number: Int64) -> NumberedValues {
        if let values = filters[number] { return values }
        let values = NumberedValues(number: number)
        filters[number] = values
        return values
    }
}

private final class NumberedValues {
    struct Value {
        /// The value as it is shown: in the spelling that came first. Empty if the number is free.
        var text: [UInt8]
        var count: Int64
        var isChanged: Bool
        /// The values of a user who has only this one.
        let alone: FilterValues
    }

    let number: Int64

    // Unchecked exclusivity: the values belong to the thread that writes the directory, and a change of them calls
    // nothing that comes back here. While a value is saved or compared, the others are only read. (An import comes here
    // several times for each user.)

    /// Value number `n` is at `n - 1`.
    @exclusivity(unchecked) private(set) var values: [Value] = []
    /// The values with a hash of their text, or of another spelling, which differs in case only.
    @exclusivity(unchecked) private var indexes: [UInt64: [(text: [UInt8], index: Int)]] = [:]
    private var foldedIndexes: [String: Int] = [:]
    /// The value that was found last, because the next lookup is often for the same one.
    @exclusivity(unchecked) private var last = 0
    /// The indexes of values that nobody had when the last transaction was saved. Before that, a person might get
    /// another value with the number that the person has.
    private var free: [Int] = []

    init(number: Int64) { self.number = number }

    func append(_ text: [UInt8], count: Int64) {
        let alone = FilterValues([FilterValues.Value(filter: number, number: Int64(values.count) + 1)])
        values.append(Value(text: text, count: count, isChanged: false, alone: alone))
        if text.isEmpty { free.append(values.count - 1) } else { noteSpellings(of: text, values.count - 1) }
    }

    /// Gives a new value a number, and returns its index.
    private func add(_ text: [UInt8]) -> Int {
        if free.isEmpty { append([], count: 0) }
        let index = free.removeLast()
        values[index].text = text
        values[index].isChanged = true
        noteSpellings(of: text, index)
        return index
    }

    private func noteSpellings(of text: [UInt8], _ index: Int) {
        note(text, index)
        let folded = String(decoding: text, as: UTF8.self).folded
        if foldedIndexes[folded] == nil { foldedIndexes[folded] = index }
    }

    /// Returns the value `text`, and the values of a user who has only this one. A new value gets a number. Returns
    /// `nil` if the text cannot be a value.
    func value(_ text: UnsafeRawBufferPointer, maxCount: Int) -> (value: FilterValues.Value, alone: FilterValues)? {
        guard let index = index(of: text, maxCount: maxCount) else { return nil }
        return (FilterValues.Value(filter: number, number: Int64(index) + 1), values[index].alone)
    }

    private func index(of text: UnsafeRawBufferPointer, maxCount: Int) -> Int? {
        if values.indices.contains(last), values[last].text.withUnsafeBytes({ $0.equals(text) }) { return last }
        guard (1...Filter.maxValueBytes).contains(text.count) else { return nil }
        if let known = indexes[Self.hash(text)]?.first(where: { $0.text.withUnsafeBytes { $0.equals(text) } }) {
            last = known.index
            return last
        }
        // One value more than allowed is kept: it marks the filter as excluded.
        if values.count > maxCount { return nil }
        // Folding is slow, so each spelling is folded once.
        if let index = foldedIndexes[String(decoding: text, as: UTF8.self).folded] {
            note(Array(text), index)
            return index
        }
        return add(Array(text))
    }

    private func note(_ text: [UInt8], _ index: Int) {
        indexes[text.withUnsafeBytes(Self.hash), default: []].append((text, index))
    }

    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 { SipHash.hash(text, key: (1, 1)) }

    func count(_ number: Int64, _ delta: Int64) {
        guard number > 0, number <= Int64(values.count) else { return }
        values[Int(number) - 1].count += delta
        values[Int(number) - 1].isChanged = true
    }

    func saveChanges(_ save: (_ number: Int64, UnsafeRawBufferPointer, _ count: Int64) throws -> Void) throws {
        forgetUnused()
        for index in values.indices where values[index].isChanged {
            try values[index].text.withUnsafeBytes { try save(Int64(index) + 1, $0, values[index].count) }
            values[index].isChanged = false
        }
    }

    /// Keeps nothing of values that nobody has any more.
    private func forgetUnused() {
        let unused = values.indices.filter { values[$0].isChanged && values[$0].count == 0 }
        if unused.isEmpty { return }
        for index in unused { values[index].text = [] }
        free += unused
        let isUnused = { (index: Int) in self.values[index].text.isEmpty }
        indexes = indexes.compactMapValues { spellings in
            let kept = spellings.filter { !isUnused($0.index) }
            return kept.isEmpty ? nil : kept
        }
        foldedIndexes = foldedIndexes.filter { !isUnused($0.value) }
    }
}

/// The values of one user in all filters: pairs of a filter's number (``ShownSettings/number(of:)``) and a value's
/// number (``FilterTable``), ascending, as varints. Equal values have equal bytes.
struct FilterValues: Equatable, Sendable {
    private(set) var bytes: [UInt8] = []

    struct Value: Hashable, Comparable {
        var filter: Int64
        var number: Int64

        static func < (value: Value, other: Value) -> Bool {
            (value.filter, value.number) < (other.filter, other.number)
        }

        /// The tag by which the search index finds the users with this value.
        var tag: NGram { NGram(tag: number, ofKind: filter) }
    }

    init() {}

    init(_ values: [Value]) {
        var values = values
        // Most are in order.
        values.sort()
        bytes.reserveCapacity(values.count * 4)
        var last: Value?
        for value in values where value != last {
            append(value)
            last = value
        }
    }

    init(stored: UnsafeRawBufferPointer) { bytes = Array(stored) }

    var isEmpty: Bool { bytes.isEmpty }

    private mutating func append(_ value: Value) {
        append(value.filter)
        append(value.number)
    }

    private mutating func append(_ number: Int64) {
        var rest = UInt64(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Calls `body` with each value. Stops at damaged bytes.
    @inline(__always) func forEach(_ body: (Value) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while let filter = bytes.varint(at: &index), let number = bytes.varint(at: &index) {
                body(Value(filter: Int64(truncatingIfNeeded: filter), number: Int64(truncatingIfNeeded: number)))
            }
        }
    }

    var values: [Value] {
        var values: [Value] = []
        values.reserveCapacity(bytes.count / 2)
        forEach { values.append($0) }
        return values
    }

    func subtracting(_ other: FilterValues) -> FilterValues {
        if isEmpty || self == other { return FilterValues() }
        if other.isEmpty { return self }
        let others = Set(other.values)
        return FilterValues(values.filter { !others.contains($0) })
    }

    var tags: [NGram] { values.map(\.tag) }
}

extension ShownSettings {
    /// Returns the number of a filter in rows, in the search index and in the table `filterValue`: its position among
    /// the filters of the settings. So a change of the filters rewrites everything with such numbers.
    func number(of filter: Filter) -> Int64? {
        filters.firstIndex { fields[$0].key == filter.key }.map(Int64.init)
    }
}
