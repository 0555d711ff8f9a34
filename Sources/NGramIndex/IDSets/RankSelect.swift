/// The ranks of ids in a set: how many ids of the set come before each (a
/// [rank structure](https://en.wikipedia.org/wiki/Succinct_data_structure) over the bits of a bitmap).
package struct RankSelect {
    private let ids: IDSet
    /// The number of ids before each word of a bitmap; empty for a list.
    private let counts: [Int32]

    package init(_ ids: IDSet) {
        self.ids = ids
        counts = if case .bitmap(let bitmap) = ids { bitmap.countsBeforeWords } else { [] }
    }

    /// Calls `body` for each id of a posting list that is in the set, with its rank and the offset of the n-gram.
    @inline(__always) package func forEach(in list: PostingList, _ body: (_ rank: Int, _ offset: UInt8) -> Void) {
        switch ids {
        case .bitmap(let bitmap): bitmap.forEachRank(list, counts, body)
        case .list(let ids): ids.forEachRank(list, body)
        }
    }
}
