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
    let plan: SearchPlan
    /// Whether all n-grams of the plan were looked up. If not, texts must be searched for all words.
    let isComplete: Bool
    let verification: Verification

    static var none: Candidates { Candidates(.list(IDList()), SearchPlan.none, isComplete: true) }

    init(_ ids: IDSet, _ plan: SearchPlan, isComplete: Bool) {
        self.init(ids, plan, isComplete, isComplete && plan.undecidedWords.isEmpty ? .done : .pending)
    }

    private init(_ ids: IDSet, _ plan: SearchPlan, _ isComplete: Bool, _ verification: Verification) {
        self.ids = ids
        self.plan = plan
        self.isComplete = isComplete
        self.verification = verification
    }

    /// Those of `users`, as candidates of a search that asks for them, too; all for `nil`.
    func among(_ users: IDSet?) -> Candidates {
        Candidates(users.map(ids.intersection) ?? ids, plan, isComplete: isComplete)
    }

    /// The subset `ids`. All of these match.
    func verified(_ ids: IDSet) -> Candidates { Candidates(ids, plan, isComplete, .done) }

    /// The same candidates, marked as too many to decide about all of them.
    var tooMany: Candidates { Candidates(ids, plan, isComplete, .tooMany) }

    /// Whether the candidate with this text matches.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        let text = SearchedText(text)
        return isComplete ? plan.hasUndecidedWords(text) : plan.hasAllWords(text)
    }
}
