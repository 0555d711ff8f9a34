import Directories
import NGramIndex

/// The n-grams that a search looks up in the index, and the words that the index cannot decide about.
struct SearchPlan {
    /// The n-grams that every match has, in the order in which they are looked up: those that are likely to be rare
    /// first. Empty if nothing can match, and without words.
    let ngrams: [NGram]
    /// The words that are searched for in the texts of candidates, because they are longer than an n-gram.
    let longWords: [[UInt8]]
    /// The phrases of the long words, if all their n-grams are among the plan's; else empty.
    let phrases: [Phrase]
    private let words: [[UInt8]]

    /// The word, if the search has only one.
    var soleWord: [UInt8]? { words.count == 1 ? words[0] : nil }

    /// More n-grams only cost time: verification sees the candidates that they would exclude.
    private static let maxNGrams = 16

    /// The plan that finds nothing.
    static var none: SearchPlan { SearchPlan() }

    private init() {
        (ngrams, longWords, phrases, words) = ([], [], [], [])
    }

    init(_ search: Search) {
        let needed = Self.needed(of: search.words)
        words = needed.map { Array($0.utf8) }
        // No name contains a NUL, and no n-gram does.
        guard !search.words.contains(where: { $0.utf8.contains(0) }) else {
            ngrams = []
            longWords = []
            phrases = []
            return
        }
        var ngrams: [NGram] = []
        var longWords: [[UInt8]] = []
        var phrases: [Phrase] = []
        for word in needed {
            let scalars = Array(word.unicodeScalars)
            if scalars.count > NGram.maxLength {
                longWords.append(Array(word.utf8))
                phrases.append(Phrase(scalars))
            }
            ngrams += Self.ngrams(of: scalars).filter { !ngrams.contains($0) }
        }
        // Longer n-grams first, which are rarer, and characters beyond ASCII first, which are rare where most names are
        // ASCII.
        let sorted = ngrams.sorted { $0.code.leadingZeroBitCount < $1.code.leadingZeroBitCount }
        self.ngrams = Array(sorted.prefix(Self.maxNGrams))
        self.longWords = ngrams.count > Self.maxNGrams ? words : longWords
        self.phrases = ngrams.count > Self.maxNGrams ? [] : phrases
    }

    /// Returns the words without those that are part of another one, if they are few enough to compare with each other.
    private static func needed(of words: [String]) -> [String] {
        guard words.count <= maxNGrams else { return words }
        let bytes = words.map { Array($0.utf8) }
        return bytes.indices.filter { index in
            !bytes.indices.contains { other in
                other != index && bytes[other].withUnsafeBytes { $0.contains(all: [bytes[index]]) }
            }
        }.map { words[$0] }
    }

    /// Returns the word itself if it is an n-gram, and else all of its n-grams of the greatest length.
    private static func ngrams(of word: [Unicode.Scalar]) -> [NGram] {
        let length = min(word.count, NGram.maxLength)
        return (0...(word.count - length)).map { NGram(word[$0..<($0 + length)]) }
    }

    /// Whether reading the texts of `count` users costs less than reading the posting lists of `ngram`.
    ///
    /// Most users may have a single character: with a million users its lists cost as much as a thousand texts. If
    /// texts are read in any case, the lists have to exclude more of them.
    func prefersTexts(of count: Int, to ngram: NGram, _ limits: SearchLimits) -> Bool {
        count < limits.few * (ngram.isCharacter ? longWords.isEmpty ? 16 : 32 : 1)
    }

    /// Whether the long words are in `text`, which has all n-grams of the plan.
    func hasLongWords(_ text: UnsafeRawBufferPointer) -> Bool { text.contains(all: longWords) }

    /// Whether all words are in `text`.
    func hasAllWords(_ text: UnsafeRawBufferPointer) -> Bool { text.contains(all: words) }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(all words: [[UInt8]]) -> Bool {
        for word in words where !word.withUnsafeBytes({ contains($0) }) { return false }
        return true
    }

    /// Whether `word`, which is not empty, occurs in these bytes.
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
