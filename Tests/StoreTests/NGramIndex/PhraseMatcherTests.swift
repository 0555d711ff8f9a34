import Testing

@testable import Indexes

@Suite("Phrase matching")
struct PhraseMatcherTests {
    @Test func offsetsProveThatATextMatches() throws {
        let phrase = Phrase(Array("collective".unicodeScalars))
        let offsets: [[UInt8]] = [[2, 5, 8, 9], [2, 5, 8, 30], [255, 255, 255, 255], [3, 6, 9, 10]]
        var matcher = PhraseMatcher(count: offsets.count)
        for (number, part) in phrase.parts.enumerated() {
            for rank in offsets.indices { matcher.add(offsets[rank][number], rank: rank, of: part, number: number) }
        }
        #expect(offsets.indices.map { matcher.isMatch($0, phrase) } == [true, false, false, true])
    }
}
