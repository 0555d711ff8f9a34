/// The n-grams that together make up a word of more than ``NGram/maxLength`` characters.
package struct Phrase {
    package struct Part {
        package let ngram: NGram
        /// The distance from the first n-gram, in characters.
        package let distance: Int
    }

    /// As few n-grams as cover every character of the word. A text that has each of them at its distance has the word.
    package let parts: [Part]

    /// The phrase of `word`, which has at least ``NGram/maxLength`` characters.
    package init(_ word: [Unicode.Scalar]) {
        let last = word.count - NGram.maxLength
        let distances = stride(from: 0, to: last, by: NGram.maxLength) + [last]
        parts = distances.map { Part(ngram: NGram(word[$0..<($0 + NGram.maxLength)]), distance: $0) }
    }

    /// The phrase of a mark and a word of at least ``NGram/maxLength`` characters after it.
    package init(_ mark: NGram.Mark, before word: [Unicode.Scalar]) {
        // The n-gram of the mark ends one character before the first one of the word.
        let start = Part(ngram: NGram(mark, before: word.prefix(NGram.maxLength - 1)), distance: 0)
        parts = [start] + Phrase(word).parts.map { Part(ngram: $0.ngram, distance: $0.distance + 1) }
    }
}

/// Finds the texts that contain a ``Phrase`` by the offsets of its n-grams (phrase matching).
///
/// Only the first occurrence of an n-gram has an offset, so the matcher proves a match and never disproves one. Texts
/// are named by their rank in the set of ids that is examined.
package struct PhraseMatcher {
    /// The offset of the first part, by rank.
    private var starts: [UInt8]
    /// The number of parts found at their distance, by rank.
    private var foundParts: [UInt8]

    package init(count: Int) {
        starts = [UInt8](repeating: PostingList.unknownOffset, count: count)
        foundParts = [UInt8](repeating: 0, count: count)
    }

    /// Takes the offset of `part` in the text with `rank`. The parts come in ascending order of their `number`.
    @inline(__always) package mutating func add(
        _ offset: UInt8, rank: Int, of part: Phrase.Part, number: Int
    ) {
        guard offset != PostingList.unknownOffset, Int(foundParts[rank]) == number else { return }
        if number == 0 {
            starts[rank] = offset
        } else if Int(offset) != Int(starts[rank]) + part.distance {
            return
        }
        foundParts[rank] += 1
    }

    package func isMatch(_ rank: Int, _ phrase: Phrase) -> Bool { Int(foundParts[rank]) == phrase.parts.count }
}
