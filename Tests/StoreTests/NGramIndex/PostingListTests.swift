import Base
import Testing

@testable import Indexes

@Suite("Posting lists")
struct PostingListTests {
    /// The example in `Sources/Indexes/NGrams/README.md`.
    @Test func theBytesAreThoseOfTheDocumentation() {
        let blob = ByteBuffer()
        blob.append(ngram("ann"), [(id: 5, offset: 2), (id: 300, offset: 7)], scratch: ByteBuffer())
        blob.append(ngram("é"), [(id: 5, offset: 255), (id: 6, offset: 255)], scratch: ByteBuffer())
        #expect(hex(blob) == "03 61 6e 6e 05 05 02 a7 02 07 01 e9 01 02 05 01")
    }

    /// The example of a tag in `Sources/Indexes/NGrams/README.md`.
    @Test func theBytesOfATagAreThoseOfTheDocumentation() {
        let blob = ByteBuffer()
        let tag = NGram(tag: 3, ofKind: 17)
        blob.append(tag, [(id: 5, offset: 255), (id: 300, offset: 255)], scratch: ByteBuffer())
        #expect(hex(blob) == "03 03 11 ff ff 7f 03 05 a7 02")
        #expect(tag.isTag && !tag.hasOffset)
        #expect(NGram(tag: NGram.maxTag, ofKind: NGram.maxTag).isTag)
        #expect(NGram(tag: 17, ofKind: 3) != tag)
    }

    @Test func aPostingListRoundTrips() {
        let ids = [1, 2, 128, 129, 70_000, Int64.max - 1, Int64.max]
        for text in ["a", "é김", "z🎨\u{10FFFF}"] {
            let buffer = ByteBuffer()
            let offsets = ids.indices.map { ngram(text).hasOffset ? UInt8($0) : PostingList.unknownOffset }
            buffer.append(ngram(text), zip(ids, offsets).map { (id: $0, offset: $1) }, scratch: ByteBuffer())
            var index = 0
            var read: [(id: Int64, offset: UInt8)] = []
            let list = PostingList(buffer.bytes, at: &index)
            list?.forEach { id, offset in
                read.append((id, offset))
                return id
            }
            #expect(list?.ngram == ngram(text) && index == buffer.count)
            #expect(read.map(\.id) == ids && read.map(\.offset) == offsets)
            for end in 1..<buffer.count {
                var index = 0
                #expect(PostingList(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<end]), at: &index) == nil)
            }
        }
    }

    /// Where ids are far apart. Others are read eight bytes at a time.
    @Test func readingStopsAfterTheLastIDThatIsWanted() {
        let ids = (1...200).map { Int64($0) << 43 }
        let buffer = ByteBuffer()
        buffer.append(ngram("a"), ids.map { (id: $0, offset: 255) }, scratch: ByteBuffer())
        var index = 0
        let list = PostingList(buffer.bytes, at: &index)
        var read: [Int64] = []
        list?.forEach(through: ids[19]) { id, _ in
            read.append(id)
            return id
        }
        #expect(read.starts(with: ids[..<20]) && read.count < 30)
    }

    @Test func offsetsAreLimitedToOneByte() {
        var offsets: [UInt8] = []
        let text = Array((String(repeating: "-", count: 250) + "abcdefgh").utf8)
        let builder = PostingBuilder()
        text.withUnsafeBytes { builder.add(1, $0) }
        builder.forEachBucket { _, lists in
            for list in lists where builder.ngram(of: list).hasOffset {
                let postings = ByteBuffer()
                builder.appendPostings(of: list, to: postings)
                PostingList(builder.ngram(of: list), postings.bytes).forEach { id, offset in
                    offsets.append(offset)
                    return id
                }
            }
        }
        #expect(offsets.sorted() == [1, 2, 250, 251, 251, 252, 253, 255, 255, 255, 255])
    }
}
