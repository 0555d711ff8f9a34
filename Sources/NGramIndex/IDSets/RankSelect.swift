/// The ranks of ids in a set: how many ids of the set come before each (a
/// [rank structure](https://en.wikipedia.org/wiki/Succinct_data_structure) over the bits of a bitmap).
package struct RankSelect {
    private let ids: IDSet
    /// The number of ids before each word of a bitmap; empty for a list.
    private let counts: [Int32]
    private let hashed: HashedRanks?

    package init(_ ids: IDSet) {
        self.ids = ids
        switch ids {
        case .bitmap(let bitmap): (counts, hashed) = (bitmap.countsBeforeWords, nil)
        case .list(let list): (counts, hashed) = ([], list.hashedRanks)
        }
    }

    /// Calls `body` for each id of a posting list that is in the set, with its rank and the offset of the n-gram.
    @inline(__always) package func forEach(in list: PostingList, _ body: (_ rank: Int, _ offset: UInt8) -> Void) {
        switch ids {
        case .bitmap(let bitmap): bitmap.forEachRank(list, counts, body)
        case .list(let ids): ids.forEachRank(list, hashed, body)
        }
    }
}
