import NGramIndex
import People

/// The values of one user in all filters: pairs of a filter's number (``FilterNumbers``) and a value's number
/// (``FacetTable``), ascending, as varints. Equal values have equal bytes.
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

    init(_ values: some Sequence<Value>) {
        for value in Set(values).sorted() { append(value) }
    }

    /// The values in the column `filters`.
    init(stored: UnsafeRawBufferPointer) { bytes = Array(stored) }

    var isEmpty: Bool { bytes.isEmpty }

    private mutating func append(_ value: Value) {
        for number in [value.filter, value.number] {
            var rest = UInt64(bitPattern: number)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
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

/// The numbers of filters in rows, in the search index and in the table `facet`.
///
/// The facets of directories without settings keep the numbers of earlier versions. Other filters are numbered by their
/// position among the filters of the plan, so a change of the filters rewrites everything with such numbers.
enum FilterNumbers {
    private static let firstOwn: Int64 = 16

    static func number(of facet: Facet, in plan: FieldPlan) -> Int64? {
        if let number = Facet.ofShapes.firstIndex(of: facet) { return Int64(number) }
        return plan.filters.firstIndex { plan.fields[$0].key == facet.key }.map { firstOwn + Int64($0) }
    }

    /// Returns the facet with `number`, or `nil` if the plan has no such filter.
    static func facet(_ number: Int64, in plan: FieldPlan) -> Facet? {
        guard number >= 0, number <= NGram.maxTag else { return nil }
        if number < firstOwn {
            guard Facet.ofShapes.indices.contains(Int(number)) else { return nil }
            let facet = Facet.ofShapes[Int(number)]
            return plan.facets.contains(facet) ? facet : nil
        }
        let index = Int(number - firstOwn)
        return plan.filters.indices.contains(index) ? Facet(plan.fields[plan.filters[index]].key) : nil
    }
}
