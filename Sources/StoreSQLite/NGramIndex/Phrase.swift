/// Grams that together are a word of more characters than one gram has.
struct Phrase {
    struct Link {
        let ngram: NGram
        /// How many characters it stands after the first one.
        let offset: Int
    }

    /// No more than it takes to have each character once: who has these, each at its place, has the word.
    let links: [Link]

    /// A word of more than ``NGram/maxLength`` characters.
    init(_ word: [Unicode.Scalar]) {
        let last = word.count - NGram.maxLength
        let offsets = stride(from: 0, to: last, by: NGram.maxLength) + [last]
        links = offsets.map { Link(ngram: NGram(word[$0..<($0 + NGram.maxLength)]), offset: $0) }
    }
}

/// Tells by the places of a chain's grams who has the word; of some it cannot tell.
struct PhraseMatcher {
    /// Where the chain's first gram stands, by the users' ranks among those looked at.
    private var starts: [UInt8]
    /// How many links stand where they should.
    private var lengths: [UInt8]

    init(count: Int) {
        starts = [UInt8](repeating: PostingList.unknownPlace, count: count)
        lengths = [UInt8](repeating: 0, count: count)
    }

    /// Takes the place of link `number`, in the order of the links.
    @inline(__always) mutating func note(_ rank: Int, _ place: UInt8, of link: Phrase.Link, _ number: Int) {
        guard place != PostingList.unknownPlace, Int(lengths[rank]) == number else { return }
        if number == 0 {
            starts[rank] = place
        } else if Int(place) != Int(starts[rank]) + link.offset {
            return
        }
        lengths[rank] += 1
    }

    func isProven(_ rank: Int, _ chain: Phrase) -> Bool { Int(lengths[rank]) == chain.links.count }
}
