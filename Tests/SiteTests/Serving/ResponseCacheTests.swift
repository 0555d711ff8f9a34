import People
import Server
import Testing

@testable import Site

@Suite("ResponseCache")
struct ResponseCacheTests {
    private func entry(_ bytes: Int = 1000, generation: Int64 = 1, choices: UInt64? = nil) -> ResponseCache.Entry {
        var directory = Directory.people
        directory.generation = generation
        return ResponseCache.Entry(
            Response(body: Response.Body(Array(repeating: 0, count: bytes))), Response(.notModified), entityTag: [],
            of: directory, choices: choices)
    }

    private func key(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func insertedEntriesAreFound() {
        let cache = ResponseCache(capacity: 100_000)
        let entry = entry()
        cache.insert(entry, for: key("a"))
        #expect(cache.entry(for: key("a")) === entry)
        #expect(cache.entry(for: key("b")) == nil)
    }

    @Test func itNeverHoldsMoreThanItsCapacity() {
        let cache = ResponseCache(capacity: 100_000)
        for number in 0..<1000 { cache.insert(entry(), for: key("\(number)")) }
        let kept = (0..<1000).filter { number in cache.entry(for: key("\(number)")) != nil }
        #expect(kept.count > 20 && kept.count * 1200 <= 100_000)
        #expect(kept.contains(999))
    }

    @Test func usedEntriesAreKept() {
        let cache = ResponseCache(capacity: 100_000)
        cache.insert(entry(), for: key("used"))
        for number in 0..<1000 {
            cache.insert(entry(), for: key("\(number)"))
            #expect(cache.entry(for: key("used")) != nil, "after \(number)")
        }
    }

    @Test func requestingEverythingOnceEvictsNothing() {
        let cache = ResponseCache(capacity: 100_000)
        for number in 0..<40 { cache.insert(entry(), for: key("read by many \(number)"), isCheap: true) }
        // Until the cache has been full once, it accepts every entry.
        cache.insert(entry(), for: key("last"), isCheap: true)
        #expect(cache.entry(for: key("last")) != nil)
        for number in 0..<100 { cache.insert(entry(), for: key("filling \(number)")) }
        let kept = cache.figures
        for number in 0..<1000 { cache.insert(entry(), for: key("crawled \(number)"), isCheap: true) }
        #expect(cache.figures == kept)
        #expect((0..<1000).allSatisfy { cache.entry(for: key("crawled \($0)")) == nil })
    }

    @Test func aFullCacheKeepsWhatIsRequestedTwice() {
        let cache = ResponseCache(capacity: 100_000)
        for number in 0..<100 { cache.insert(entry(), for: key("filling \(number)")) }
        for _ in 1...2 {
            #expect(cache.entry(for: key("asked")) == nil)
            cache.insert(entry(), for: key("asked"), isCheap: true)
        }
        #expect(cache.entry(for: key("asked")) != nil)
        cache.insert(entry(), for: key("dear"))
        #expect(cache.entry(for: key("dear")) != nil)
    }

    @Test func entriesThatAreTooLargeAreNotKept() {
        let cache = ResponseCache(capacity: 1000)
        cache.insert(entry(2000), for: key("a"))
        #expect(cache.entry(for: key("a")) == nil)
    }

    @Test func anEntryIsFreshUntilTheGenerationChanges() {
        let directories = DirectoryList([.people], Site.Configuration())  // generation 7
        #expect(entry(generation: 7).isFresh(directories))
        #expect(entry(generation: 8).isFresh(directories), "newer than the generation that the store last read")
        #expect(!entry(generation: 6).isFresh(directories))
        #expect(!entry(generation: 7, choices: 1).isFresh(directories))
        #expect(!entry(generation: 7).isFresh(DirectoryList([], Site.Configuration())))
    }
}
