import Bytes
import GRDB
import TestSupport
import Testing

@testable import StoreSQLite

@Suite("N-grams")
struct NGramTests {
    private func ngrams(of text: String) -> Set<NGram> {
        var ngrams: Set<NGram> = []
        Array(text.utf8).withUnsafeBytes { $0.forEachGram { ngram, _ in ngrams.insert(ngram) } }
        return ngrams
    }

    private func ngram(_ text: String) -> NGram { NGram(Array(text.unicodeScalars)) }

    @Test func nGramsAreUpToThreeConsecutiveCharacters() {
        #expect(ngrams(of: "anna") == Set(["a", "n", "an", "nn", "na", "ann", "nna"].map(ngram)))
        #expect(ngrams(of: "김민") == Set(["김", "민", "김민"].map(ngram)))
        #expect(
            ngrams(of: "🧑🏽‍🎨")
                == Set(["🧑", "🏽", "\u{200D}", "🎨"].map(ngram)).union(
                    [ngram("🧑🏽"), ngram("🏽\u{200D}"), ngram("\u{200D}🎨"), ngram("🧑🏽\u{200D}"), ngram("🏽\u{200D}🎨")]))
    }

    @Test(arguments: ["ab\ncd", "ab cd", "ab\tcd"]) func noNGramSpansWhiteSpace(_ text: String) {
        #expect(ngrams(of: text) == Set(["a", "b", "ab", "c", "d", "cd"].map(ngram)))
    }

    @Test(arguments: [[0xFF, 0xFE], [0xE2, 0x82], [0x80], [0xF8, 0x88, 0x80, 0x80, 0x80]] as [[UInt8]])
    func bytesThatAreNotTextAreHarmless(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { $0.forEachGram { _, _ in } }
    }

    @Test func aPostingListRoundTrips() {
        let ids = [1, 2, 128, 129, 70_000, Int64.max - 1, Int64.max]
        for text in ["a", "é김", "z🎨\u{10FFFF}"] {
            let buffer = ByteBuffer()
            let places = ids.indices.map { ngram(text).hasPlace ? UInt8($0) : PostingList.unknownPlace }
            buffer.append(ngram(text), zip(ids, places).map { (id: $0, place: $1) }, scratch: ByteBuffer())
            var index = 0
            var read: [(id: Int64, place: UInt8)] = []
            let entry = PostingList(buffer.bytes, at: &index)
            entry?.forEach { id, place in
                read.append((id, place))
                return id
            }
            #expect(entry?.ngram == ngram(text) && index == buffer.count)
            #expect(read.map(\.id) == ids && read.map(\.place) == places)
            for end in 1..<buffer.count {
                var index = 0
                #expect(PostingList(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<end]), at: &index) == nil)
            }
        }
    }
}

@Suite("NGramIndexWriter")
struct NGramIndexWriterTests {
    private static let syllables = ["an", "na", "김", "ka", "ß", "o", "🎨", "ri"]

    /// Batches add, change and remove users, with ids in any order; then every n-gram has exactly the users it should.
    @Test(arguments: 0..<6) func everyNGramHasExactlyItsUsers(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let database = try DatabaseQueue()
        try database.write { db in
            try db.execute(sql: "CREATE TABLE userGram1 (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT")
            let connection = StoreSQLite.Connection(borrowing: try #require(db.sqliteConnection))
            var table = NGramIndexWriter(directory: 1, connection: connection)
            // Rows and batches are so small that rows fill up, are joined and are started again.
            table.maxRow = 60
            var texts: [Int64: String] = [:]
            for _ in 0..<30 {
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
                try table.apply(added: added, removed: removed)
                #expect(try NGramOffsets(in: connection, directory: 1) == NGramOffsets(of: texts))
            }
            connection.removeStatements()
        }
    }

    /// Lists of a few bytes and of many thousand bytes: in chunks in memory, and in entries that fit a row.
    @Test func listsOfAnyLengthAreKept() throws {
        var random = SplitMix(state: 9)
        let database = try DatabaseQueue()
        try database.write { db in
            try db.execute(sql: "CREATE TABLE userGram1 (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT")
            let connection = StoreSQLite.Connection(borrowing: try #require(db.sqliteConnection))
            let table = NGramIndexWriter(directory: 1, connection: connection)
            var texts: [Int64: String] = [:]
            let batch = PostingBuilder()
            for round in 0..<2 {
                batch.removeAll()
                var id = Int64(round) << 33
                for number in 0..<6000 {
                    id += Int64.random(in: 1...(number % 100 == 0 ? 1 << 20 : 40), using: &random)
                    let text = "a" + String(number, radix: 36)
                    texts[id] = text
                    Array(text.utf8).withUnsafeBytes { batch.add(id, $0) }
                }
                try table.apply(added: batch, removed: PostingBuilder())
                #expect(try NGramOffsets(in: connection, directory: 1) == NGramOffsets(of: texts))
            }
            connection.removeStatements()
        }
    }

    @Test func offsetsAreLimitedToOneByte() {
        var places: [UInt8] = []
        let text = Array((String(repeating: "-", count: 250) + "abcdefgh").utf8)
        let batch = PostingBuilder()
        text.withUnsafeBytes { batch.add(1, $0) }
        batch.forEachBucket { _, lists in
            for list in lists where batch.ngram(of: list).hasPlace {
                let ids = ByteBuffer()
                batch.appendIDs(of: list, to: ids)
                PostingList(batch.ngram(of: list), ids.bytes).forEach { id, place in
                    places.append(place)
                    return id
                }
            }
        }
        #expect(places.sorted() == [2, 250, 251, 252, 253, 255, 255, 255, 255])
    }
}
