import Base
import Synchronization

/// A field that users can be filtered by: `?status=Alive`.
public struct Filter: Hashable, Sendable {
    /// The key of the field: its name in URL parameters.
    public let key: String

    public init(_ key: String) { self.key = key }

    /// An inferred field with more different values is not a filter: the choice would be too long.
    public static let maxValues = 50
    /// The limit for a field that the publisher has made a filter.
    public static let maxOwnValues = 10_000
    /// The maximum length in UTF-8. A longer text is not a filter value.
    public static let maxValueBytes = 100
}

/// The values of a filter in a directory, ordered by their number of users, largest first. The numbers are updated with
/// every change, never counted.
public struct FilterCounts: Sendable {
    public struct Value: Equatable, Sendable {
        public var value: String
        public var count: Int

        public init(value: String, count: Int) {
            self.value = value
            self.count = count
        }
    }

    public let filter: Filter
    public let values: [Value]
    /// The forms of the values are made once for all copies.
    private let index: ValueIndex

    public init(_ filter: Filter, _ values: [Value]) {
        self.filter = filter
        self.values = values
        index = ValueIndex(values.map(\.value))
    }

    /// Returns the value that equals `text`, ignoring case, and, if `isLoose`, accents; `nil` if no user has it.
    public func value(_ text: String, isLoose: Bool = false) -> Value? {
        index.index(of: text, isLoose: isLoose).map { values[$0] }
    }
}

extension FilterCounts: Equatable {
    public static func == (left: FilterCounts, right: FilterCounts) -> Bool {
        left.filter == right.filter && left.values == right.values
    }
}

/// A filter of a search: the users who have one of the values, or a value in one of the ranges, of a field.
public struct ChosenFilter: Hashable, Sendable {
    public var filter: Filter
    public var values: [String]
    public var ranges: [ValueRange]

    public init(_ filter: Filter, _ values: [String], ranges: [ValueRange] = []) {
        self.filter = filter
        self.values = values
        self.ranges = ranges
    }

    public init(_ filter: Filter, _ value: String) { self.init(filter, [value]) }

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

/// Finds one of many texts by any spelling of it: as it is, or else in another case, or else without accents.
///
/// The forms of all texts are made once, when the first spelling differs from all of them: ten thousand texts take some
/// milliseconds, and a look-up then takes a microsecond.
public final class ValueIndex: Sendable {
    private typealias Forms = (folded: [String: Int], loose: [String: Int])

    private let indexes: [String: Int]
    private let texts: [String]
    private let forms = Mutex<Forms?>(nil)

    /// The index of `texts`: of several that are spelled alike, the first one is found.
    public init(_ texts: [String]) {
        self.texts = texts
        indexes = texts.places
    }

    /// Returns the index of `text`: an exact match, or else the first one that ignores case, or else, if `isLoose`, the
    /// first one that ignores accents, too.
    public func index(of text: String, isLoose: Bool = false) -> Int? {
        if let index = indexes[text] { return index }
        return forms.withLock { kept in
            let buffer = ByteBuffer(capacity: 256)
            let forms =
                kept ?? (texts.map { Self.folded($0, buffer) }.places, texts.map(\.loose).places)
            kept = forms
            if let index = forms.folded[Self.folded(text, buffer)] { return index }
            return isLoose ? forms.loose[text.loose] : nil
        }
    }

    private static func folded(_ text: String, _ buffer: ByteBuffer) -> String {
        buffer.removeAll()
        let folded = buffer.append(folding: text)
        return buffer.bytes.text(folded)
    }
}
