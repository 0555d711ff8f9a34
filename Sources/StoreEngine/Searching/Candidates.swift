import NGramIndex
import People

/// The users that the search index finds for a search.
struct Candidates {
    enum Verification {
        /// Some of them may not match.
        case pending
        /// All of them match.
        case done
        /// More of them match than are counted, so the others are not decided about.
        case tooMany
    }

    let ids: IDSet
    let terms: SearchTerms
    /// Whether all n-grams of the terms were looked up. If not, texts must be searched for all words.
    let isComplete: Bool
    let verification: Verification

    static var none: Candidates { Candidates(.list(IDList()), SearchTerms.none, isComplete: true) }

    init(_ ids: IDSet, _ terms: SearchTerms, isComplete: Bool) {
        self.init(ids, terms, isComplete, isComplete && terms.undecidedWords.isEmpty ? .done : .pending)
    }

    private init(_ ids: IDSet, _ terms: SearchTerms, _ isComplete: Bool, _ verification: Verification) {
        self.ids = ids
        self.terms = terms
        self.isComplete = isComplete
        self.verification = verification
    }

    /// Those of `users`, as candidates of a search that asks for them, too; all for `nil`.
    func among(_ users: IDSet?) -> Candidates {
        Candidates(users.map(ids.intersection) ?? ids, terms, isComplete: isComplete)
    }

    /// The subset `ids`. All of these match.
    func verified(_ ids: IDSet) -> Candidates { Candidates(ids, terms, isComplete, .done) }

    /// The same candidates, marked as too many to decide about all of them.
    var tooMany: Candidates { Candidates(ids, terms, isComplete, .tooMany) }

    /// Whether the candidate with this text matches.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        let text = SearchedText(text)
        return isComplete ? terms.hasUndecidedWords(text) : terms.hasAllWords(text)
    }
}
