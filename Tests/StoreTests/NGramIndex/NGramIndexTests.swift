import Base
import TestSupport
import Testing

@testable import Indexes

@Suite("The n-gram index")
struct NGramIndexTests {
    private static let syllables = ["an", "na", "김", "ka", "ß", "o", "🎨", "ri"]

    /// Texts are added, changed and removed in batches, in any order of ids. After each batch every n-gram has exactly
    /// the ids that it should.
    @Test(arguments: 0..<6) func everyNGramHasExactlyItsTexts(seed: UInt64) throws {
        var random = SplitMix(walk: seed)
        let storage = MemoryBlobs()
        // Blobs and batches so small that blobs fill up, are compacted and new ones begin.
        let writer = NGramIndexWriter(storage, maxBlobBytes: 60)
        var texts: [Int64: String] = [:]
        for _ in 0..<RandomWalk.rounds(30) {
            let (added, removed) = (PostingBuilder(), PostingBuilder())
            let range: Range<Int64> = seed % 2 == 0 ? 1..<400 : 1..<Int64.max
            var ids = Set(
                (0..<Int.random(in: 1...20, using: &random)).map { _ in Int64.random(in: range, using: &random) })
            ids.formUnion(texts.keys.sorted().prefix(Int.random(in: 0...5, using: &random)))
            for id in ids.sorted() {
                if let old = texts[id] { Array(old.utf8).withUnsafeBytes { removed.add(id, $0) } }
                texts[id] = nil
                if Bool.random(using: &random) {
                    let text = (0..<4).map { _ in Self.syllables.randomElement(using: &random) ?? "" }.joined()
                    texts[id] = text
                    Array(text.utf8).withUnsafeBytes { added.add(id, $0) }
                }
            }
            try writer.apply(added: added, removed: removed)
            try check(storage, texts)
        }
    }

    /// Lists of a few bytes and of many thousand: in chunks in memory, and in blobs of limited size.
    @Test func listsOfAnyLengthAreKept() throws {
        var random = SplitMix(walk: 9)
        let storage = MemoryBlobs()
        let writer = NGramIndexWriter(storage)
        var texts: [Int64: String] = [:]
        let builder = PostingBuilder()
        for round in 0..<2 {
            builder.removeAll()
            var id = Int64(round) << 33
            for number in 0..<6000 {
                id += Int64.random(in: 1...(number % 100 == 0 ? 1 << 20 : 40), using: &random)
                let text = "a" + String(number, radix: 36)
                texts[id] = text
                Array(text.utf8).withUnsafeBytes { builder.add(id, $0) }
            }
            try writer.apply(added: builder, removed: PostingBuilder())
            try check(storage, texts)
        }
    }

    private func check(_ storage: MemoryBlobs, _ texts: [Int64: String]) throws {
        let found = try NGramOffsets(in: storage)
        #expect(found == NGramOffsets(of: texts), "\(found.faults)")
    }

    @Test func readersFindIDsByNGramsPhrasesAndTags() throws {
        let storage = MemoryBlobs()
        let builder = PostingBuilder()
        let texts = ["anna", "hanna", "nana", "an na", "na ann"]
        for (id, text) in zip(Int64(1)..., texts) {
            let tags = id % 2 == 0 ? [NGram(tag: 7, ofKind: 0)] : []
            Array(text.utf8).withUnsafeBytes { builder.add(id, $0, tags: tags[...]) }
        }
        try NGramIndexWriter(storage).apply(added: builder, removed: PostingBuilder())
        let reader = NGramIndexReader(storage)
        let ann = try reader.ids(with: NGram("ann".unicodeScalars), in: IDSpace(1...5))
        #expect(ann.all == [1, 2, 5])
        let both = try reader.ids(with: NGram("nna".unicodeScalars), among: ann, in: IDSpace(1...5))
        #expect(both.all == [1, 2])
        #expect(try reader.ids(with: NGram(tag: 7, ofKind: 0), among: both, in: IDSpace(1...5)).all == [2])
        let phrase = Phrase(Array("hanna".unicodeScalars))
        #expect(try reader.provenMatches(of: [phrase], among: ann) == [false, true, false])
    }

    @Test func aTextWithSeveralOfSomeNGramsIsFoundOnce() throws {
        let storage = MemoryBlobs()
        let builder = PostingBuilder()
        let tags = (1...200).map { NGram(tag: $0, ofKind: 3) }
        for id in Int64(1)...300 {
            "a".withText { builder.add(id, $0, tags: [tags[Int(id) % 200], tags[Int(id * 7) % 200]][...]) }
        }
        try NGramIndexWriter(storage).apply(added: builder, removed: PostingBuilder())
        for range in [1...300, 1...Int64.max] as [ClosedRange<Int64>] {
            #expect(try NGramIndexReader(storage).ids(withAnyOf: tags, in: IDSpace(range)).all == Array(1...300))
        }
        #expect(Set(tags.map(\.bucket)).count <= 4, "64 values of a kind share a bucket")
    }

    @Test func readingStopsAfterALimit() throws {
        let storage = MemoryBlobs()
        let writer = NGramIndexWriter(storage, maxBlobBytes: 200)
        for batch in Int64(0)..<20 {
            let builder = PostingBuilder()
            for id in 1...Int64(50) { "a".withText { builder.add(batch * 50 + id, $0) } }
            try writer.apply(added: builder, removed: PostingBuilder())
        }
        let reader = NGramIndexReader(storage)
        let some = try reader.ids(with: NGram("a".unicodeScalars), stoppingAfter: 120)
        #expect(!some.areAll && some.ids.sorted() == Array(1...150))
        let all = try reader.ids(with: NGram("a".unicodeScalars), stoppingAfter: 1000)
        #expect(all.areAll && all.ids.count == 1000)
    }
}

extension String {
    fileprivate func withText(_ body: (UnsafeRawBufferPointer) -> Void) { Array(utf8).withUnsafeBytes(body) }
}
