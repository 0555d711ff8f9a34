/// The words a search looks for, folded.
///
/// A user matches when each word occurs, as it stands, in the folded login or the folded name.
public struct Search: Hashable, Sendable {
    /// Not empty; without doubles; each one without white space.
    public let words: [String]

    /// `nil` where `text` holds nothing but white space.
    public init?(_ text: String) {
        var words: [String] = []
        for word in text.folded.split(whereSeparator: \.isWhitespace).map(String.init) where !words.contains(word) {
            words.append(word)
        }
        if words.isEmpty { return nil }
        self.words = words
    }
}
