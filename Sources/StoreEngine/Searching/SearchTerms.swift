import Base
import Indexes
import People

/// The n-grams that a search looks up in the index, and the words that the index cannot decide about.
struct SearchTerms {
    /// The n-grams that every match has, in the order in which they are looked up: those that are likely to be rare
    /// first. Each element is a choice: a match has at least one of its n-grams. Empty if nothing can match, and
    /// without words.
    let ngrams: [[NGram]]
    /// The words that are searched for in the texts of candidates, because the n-grams do not decide about them.
    let undecidedWords: [SearchWords.Word]
    /// The phrases of the undecided words, if all their n-grams are among the terms'; else empty.
    let phrases: [Phrase]
    /// Whether every n-gram is one of a phrase, so that the phrases alone decide who matches.
    var isOfPhrases: Bool { !phrases.isEmpty && phrases.count == words.count }
    /// The words that are not part of another one.
    private let words: [SearchWords.Word]

    /// The word, if the search has only one, whose last syllable is complete.
    var soleWord: [UInt8]? { words.count == 1 && words[0].completions == nil ? words[0].bytes : nil }

    /// More n-grams only cost time: verification sees the candidates that they would exclude.
    private static let maxNGrams = 16

    /// The terms that find nothing.
    static var none: SearchTerms { SearchTerms() }

    private init() {
        (ngrams, undecidedWords, phrases, words) = ([], [], [], [])
    }

    init(_ search: Search) {
        words = Self.needed(of: search.words.distinct)
        var ngrams: [[NGram]] = []
        var undecided: [SearchWords.Word] = []
        var phrases: [Phrase] = []
        var hasPhrases = true
        for word in words {
            let scalars = Array(word.text.unicodeScalars)
            let choices = Self.choices(of: word, scalars)
            if scalars.count > NGram.maxLength || !choices.areDecisive {
                undecided.append(word)
                if word.completions == nil { phrases.append(Phrase(scalars)) } else { hasPhrases = false }
            }
            ngrams += choices.ngrams.filter { !ngrams.contains($0) }
        }
        // Longer n-grams first, which are rarer, and characters beyond ASCII first, which are rare where most names are
        // ASCII.
        let sorted = ngrams.sorted { $0[0].code.leadingZeroBitCount < $1[0].code.leadingZeroBitCount }
        self.ngrams = Array(sorted.prefix(Self.maxNGrams))
        undecidedWords = ngrams.count > Self.maxNGrams ? words : undecided
        self.phrases = ngrams.count > Self.maxNGrams || !hasPhrases ? [] : phrases
    }

    /// Returns the words without those that are part of another one, if they are few enough to compare with each other.
    private static func needed(of words: [SearchWords.Word]) -> [SearchWords.Word] {
        guard words.count <= maxNGrams else { return words }
        return words.filter { word in
            !words.contains { other in
                other != word
                    && other.beginning.withBytes { text in word.bytes.withBytes { text.firstIndex(of: $0) != nil } }
            }
        }
    }

    /// Returns the n-grams of a word: the word itself if it is an n-gram, and else all of its n-grams of the greatest
    /// length.
    ///
    /// A short word with a last syllable that may be completed is one of some n-grams. Only the n-grams before an
    /// initial consonant are looked up; they decide about nothing.
    private static func choices(
        of word: SearchWords.Word, _ scalars: [Unicode.Scalar]
    ) -> (ngrams: [[NGram]], areDecisive: Bool) {
        guard let completions = word.completions else { return (ngrams(of: scalars[...]).map { [$0] }, true) }
        let beginning = scalars.dropLast()
        if word.isOneOfFew, scalars.count <= NGram.maxLength {
            return ([completions.compactMap { Unicode.Scalar($0) }.map { NGram(beginning + [$0]) }], true)
        }
        return (ngrams(of: beginning).map { [$0] }, false)
    }

    private static func ngrams(of word: ArraySlice<Unicode.Scalar>) -> [NGram] {
        let length = min(word.count, NGram.maxLength)
        return (word.startIndex...(word.endIndex - length)).map { NGram(word[$0..<($0 + length)]) }
    }

    /// Whether reading the texts of `count` users costs less than reading the posting lists of `ngrams`, a choice.
    ///
    /// Most users may have a single character: with a million users its lists cost as much as a thousand texts. If
    /// texts are read in any case, the lists have to exclude more of them.
    func prefersTexts(of count: Int, to ngrams: [NGram], _ limits: SearchLimits) -> Bool {
        count < limits.maxTextsReadFirst * (ngrams[0].isCharacter ? undecidedWords.isEmpty ? 16 : 32 : 1)
    }

    /// Whether the undecided words are in `text`, which has all n-grams of the terms.
    func hasUndecidedWords(_ text: SearchedText) -> Bool { text.matches(undecidedWords) }

    /// Whether all words are in `text`.
    func hasAllWords(_ text: SearchedText) -> Bool { text.matches(words) }
}

extension SearchWords.Word {
    /// Whether the word is whole, or its last syllable lacks the final consonant and stands for 28; an initial
    /// consonant stands for 588.
    var isOneOfFew: Bool { (completions?.count ?? 1) <= 28 }
}
