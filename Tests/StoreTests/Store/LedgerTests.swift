import Foundation
import People
import Publishing
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Import ledger", .onEveryStore)
final class LedgerTests: StoreStage {
    let slug = StoreSuite.slug

    private func checkpoint(_ frontier: [String], pass: Int64 = 1, page: VisitedPage? = nil) -> Checkpoint {
        var checkpoint = Checkpoint(source: "a", pass: pass, startedAt: 5)
        checkpoint.frontier = frontier
        checkpoint.users = 2
        checkpoint.page = page
        return checkpoint
    }

    private let people = UserBatch([User(id: 1, login: "ada"), User(id: 2, login: "bob")])

    @Test func aCheckpointIsSavedWithItsUsers() throws {
        let ledger = store.ledger(of: slug)
        #expect(try ledger.checkpoint() == nil, "a missing directory has no checkpoint")
        let writer = try store.openDirectory(slug, title: nil, source: "github")
        let page = VisitedPage(address: "/1", validator: "\"x\"", next: ["/2", "/3"], users: 2)
        _ = try writer.write(people, checkpoint: checkpoint(["/2", "/3"], page: page))
        var expected = checkpoint(["/2", "/3"])
        expected.counts = WriteCounts(added: 2)
        #expect(try ledger.checkpoint() == expected)
        #expect(try ledger.page(at: "/1") == page)
        #expect(try ledger.page(at: "/2") == nil)
        #expect(try database.open().ledger(of: Slug("other")!).checkpoint() == nil)
    }

    @Test func countsAddUpWithinAPass() throws {
        let writer = try store.openDirectory(slug, title: nil, source: "github")
        _ = try writer.write(people, checkpoint: checkpoint(["/2"]))
        var next = checkpoint(["/3"])
        next.untouched = 7
        _ = try writer.write(people, checkpoint: next)
        #expect(try store.ledger(of: slug).checkpoint()?.counts == WriteCounts(added: 2, unchanged: 9))
        _ = try writer.write(people, checkpoint: checkpoint(["/3"], pass: 2))
        #expect(try store.ledger(of: slug).checkpoint()?.counts == WriteCounts(unchanged: 2))
    }

    @Test func unreachablePagesAreRemovedAtTheEnd() throws {
        let writer = try store.openDirectory(slug, title: nil, source: "github")
        func save(_ address: String, pass: Int64, _ frontier: [String]) throws {
            let page = VisitedPage(address: address, validator: "", next: frontier, users: 0)
            _ = try writer.write(UserBatch(), checkpoint: checkpoint(frontier, pass: pass, page: page))
        }
        try save("/old", pass: 1, ["/1"])
        try save("/1", pass: 1, [])
        try save("/1", pass: 2, ["/2"])
        let ledger = store.ledger(of: slug)
        #expect(try ledger.page(at: "/old") != nil)
        try save("/2", pass: 2, [])
        #expect(try ledger.page(at: "/old") == nil)
        #expect(try ledger.page(at: "/1") != nil)
    }

    @Test func anImportFromAnotherSourceClearsTheLedger() throws {
        let page = VisitedPage(address: "/1", validator: "\"x\"", next: [], users: 2)
        _ = try store.openDirectory(slug, title: nil, source: "github")
            .write(people, checkpoint: checkpoint(["/2"], page: page))
        let ledger = store.ledger(of: slug)
        var other = checkpoint(["/2"])
        other.source = "b"
        _ = try store.openDirectory(slug, title: nil, source: "github").write(people, checkpoint: other)
        #expect(try ledger.page(at: "/1") == nil && ledger.checkpoint()?.source == "b")
        _ = try store.openDirectory(slug, title: nil, source: "file").write(people)
        #expect(try ledger.checkpoint() == nil)
    }
}
