import Base

/// Reads an n-gram index: finds the ids of texts by n-grams and phrases.
///
/// ```swift
/// let ids = try NGramIndexReader(storage).ids(with: NGram("ada".unicodeScalars), in: IDSpace(1...1000))
/// ```
package struct NGramIndexReader {
    private let storage: any BlobStorage

    package init(_ storage: any BlobStorage) {
        self.storage = storage
    }

    /// Says that the posting lists of `ngrams` will be read next.
    package func prepare(_ ngrams: [NGram]) throws {
        try storage.prepareToRead(.ranges(Set(ngrams.map(\.bucket)).map(blobNumbers(ofBucket:))))
    }

    /// Returns the ids, all of them in `space`, of the texts that have `ngram`.
    package func ids(with ngram: NGram, in space: IDSpace) throws -> IDSet {
        var builder = IDSetBuilder(space)
        try forEachList(of: ngram) { builder.insert($0) }
        return builder.finished()
    }

    /// Returns the ids, all of them in `space`, of the texts that have one of `ngrams`.
    package func ids(withAnyOf ngrams: [NGram], in space: IDSpace) throws -> IDSet {
        if ngrams.count == 1 { return try ids(with: ngrams[0], in: space) }
        var builder = IDSetBuilder(space)
        // Each bucket is read once. Tags of one kind share buckets.
        for (bucket, ngrams) in Dictionary(grouping: Set(ngrams), by: \.bucket).sorted(by: { $0.key < $1.key }) {
            let wanted = Set(ngrams)
            try storage.get(blobNumbers(ofBucket: bucket), isDescending: false) { _, blob in
                var index = 0
                while let list = PostingList(blob, at: &index) {
                    if wanted.contains(list.ngram) { builder.insert(list) }
                }
                return true
            }
        }
        return builder.finished()
    }

    /// Returns the ids of the first texts that have `ngram`, in any order, and whether these are all. Stops reading
    /// when they are more than `limit`.
    package func ids(with ngram: NGram, stoppingAfter limit: Int) throws -> (ids: [Int64], areAll: Bool) {
        var found = IDList()
        try storage.get(blobNumbers(ofBucket: ngram.bucket), isDescending: false) { _, blob in
            var index = 0
            while let list = PostingList(blob, at: &index), found.ids.count <= limit {
                if list.ngram == ngram { found.insert(list) }
            }
            return found.ids.count <= limit
        }
        return (found.ids, found.ids.count <= limit)
    }

    /// Returns the intersection of `ids`, all of them in `space`, and the ids of the texts that have one of `ngrams`.
    package func ids(withAnyOf ngrams: [NGram], among ids: IDSet, in space: IDSpace) throws -> IDSet {
        if ngrams.count == 1 { return try self.ids(with: ngrams[0], among: ids, in: space) }
        return try self.ids(withAnyOf: ngrams, in: space).intersection(ids)
    }

    /// Returns the intersection of `ids`, all of them in `space`, and the ids of the texts that have `ngram`.
    package func ids(with ngram: NGram, among ids: IDSet, in space: IDSpace) throws -> IDSet {
        switch ids {
        case .list(let ids):
            var list = IDList()
            try forEachList(of: ngram) { list.insert($0, among: ids) }
            list.sort()
            return .list(list)
        case .bitmap(let ids):
            var bitmap = Bitmap(space)
            try forEachList(of: ngram) { bitmap.insert($0) }
            bitmap.formIntersection(ids)
            bitmap.updateCount()
            return IDSet(bitmap)
        }
    }

    /// Returns, by rank, which of `ids` are proven to contain all `phrases` by the offsets of their n-grams (see
    /// ``PhraseMatcher``).
    package func provenMatches(of phrases: [Phrase], among ids: IDSet) throws -> [Bool] {
        try prepare(phrases.flatMap { $0.parts.map(\.ngram) })
        let ranks = RankSelect(ids)
        var isProven = [Bool](repeating: true, count: ids.count)
        for phrase in phrases {
            var matcher = PhraseMatcher(count: ids.count)
            for (number, part) in phrase.parts.enumerated() {
                try forEachList(of: part.ngram) { list in
                    ranks.forEach(in: list) { rank, offset in
                        matcher.add(offset, rank: rank, of: part, number: number)
                    }
                }
            }
            for rank in isProven.indices where !matcher.isMatch(rank, phrase) { isProven[rank] = false }
        }
        return isProven
    }

    private func forEachList(of ngram: NGram, _ body: (PostingList) -> Void) throws {
        try storage.get(blobNumbers(ofBucket: ngram.bucket), isDescending: false) { _, blob in
            var index = 0
            while let list = PostingList(blob, at: &index) {
                if list.ngram == ngram { body(list) }
            }
            return true
        }
    }
}
