import People
import Publishing
import Server
import Testing

@testable import Site

/// Another process changes the settings of a directory, and the server notices it a moment later.
@Suite("Settings that have just changed")
struct OutdatedDirectoryTests {
    private let users = (1...3).map { User(id: $0, login: "u\($0)", name: "Ann \($0)") }

    /// A client of a directory whose own settings have been removed.
    private func client() throws -> SiteClient {
        var directory = Directory.people
        directory.settings = ResolvedSettings(DirectorySettings(own: Staff.settings)).shown
        let client = try SiteClient(users, directories: [directory])
        client.store.changeUnnoticed { $0.settings = .empty }
        return client
    }

    /// On an event loop, and in the pool.
    @Test(arguments: ["/", "/?q=ann", "/api/v3/users"])
    func aPageIsMadeWithTheNewOnes(_ target: String) throws {
        let client = try client()
        #expect(client.get(target).status == .ok)
        #expect(client.store.state.withLock { $0.refreshes } == 1)
        #expect(client.get(target).status == .ok)
        #expect(client.store.state.withLock { $0.refreshes } == 1)
    }

    @Test(arguments: ["/?sort=joined", "/?sort=joined&q=ann"])
    func anOrderThatIsGoneIs400(_ target: String) throws {
        let client = try client()
        client.store.breakDown(with: FakeStore.Outdated())
        let response = client.get(target)
        #expect(response.status == .badRequest && response.text.contains("sort: expected one of"))
        #expect(client.store.state.withLock { $0.refreshes } == 1)
    }

    @Test(arguments: ["/", "/?q=ann", "/fragment"])
    func theDefaultOrderMayBeGone(_ target: String) throws {
        let client = try client()
        client.store.breakDown(with: FakeStore.Outdated())
        #expect(client.get(target).status == .ok)
        #expect(client.store.state.withLock { $0.refreshes } == 1)
    }
}
