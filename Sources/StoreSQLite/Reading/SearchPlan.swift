import Directories

/// How a search is asked of the index, and what the index cannot tell.
struct SearchPlan {
    /// The grams that everyone who matches has: those of facets, which no text tells, then those first that are likely to be
    /// rare. None where no one can match.
    let ngrams: [NGram]
    /// The words that have to be looked for in the texts that the index finds, because it knows no more than three
    /// characters in a row of each.
    let unproven: [[UInt8]]
    /// How the grams of each unproven word follow each other, where they are among the plan's; empty where they are not.
    let chains: [Phrase]
    private let words: [[UInt8]]

    /// The word, where all that is looked for is one.
    var soleWord: [UInt8]? { words.count == 1 ? words[0] : nil }

    /// More grams only cost time: what they let through is looked at anyway.
    private static let maxGrams = 16

    /// `facets` are the grams of the search's facets; `nil` where nobody has one of the values.
    init(_ search: Search, facets: [NGram]? = []) {
        let needed = Self.needed(of: search.words)
        words = needed.map { Array($0.utf8) }
        // No one's name holds a NUL, and no gram does.
        guard let facets, !search.words.contains(where: { $0.utf8.contains(0) }) else {
            ngrams = []
            unproven = []
            chains = []
            return
        }
        var ngrams: [NGram] = []
        var unproven: [[UInt8]] = []
        var chains: [Phrase] = []
        for word in needed {
            let scalars = Array(word.unicodeScalars)
            if scalars.count > NGram.maxLength {
                unproven.append(Array(word.utf8))
                chains.append(Phrase(scalars))
            }
            ngrams += Self.ngrams(of: scalars).filter { !ngrams.contains($0) }
        }
        // Longer ones first, which fewer have; and letters beyond ASCII, which few have where most names have none.
        let sorted = ngrams.sorted { $0.code.leadingZeroBitCount < $1.code.leadingZeroBitCount }
        self.ngrams = facets + sorted.prefix(Self.maxGrams)
        self.unproven = ngrams.count > Self.maxGrams ? words : unproven
        self.chains = ngrams.count > Self.maxGrams ? [] : chains
    }

    /// The words without those that stand in another one, if they are few enough to be compared with each other.
    private static func needed(of words: [String]) -> [String] {
        guard words.count <= maxGrams else { return words }
        let bytes = words.map { Array($0.utf8) }
        return bytes.indices.filter { index in
            !bytes.indices.contains { other in
                other != index && bytes[other].withUnsafeBytes { $0.contains(all: [bytes[index]]) }
            }
        }.map { words[$0] }
    }

    /// The word if it is a gram, else all that it has of the longest.
    private static func ngrams(of word: [Unicode.Scalar]) -> [NGram] {
        let length = min(word.count, NGram.maxLength)
        return (0...(word.count - length)).map { NGram(word[$0..<($0 + length)]) }
    }

    /// Whether the texts of so many users are sooner read than the list of those who have `ngram`.
    ///
    /// A character alone most users may have: of a million, that list takes as long as a thousand texts. Where texts are read
    /// in any case it has to spare more of them. What texts do not tell, lists have to.
    func readsTexts(of count: Int, ratherThan ngram: NGram, _ limits: SearchLimits) -> Bool {
        !ngram.isFacet && count < limits.few * (ngram.isCharacter ? unproven.isEmpty ? 16 : 32 : 1)
    }

    /// Whether all words are in `text` that the index has found.
    func isProven(by text: UnsafeRawBufferPointer) -> Bool { text.contains(all: unproven) }

    /// Whether all words are in `text`.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool { text.contains(all: words) }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(all words: [[UInt8]]) -> Bool {
        for word in words where !word.withUnsafeBytes({ contains($0) }) { return false }
        return true
    }

    /// Whether `word`, which is not empty, stands somewhere in these bytes.
    fileprivate func contains(_ word: UnsafeRawBufferPointer) -> Bool {
        guard count >= word.count else { return false }
        let first = word[0]
        for start in 0...(count - word.count) where self[start] == first {
            var length = 1
            while length < word.count, self[start + length] == word[length] { length += 1 }
            if length == word.count { return true }
        }
        return false
    }
}
