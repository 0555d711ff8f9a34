import Directories
import HTTP
import Testing

@testable import Site

@Suite("The response cache")
struct ResponseCacheTests {
    private func entry(_ bytes: Int = 1000, generation: Int64 = 1, choices: UInt64? = nil) -> ResponseCache.Entry {
        ResponseCache.Entry(
            response: Response(body: Response.Body(Array(repeating: 0, count: bytes))),
            notModified: Response(.notModified),
            entityTag: [], directory: 1, generation: generation, choices: choices)
    }

    private func key<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(text.utf8).withUnsafeBytes(body)
    }

    @Test func whatWasPutInIsFound() {
        let cache = ResponseCache(capacity: 100_000)
        let entry = entry()
        key("a") { cache.insert(entry, for: $0) }
        #expect(key("a") { cache.entry(for: $0) } === entry)
        #expect(key("b") { cache.entry(for: $0) } == nil)
    }

    @Test func itNeverHoldsMoreThanItsCapacity() {
        let cache = ResponseCache(capacity: 100_000)
        for number in 0..<1000 { key("\(number)") { cache.insert(entry(), for: $0) } }
        let kept = (0..<1000).filter { number in key("\(number)") { cache.entry(for: $0) } != nil }
        #expect(kept.count > 20 && kept.count * 1200 <= 100_000)
        #expect(kept.contains(999))
    }

    @Test func whatIsUsedSurvives() {
        let cache = ResponseCache(capacity: 100_000)
        key("used") { cache.insert(entry(), for: $0) }
        for number in 0..<1000 {
            key("\(number)") { cache.insert(entry(), for: $0) }
            #expect(key("used") { cache.entry(for: $0) } != nil, "after \(number)")
        }
    }

    @Test func whatIsTooLargeIsNotKept() {
        let cache = ResponseCache(capacity: 1000)
        key("a") { cache.insert(entry(2000), for: $0) }
        #expect(key("a") { cache.entry(for: $0) } == nil)
    }

    @Test func anEntryIsFreshWhileTheGenerationStands() {
        let directories = DirectoryList([.people], preferred: nil)  // generation 7
        #expect(entry(generation: 7).isFresh(directories))
        #expect(entry(generation: 8).isFresh(directories), "newer than what the store last saw")
        #expect(!entry(generation: 6).isFresh(directories))
        #expect(!entry(generation: 7, choices: 1).isFresh(directories))
        #expect(!entry(generation: 7).isFresh(DirectoryList([], preferred: nil)))
    }
}
