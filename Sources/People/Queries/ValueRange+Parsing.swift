import Base

extension ShownSettings {
    /// The fields besides filters that ranges are offered for: the numbers and dates that people are sorted by.
    public func hasRanges(_ filter: Filter) -> Bool { rangeType(of: filter) != nil }

    /// The type of a number or date field that is a filter or an order; `nil` for other fields.
    fileprivate func rangeType(of filter: Filter) -> FieldType? {
        guard let index = fields.firstIndex(where: { $0.key == filter.key }),
            filters.contains(index) || orders.contains(where: { $0.field == index }),
            case let type = fields[index].type, type == .number || type == .date
        else { return nil }
        return type
    }
}

extension ValueRange {
    /// Reads a range of a field: `A..B`, `A..`, `..B`, or `A` alone. Both ends are included; a year or a month stands
    /// for all its days. Returns `nil` for any other text, and for an end that comes before the beginning.
    public init?(_ text: String, of filter: Filter, in settings: ShownSettings) {
        guard let type = settings.rangeType(of: filter), let numbers = Self.numbers(text, type) else { return nil }
        self.init(numbers, text)
    }

    private static func numbers(_ text: String, _ type: FieldType) -> ClosedRange<Int64>? {
        let (first, last) = ends(of: text)
        guard !first.isEmpty || !last.isEmpty else { return nil }
        // No number has the least key of an order, and the greatest one stands for users without a value.
        let (least, greatest) = (Int64.min + 1, Int64.max - 1)
        guard let lower = first.isEmpty ? least : type.range(String(first))?.lowerBound,
            let upper = last.isEmpty ? greatest : type.range(String(last))?.upperBound, lower <= upper
        else { return nil }
        return lower...upper
    }

    /// The values that a range of a field may have, in words.
    public static func expectation(of filter: Filter, in settings: ShownSettings) -> String {
        settings.rangeType(of: filter) == .date
            ? "a day, month or year, or a range of them such as 2020-01..2021, 2020.. or ..2021-12-31"
            : "a number, or a range of numbers such as 10..20, 10.. or ..20"
    }
}

extension [ValueRange] {
    /// The same values in as few ranges as say them: those that overlap are one. In ascending order.
    ///
    /// No text says a range without an end on either side, so two ranges that overlap to that stay two.
    public var joined: [ValueRange] {
        let ascending = sorted {
            ($0.numbers.lowerBound, $0.numbers.upperBound, $0.text)
                < ($1.numbers.lowerBound, $1.numbers.upperBound, $1.text)
        }
        return ascending.reduce(into: []) { joined, range in
            guard let last = joined.last, let both = last.joined(with: range) else { return joined.append(range) }
            joined[joined.count - 1] = both
        }
    }
}

extension ValueRange {
    /// Returns the range of both, if `next`, which does not begin before this one, overlaps it and a text can say it.
    fileprivate func joined(with next: ValueRange) -> ValueRange? {
        guard next.numbers.lowerBound <= numbers.upperBound else { return nil }
        if next.numbers.upperBound <= numbers.upperBound { return self }
        let (first, last) = (Self.ends(of: text).first, Self.ends(of: next.text).last)
        guard !first.isEmpty || !last.isEmpty else { return nil }
        return ValueRange(numbers.lowerBound...next.numbers.upperBound, "\(first)..\(last)")
    }

    /// The texts of both ends, which are the same for a single value.
    private static func ends(of text: String) -> (first: Substring, last: Substring) {
        guard let dots = text.firstRange(of: "..") else { return (text[...], text[...]) }
        return (text[..<dots.lowerBound], text[dots.upperBound...])
    }
}

extension FieldType {
    /// Returns the numbers that one value stands for; `nil` unless the type is that of numbers or dates.
    fileprivate func range(_ text: String) -> ClosedRange<Int64>? {
        text.withBytes { bytes in
            switch self {
            case .number: FieldNumber.sortKey(bytes).map { $0...$0 }
            case .date: FieldDate.days(bytes)
            default: nil
            }
        }
    }
}
