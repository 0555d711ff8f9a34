/// The folded words of a search, and the facet values that filter it.
///
/// A user matches if each word occurs literally in the folded login or the folded name, and the user has each facet
/// value.
public struct Search: Hashable, Sendable {
    /// Without duplicates; each word is non-empty and without white space. Empty if only facets are given.
    public let words: [String]
    /// At most one per facet, in the order in which the directory shows them.
    public let facets: [FacetChoice]

    /// Returns `nil` if `text` is blank and `facets` is empty.
    public init?(_ text: String, facets: [FacetChoice] = []) {
        var words: [String] = []
        // Split by scalars: a space and a combining accent after it form one `Character`, which would count as white
        // space.
        let scalars = text.folded.unicodeScalars
        for word in scalars.split(whereSeparator: \.properties.isWhitespace).map({ String($0) })
        where !words.contains(word) {
            words.append(word)
        }
        if words.isEmpty, facets.isEmpty { return nil }
        self.words = words
        self.facets = facets
    }
}
