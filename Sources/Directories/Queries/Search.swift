/// The folded words of a search, and its filters.
///
/// A user matches if each word occurs literally in the folded login or the folded name, and each filter leaves the user.
public struct Search: Hashable, Sendable {
    /// Without duplicates; each word is non-empty and without white space. Empty if only filters are given.
    public let words: [String]
    /// At most one per field, in the order in which the directory shows them.
    public let filters: [FieldFilter]

    /// Returns `nil` if `text` is blank and `filters` is empty.
    public init?(_ text: String, filters: [FieldFilter] = []) {
        var words: [String] = []
        // Split by scalars: a space and a combining accent after it form one `Character`, which would count as white
        // space.
        let scalars = text.folded.unicodeScalars
        for word in scalars.split(whereSeparator: \.properties.isWhitespace).map({ String($0) })
        where !words.contains(word) {
            words.append(word)
        }
        self.init(words: words, filters: filters)
    }

    /// Returns `nil` if there is nothing to search for. `words` are as in ``words``.
    private init?(words: [String], filters: [FieldFilter]) {
        if words.isEmpty, filters.isEmpty { return nil }
        self.words = words
        self.filters = filters
    }

    /// The same words without the filters that `isIncluded` excludes; `nil` if nothing is left.
    public func filtered(_ isIncluded: (FieldFilter) -> Bool) -> Search? {
        Search(words: words, filters: filters.filter(isIncluded))
    }
}
