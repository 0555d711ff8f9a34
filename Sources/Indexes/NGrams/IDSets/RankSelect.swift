/// The ranks of ids in a set: how many ids of the set come before each (a
/// [rank structure](https://en.wikipedia.org/wiki/Succinct_data_structure) over the bits of a bitmap).
package struct RankSelect {
    private let ids: IDSet
    /// The number of ids before each word of a bitmap; empty for a list.
    private let counts: [Int32]
    /// The last id of the set. A posting list of ids far apart is read as far as this id.
    private let last: Int64

    package init(_ ids: IDSet) {
        self.ids = ids
        last = ids.last(atOrBefore: .max) ?? .min
        if case .bitmap(let bitmap) = ids { counts = bitmap.countsBeforeWords } else { counts = [] }
    }

    /// Calls `body` for each id of a posting list that is in the set, with its rank and the offset of the n-gram.
    @inline(__always) package func forEach(in list: PostingList, _ body: (_ rank: Int, _ offset: UInt8) -> Void) {
        switch ids {
        case .bitmap(let bitmap): bitmap.forEachRank(list, through: last, counts, body)
        case .list(let ids): ids.forEachRank(list, through: last, body)
        }
    }
}
