import People
import Server
import Testing

@testable import Site

@Suite("A store on a server, for which event loops do not wait")
struct RemoteStoreTests {
    private func client() throws -> SiteClient {
        let client = try SiteClient([.make(1), .make(2)]) { $0.metrics = .everybody }
        client.store.state.withLock { $0.isRemote = true }
        return client
    }

    @Test(arguments: [
        "/", "/fragment", "/users/user1", "/users/nobody", "/nothing", "/?since=abc", "/api/v3/users", "/directories",
        "/fields.json", "/logo", "/embed", "/wall.svg", "/pictures/\(Self.key).webp", "/export.csv", "/sitemap.xml",
        "/metrics", "/readyz", "/style.css", "/opensearch.xml",
    ])
    func nothingIsReadOnAnEventLoop(_ target: String) throws {
        let client = try client()
        let before = client.store.state.withLock { ($0.reads, $0.pictureReads) }
        _ = client.isAnsweredByPool(target)
        #expect(client.store.state.withLock { ($0.reads, $0.pictureReads) } == before)
    }

    private static let key = "0000000000000001"

    @Test(arguments: ["/", "/users/user1", "/api/v3/users", "/nothing", "/style.css", "/fragment?per_page=0"])
    func theResponsesAreTheSame(_ target: String) throws {
        let (remote, near) = (try client(), try SiteClient([.make(1), .make(2)]) { $0.metrics = .everybody })
        for _ in 0..<2 {
            let (one, other) = (remote.get(target), near.get(target))
            #expect(one.status == other.status && one.fields == other.fields && one.body == other.body)
        }
    }

    /// A database that is away costs each read seconds.
    @Test(arguments: ["/nothing", "/?since=abc", "/fragment?per_page=0"])
    func errorsDoNotWaitForADatabaseThatIsAway(_ target: String) throws {
        let client = try client()
        #expect(client.isAnsweredByPool(target))
        client.store.breakDown()
        #expect(!client.isAnsweredByPool(target))
        #expect(client.get(target).status.rawValue < 500)
    }

    @Test func aCachedResponseIsSentAtOnce() throws {
        let client = try client()
        #expect(client.isAnsweredByPool("/"))
        _ = client.get("/")
        #expect(!client.isAnsweredByPool("/"))
    }
}
