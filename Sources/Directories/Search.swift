/// The words a search looks for, folded.
///
/// A user matches when each word occurs, as it stands, in the folded login or the folded name.
public struct Search: Hashable, Sendable {
    /// Not empty; without doubles; each one without white space.
    public let words: [String]

    /// `nil` where `text` holds nothing but white space.
    public init?(_ text: String) {
        var words: [String] = []
        // By scalars: a space and an accent after it are one `Character`, which would count as white space.
        let scalars = text.folded.unicodeScalars
        for word in scalars.split(whereSeparator: \.properties.isWhitespace).map({ String($0) })
        where !words.contains(word) {
            words.append(word)
        }
        if words.isEmpty { return nil }
        self.words = words
    }
}
