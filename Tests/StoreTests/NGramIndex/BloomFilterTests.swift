import Testing

@testable import Indexes

@Suite("Bloom filters")
struct BloomFilterTests {
    @Test func whatWasInsertedIsNeverRuledOutAndMostOthersAre() {
        let hashes = (UInt64(1)...1000).map { $0 &* 0x9E37_79B9_7F4A_7C15 }
        var filter = BloomFilter(bits: 25)
        #expect(!hashes.contains(where: filter.mayContain(hash:)))
        for hash in hashes.prefix(500) { filter.insert(hash: hash) }
        #expect(hashes.prefix(500).allSatisfy(filter.mayContain(hash:)))
        #expect(hashes.suffix(500).count { !filter.mayContain(hash: $0) } > 490)
    }
}
