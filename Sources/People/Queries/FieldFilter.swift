/// A filter of a search: the users who have one of the values, or a value in one of the ranges, of a field.
public struct FieldFilter: Hashable, Sendable {
    public var facet: Facet
    public var values: [String]
    public var ranges: [ValueRange]

    public init(_ facet: Facet, _ values: [String], ranges: [ValueRange] = []) {
        self.facet = facet
        self.values = values
        self.ranges = ranges
    }

    public init(_ facet: Facet, _ value: String) { self.init(facet, [value]) }

    /// The values and ranges as parameters.
    public var texts: [String] { values + ranges.map(\.text) }
}

/// A range of a number or date field: `10..`, `2020-01-01..2021-12-31`, or a single number, day, month or year.
public struct ValueRange: Hashable, Sendable {
    /// The sort numbers of the values: days since 1970-01-01, or what ``FieldReader/sortNumber(of:)`` returns.
    public var numbers: ClosedRange<Int64>
    /// The range as a parameter.
    public var text: String

    public init(_ numbers: ClosedRange<Int64>, _ text: String) {
        self.numbers = numbers
        self.text = text
    }
}

extension String {
    /// The form in which readers' values of filters are compared with those of users.
    public var valueForm: String { loose }
}
