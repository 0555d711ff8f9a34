import NGramIndex
import People

/// The values of one user in all filters: pairs of a filter's number (``FilterNumbers``) and a value's number
/// (``FilterTable``), ascending, as varints. Equal values have equal bytes.
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

    /// The values in the column `filters`.
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

    /// Returns the values that `other` does not have.
    func subtracting(_ other: FilterValues) -> FilterValues {
        if isEmpty || self == other { return FilterValues() }
        if other.isEmpty { return self }
        let others = Set(other.values)
        return FilterValues(values.filter { !others.contains($0) })
    }

    /// The values as tags of the search index.
    var tags: [NGram] { values.map(\.tag) }
}

/// The numbers of filters in rows, in the search index and in the table `filterValue`.
///
/// The filters of directories without settings have fixed numbers. Other filters are numbered by their
/// position among the filters of the settings, so a change of the filters rewrites everything with such numbers.
enum FilterNumbers {
    private static let firstOwn: Int64 = 16

    static func number(of filter: Filter, in settings: ResolvedSettings) -> Int64? {
        if let number = Filter.ofShapes.firstIndex(of: filter) { return Int64(number) }
        return settings.filters.firstIndex { settings.fields[$0].key == filter.key }.map { firstOwn + Int64($0) }
    }

    /// Returns the filter with `number`, or `nil` if the settings have no such filter.
    static func filter(_ number: Int64, in settings: ResolvedSettings) -> Filter? {
        guard number >= 0, number <= NGram.maxTag else { return nil }
        if number < firstOwn {
            guard Filter.ofShapes.indices.contains(Int(number)) else { return nil }
            let filter = Filter.ofShapes[Int(number)]
            return settings.offeredFilters.contains(filter) ? filter : nil
        }
        let index = Int(number - firstOwn)
        return settings.filters.indices.contains(index) ? Filter(settings.fields[settings.filters[index]].key) : nil
    }
}
