/// The ranks of ids: how many of the same set are before each.
struct RankSelect {
    private let ids: IDSet
    /// Of bits: how many ids are before each word of them.
    private let counts: [Int32]

    init(_ ids: IDSet) {
        self.ids = ids
        counts = if case .bits(let bits) = ids { bits.countsBeforeWords } else { [] }
    }

    /// Calls `body` for each id of an entry that is in the set, with its rank and the place of the entry's gram.
    @inline(__always) func forEach(in entry: PostingList, _ body: (_ rank: Int, _ place: UInt8) -> Void) {
        switch ids {
        case .bits(let bits): bits.forEachRank(entry, counts, body)
        case .list(let list): list.forEachRank(entry, body)
        }
    }
}
