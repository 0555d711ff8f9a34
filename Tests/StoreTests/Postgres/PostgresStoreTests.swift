import Foundation
import People
import Publishing
@testable import StorePostgres
import Synchronization
import TestSupport
import Testing

@testable import StoreEngine

@Suite("The PostgreSQL store")
struct PostgresStoreTests {
    private let slug = StoreSuite.slug

    private func logins(_ store: PostgresStore, _ reader: any UserReader) throws -> [String] {
        store.refresh()
        guard let directory = store.directories.first else { return [] }
        return try reader.page(UserQuery(directory: directory.id, limit: 100))?.users.users.map(\.login) ?? []
    }

    @Test func lostConnectionsAreReplacedWithinTheSameCall() throws {
        let name = "lost\(UInt64.random(in: 0 ... .max))"
        let store = try PostgresStore(url: PostgresCluster.shared().makeURL(), applicationName: name)
        let writer = try store.openDirectory(slug, title: nil, source: "test")
        let reader = try store.makeReader()
        for id in 1...3 as ClosedRange<Int64> {
            _ = try writer.write([User(id: id, login: "u\(id)")])
            #expect(try logins(store, reader).count == Int(id))
            try PostgresCluster.shared().endConnections(of: name)
            #expect(try logins(store, reader).count == Int(id))
            // The connection of writers is found to be lost by the statement after it.
            _ = try? writer.write([User(id: id, login: "u\(id)")])
        }
        try store.checkHealth()
    }

    @Test func aTransactionWhoseConnectionIsLostSavesNothingAndCanBeRepeated() throws {
        let name = "lost\(UInt64.random(in: 0 ... .max))"
        let store = try PostgresStore(url: PostgresCluster.shared().makeURL(), applicationName: name)
        let writer = try store.openDirectory(slug, title: nil, source: "test")
        _ = try writer.write([User(id: 1, login: "ada")])
        let batch = { UserBatch([User(id: 2, login: "bo"), User(id: 3, login: "cy")]) }
        try writer.begin()
        _ = try writer.append(batch(), checkpoint: nil)
        try PostgresCluster.shared().endConnections(of: name)
        #expect(failure { try writer.commit() }?.kind == .interruption)
        #expect(try logins(store, store.makeReader()) == ["ada"])
        #expect(try writer.write(batch()).added == 2)
        #expect(try logins(store, store.makeReader()) == ["ada", "bo", "cy"])
    }

    /// A transaction that has written and is between two statements has no snapshot, but VACUUM keeps rows for it.
    @Test func forgettingWaitsForATransactionThatWritesElsewhere() throws {
        let (cluster, name) = (try PostgresCluster.shared(), "forgetting\(UInt64.random(in: 0 ... .max))")
        let schema = PostgresCluster.makeSchema()
        let store = try PostgresStore(url: cluster.url(schema: schema), applicationName: name)
        _ = try store.openDirectory(slug, title: nil, source: "test").write([User(id: 1, login: "augusta")])
        let elsewhere = try cluster.holdTransaction("SELECT pg_current_xact_id()")
        // On a thread of its own: tests that wait for the transaction, too, may have all others.
        let end = DispatchSemaphore(value: 0)
        let forgotten = Atomic(0)
        Thread.detachNewThread {
            forgotten.store((try? store.forget(.login("augusta"), in: nil).count) ?? 0, ordering: .relaxed)
            end.signal()
        }
        // It looks for others, and either waits for them or rewrites its tables.
        try eventually("the command has removed the person") {
            try cluster.query(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE application_name LIKE '%\(name)%' AND (query LIKE '%backend_xmin%' OR query LIKE 'VACUUM%')
                """) == "1"
        }
        elsewhere.close()
        end.wait()
        #expect(forgotten.load(ordering: .relaxed) == 1)
        #expect(try cluster.bytes(ofSchema: schema).range(of: Data("augusta".utf8)) == nil)
    }

    /// A session that starts has a snapshot, for which VACUUM keeps rows, and is not in pg_stat_activity yet.
    @Test func forgettingWaitsForASessionThatStarts() throws {
        let (cluster, schema) = (try PostgresCluster.shared(), PostgresCluster.makeSchema())
        let store = try PostgresStore(url: cluster.url(schema: schema))
        _ = try store.openDirectory(slug, title: nil, source: "test").write([User(id: 1, login: "augusta")])
        let starting = try cluster.startConnection(delay: 2)
        try eventually("the session has a transaction") {
            try cluster.query(
                """
                SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'virtualxid'
                AND pid NOT IN (SELECT pid FROM pg_stat_activity)
                """) == "t"
        }
        #expect(try store.forget(.login("augusta"), in: nil).count == 1)
        #expect(try cluster.bytes(ofSchema: schema).range(of: Data("augusta".utf8)) == nil)
        starting.close()
    }

    @Test func figuresAreReadOnTheConnectionsOfReaders() throws {
        let store = try PostgresStore(url: PostgresCluster.shared().makeURL())
        _ = try store.makeReader().page(UserQuery(directory: 1, limit: 1))
        let count = store.status.openConnections
        for _ in 1...3 { #expect(try store.pictureTotals().pictures == 0) }
        #expect(store.status.openConnections == count)
    }

    @Test(arguments: [("handle", "handle"), ("handle", "id"), ("identity", "hash"), ("identity", "id")])
    func valuesAreLookedUpByIndexWithoutStatistics(table: String, key: String) throws {
        let store = try PostgresStore(url: PostgresCluster.shared().makeURL())
        _ = try store.openDirectory(slug, title: nil, source: "test")
        let selection = store.writer.selection(of: "id", from: table, in: 1, by: key, count: 256)
        let plan = try store.writer.statement("EXPLAIN \(selection)")
        var lines = ""
        for index in 1...Int32(256) {
            if key == "handle" { plan.bind("ada\(index)", at: index) } else { plan.bind(Int64(index), at: index) }
        }
        while try plan.step() { lines += plan.text(0) + "\n" }
        #expect(lines.contains(/Index Cond: \(\(directory = .+\) AND \(\w+ = .+\)\)/), "\(lines)")
    }

    @Test func importsOfOneDirectoryOnSeveralMachinesTakeTurns() throws {
        let url = try PostgresCluster.shared().makeURL()
        let (one, other) = (try PostgresStore(url: url), try PostgresStore(url: url))
        guard case .taken(let lock) = try one.attemptImportLock(of: slug, name: "an import on db1") else {
            throw Failure("nobody has the lock")
        }
        guard case .held(let holder) = try other.attemptImportLock(of: slug, name: "another import") else {
            throw Failure("two imports have the lock")
        }
        #expect(holder == "an import on db1")
        guard case .taken = try other.attemptImportLock(of: Slug(literal: "board"), name: "another import") else {
            throw Failure("imports into different directories wait for each other")
        }
        withExtendedLifetime(lock) {}
    }

    @Test func onANewTimelineGenerationsJumpAndValidatorsDiffer() throws {
        let cluster = try PostgresCluster.shared()
        let schema = PostgresCluster.makeSchema()
        let url = cluster.url(schema: schema)
        let before = try PostgresStore(url: url)
        _ = try before.openDirectory(slug, title: nil, source: "test").write([User(id: 1, login: "ada")])
        before.refresh()
        let old = try #require(before.directories.first)
        // As if the last writer had written on a primary that is lost.
        try cluster.query("UPDATE \(schema).database SET timeline = 77")
        let after = try PostgresStore(url: url)
        _ = try after.openDirectory(slug, title: nil, source: "test").write([User(id: 2, login: "bo")])
        #expect(try cluster.query("SELECT timeline FROM \(schema).database") == "1")
        before.refresh()
        after.refresh()
        let (new, same) = (try #require(before.directories.first), try #require(after.directories.first))
        #expect(new.generation > old.generation + 1 << 20)
        // Each server derives the same one.
        #expect(new.origin == same.origin)
        #expect(new == same)
        #expect(try PostgresStore(url: url).directories == [new])
    }

    /// The noted timeline can go back, if a failover loses the note of the latest one.
    @Test func eachLossOfDataHasValidatorsOfItsOwn() throws {
        let current = CurrentState(StoredDatabase(instance: "a", timeline: 1))
        #expect(current.makeNext(timeline: 1) == nil)
        var origins = [current.get().origin]
        func show(_ state: SharedState?, timeline: Int64) throws {
            let state = try #require(state)
            current.show(state, timeline: timeline)
            origins.append(state.origin)
        }
        try show(current.makeNextAfterLoss(), timeline: 1)
        try show(current.makeNextAfterLoss(), timeline: 1)
        try show(current.makeNext(timeline: 2), timeline: 2)
        #expect(origins[3] == Timeline.origin(instance: "a", timeline: 2))
        try show(current.makeNextAfterLoss(), timeline: 2)
        try show(current.makeNext(timeline: 1), timeline: 1)
        try show(current.makeNextAfterLoss(), timeline: 1)
        try show(current.makeNext(timeline: 2), timeline: 2)
        #expect(Set(origins).count == origins.count, "\(origins)")
    }

    /// A store begins with a random host, so this opens the database several times.
    @Test func aWriterFindsWhatAnotherHasWrittenAlthoughAStandbyIsBehind() throws {
        let servers = try ReplicatedPostgres(
            standbys: 1, settings: ["synchronous_standby_names": "", "synchronous_commit": "local"])
        let writer = try PostgresStore(url: servers.url(), for: .importing)
        _ = try writer.openDirectory(slug, title: nil, source: "test")
        try eventually("the standby has the directory") {
            // Fails while the standby has no such table.
            (try? servers.standbys[0].query("SELECT count(*) FROM rollcall.directory")) == "1"
        }
        try servers.standbys[0].query("SELECT pg_wal_replay_pause()")
        _ = try writer.openDirectory(try #require(Slug("later")), title: nil, source: "test")
        for _ in 0..<8 {
            #expect(try PostgresStore(url: servers.url(), for: .importing).directories.count == 2)
        }
    }

    /// An hour in the life of a replicated database, in seconds.
    @Test func readsGoOnAndNothingIsLostWhenAStandbyTakesOver() throws {
        let servers = try ReplicatedPostgres()
        let store = try PostgresStore(url: servers.url())
        let other = try PostgresStore(url: servers.url())
        let writer = try store.openDirectory(slug, title: nil, source: "test")
        _ = try writer.write((1...50).map { User(id: $0, login: "u\($0)") })
        let readers = try [store.makeReader(), other.makeReader()]
        let check = { (count: Int) in
            for (store, reader) in zip([store, other], readers) {
                try eventually("\(count) users are shown") { try logins(store, reader).count == count }
            }
        }
        try check(50)
        let generation = try #require(store.directories.first?.generation)
        let primary = try servers.primary
        primary.kill()
        try check(50)
        #expect(failure { _ = try writer.write([User(id: 51, login: "u51")]) }?.kind == .interruption)
        try check(50)
        try servers.promoteMostAdvanced()
        try servers.waitForStandbys(1)
        #expect(try writer.write([User(id: 51, login: "u51")]).added == 1)
        try check(51)
        let after = try #require(store.directories.first)
        #expect(after.generation > generation + 1 << 20)
        try eventually("both servers have the same validators") {
            other.refresh()
            return other.directories == [after]
        }
    }
}
