/// The words a search looks for, folded, and the values of facets that people are chosen by.
///
/// A user matches when each word occurs, as it stands, in the folded login or the folded name, and each value is theirs.
public struct Search: Hashable, Sendable {
    /// Without doubles; each one not empty and without white space. None where only facets are asked for.
    public let words: [String]
    /// One of a facet, in the order of ``Facet``.
    public let facets: [FacetChoice]

    /// `nil` where `text` holds nothing but white space, and there are no facets.
    public init?(_ text: String, facets: [FacetChoice] = []) {
        var words: [String] = []
        // By scalars: a space and an accent after it are one `Character`, which would count as white space.
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
