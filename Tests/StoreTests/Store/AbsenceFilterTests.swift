import Testing

@testable import StoreEngine

@Suite("What a table that was empty cannot have")
struct AbsenceFilterTests {
    private let hashes = (UInt64(1)...1000).map { $0 &* 0x9E37_79B9_7F4A_7C15 }

    @Test func whatWasInsertedIsNeverRuledOutAndMostOthersAre() {
        var filter = AbsenceFilter()
        for hash in hashes.prefix(500) { filter.insert(hash) }
        #expect(!hashes.prefix(500).contains(where: filter.rulesOut))
        #expect(hashes.suffix(500).count(where: filter.rulesOut) > 490)
    }
}
