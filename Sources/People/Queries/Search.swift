/// The words of a search, and its filters.
///
/// A user matches if each word occurs in the searched text (``SearchedText``), and each filter leaves the user.
public struct Search: Hashable, Sendable {
    /// Empty if only filters are given.
    public let words: SearchWords
    /// At most one per field, in the order in which the directory shows them.
    public let filters: [FieldFilter]

    /// Returns `nil` if `text` is blank and `filters` is empty.
    public init?(_ text: String, filters: [FieldFilter] = []) {
        self.init(words: SearchWords(text), filters: filters)
    }

    /// Returns `nil` if there is nothing to search for.
    private init?(words: SearchWords, filters: [FieldFilter]) {
        if words.isEmpty, filters.isEmpty { return nil }
        self.words = words
        self.filters = filters
    }

    /// The same words without the filters that `isIncluded` excludes; `nil` if nothing is left.
    public func filtered(_ isIncluded: (FieldFilter) -> Bool) -> Search? {
        Search(words: words, filters: filters.filter(isIncluded))
    }
}
