import Base
import Foundation
import People
import Synchronization
import TestSupport
import Testing

@testable import StoreEngine
@testable import StorePostgres

@Suite("The connections of readers")
struct ReadingPoolTests {
    private let cluster: PostgresCluster
    private let schema = PostgresCluster.makeSchema()

    init() throws {
        cluster = try PostgresCluster.shared()
        _ = try PostgresStore(url: cluster.url(schema: schema)).openDirectory(
            StoreSuite.slug, title: nil, source: "test"
        ).write([User(id: 1, login: "ada")])
    }

    private func count(_ store: PostgresStore) throws -> Int? {
        try store.makeReader().page(UserQuery(directory: 1, limit: 9))?.users.rows.count
    }

    @Test func aReadAnswersAlthoughAFirewallHasForgottenItsConnection() throws {
        let relay = try PostgresRelay(to: cluster.host)
        defer { relay.stop() }
        let store = try PostgresStore(url: relay.url(schema: schema))
        defer { store.close() }
        #expect(try count(store) == 1)
        relay.forget()
        #expect(try count(store) == 1)
    }

    @Test func aReadWaitsForAConnectionWhereTheServerTakesNoMore() throws {
        // One for the watcher, and one for readers.
        let url = try cluster.makeReadingRole(schema: schema, "CONNECTION LIMIT 2")
        let notes = Mutex<[String]>([])
        let store = try PostgresStore(url: url, note: { note in notes.withLock { $0.append(note) } })
        defer { store.close() }
        let found = Mutex<[Int]>([])
        let read = { (body: @escaping @Sendable () -> Void) in
            OwnedThread {
                let count = try? store.pool.withConnection { connection in
                    defer { body() }
                    let reader = connection.reader(of: store.state, for: .everyone)
                    return try reader.page(UserQuery(directory: 1, limit: 9))?.users.rows.count
                }
                found.withLock { $0.append((count ?? nil) ?? 0) }
            }
        }
        let isLent = DispatchSemaphore(value: 0)
        let mayGo = DispatchSemaphore(value: 0)
        let first = read {
            isLent.signal()
            mayGo.wait()
        }
        isLent.wait()
        let others = (1...3).map { _ in read {} }
        try eventually("the others wait") { store.status.busyConnections == 4 }
        mayGo.signal()
        for thread in [first] + others { thread.join() }
        #expect(found.withLock { $0 } == [1, 1, 1, 1])
        let noted = notes.withLock { $0 }
        #expect(noted.count == 1 && noted.first?.contains("raise max_connections") == true, "\(noted)")
    }
}
