import Foundation
import People
import StorePostgres
import Synchronization
import TestSupport
import Testing

@testable import StoreEngine

@Suite("Opening a PostgreSQL database")
struct PostgresOpeningTests {
    private let cluster: PostgresCluster
    private let schema = PostgresCluster.makeSchema()

    init() throws { cluster = try PostgresCluster.shared() }

    private var url: String { cluster.url(schema: schema) }

    private func failure(_ url: String) -> StoreError? { StoreTests.failure { _ = try PostgresStore(url: url) } }

    @Test func tablesOfAnotherProgramAreLeftAlone() throws {
        try cluster.query("CREATE SCHEMA \(schema); CREATE TABLE \(schema).invoice (id int)")
        #expect(failure(url).says(.foreign, "tables of another program (invoice)"))
        #expect(try cluster.query("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)'") == "1")
    }

    @Test func aSchemaMayBeAWordOfSQL() throws {
        let url = cluster.url(schema: "select")
        defer { _ = try? cluster.query("DROP SCHEMA \"select\" CASCADE") }
        _ = try PostgresStore(url: url)
        #expect(try PostgresStore(url: url, for: .reading).directories.isEmpty)
    }

    @Test func tablesOfOtherVersionsAreLeftAlone() throws {
        _ = try PostgresStore(url: url)
        try cluster.query("UPDATE \(schema).database SET format = 99")
        #expect(failure(url)?.reason == .newer)
        try cluster.query("UPDATE \(schema).database SET format = 2")
        #expect(failure(url).says(.older, "import again into a new database, or"))
    }

    /// A mistyped schema, or a mistyped URL of another database.
    @Test func nothingIsCreatedForThoseWhoExpectADatabase() throws {
        #expect(reason { _ = try PostgresStore(url: url, for: .reading) } == .gone)
        #expect(try cluster.query("SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'") == "0")
        _ = try PostgresStore(url: url)
        _ = try PostgresStore(url: url, for: .reading)
    }

    @Test func anIncompleteCopyIsNotServed() throws {
        _ = try PostgresStore(url: url)
        try cluster.query("CREATE TABLE \(schema).copying (id int)")
        #expect(failure(url).says(.older, "run the same rollcall copy again"))
        _ = try PostgresStore(url: url, for: .copying)
    }

    @Test func aRoleThatMayNotCreateTheSchemaIsToldHow() throws {
        try cluster.query("CREATE ROLE r_\(schema) LOGIN")
        let error = failure(url.replacing("user=rollcall", with: "user=r_\(schema)"))
        #expect(error.says(.notPermitted))
        let cure = error?.description.components(separatedBy: " run: ").last
        try cluster.query(#require(cure))
        _ = try PostgresStore(url: url.replacing("user=rollcall", with: "user=r_\(schema)"))
    }

    @Test func aRoleThatMayNotReadTheTablesIsToldHow() throws {
        _ = try PostgresStore(url: url)
        try cluster.query("CREATE ROLE r_\(schema) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO r_\(schema)")
        let error = failure(url.replacing("user=rollcall", with: "user=r_\(schema)"))
        #expect(error.says(.notPermitted, "grant USAGE on the schema and SELECT"))
    }

    @Test func aRoleThatOnlyReadsMayServe() throws {
        let slug = StoreSuite.slug
        _ = try PostgresStore(url: url).openDirectory(slug, title: nil, source: "test").write([
            User(id: 1, login: "ada")
        ])
        let store = try PostgresStore(url: cluster.makeReadingRole(schema: schema))
        let directory = try #require(store.directories.first)
        #expect(try store.makeReader().page(UserQuery(directory: directory.id, limit: 9))?.users.rows.count == 1)
        #expect(reason { _ = try store.openDirectory(slug, title: "Other", source: "other") } == .notPermitted)
    }

    @Test func aDirectoryThatTheRoleMayNotReadHidesNoOther() throws {
        let (team, board) = (StoreSuite.slug, Slug(literal: "board"))
        let owner = try PostgresStore(url: url)
        _ = try owner.openDirectory(team, title: nil, source: "test").write([User(id: 1, login: "ada")])
        let notes = Mutex<[String]>([])
        let store = try PostgresStore(url: cluster.makeReadingRole(schema: schema)) { note in
            notes.withLock { $0.append(note) }
        }
        defer { store.close() }
        _ = try owner.openDirectory(board, title: nil, source: "test").write([User(id: 1, login: "bo")])
        // A busy store puts off what it keeps of a directory in memory.
        try eventually("the store tells of the directory") {
            store.refresh()
            return notes.withLock { $0.contains { $0.hasPrefix("board cannot be read") } }
        }
        try store.checkHealth()
        #expect(store.directories.map(\.slug) == [team, board])
        let reader = try store.makeReader()
        #expect(try reader.page(UserQuery(directory: 1, limit: 9))?.users.rows.count == 1)
        #expect(reason { _ = try reader.page(UserQuery(directory: 2, limit: 9)) } == .notPermitted)
        #expect(try reader.picture(#require(PictureKey(7)), .small, of: [2, 1]) == nil)
        // Once, among others: on a busy machine, the server may also have been slow to answer.
        let told = notes.withLock { $0.filter { $0.hasPrefix("board cannot be read") } }
        #expect(told.count == 1, "\(told)")
        let note = try #require(told.first)
        #expect(note.contains("ALTER DEFAULT PRIVILEGES FOR ROLE \"rollcall\" IN SCHEMA \(schema) GRANT SELECT"))
    }

    @Test func aDatabaseWithAnotherEncodingIsRefused() throws {
        let name = "ascii_\(schema)"
        try cluster.query("CREATE DATABASE \(name) ENCODING 'SQL_ASCII' TEMPLATE template0")
        #expect(failure(url.replacing("/postgres?", with: "/\(name)?")).says(.foreign, "ENCODING 'UTF8'"))
    }

    @Test func severalProcessesCreateTheTablesOnce() throws {
        let instances = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 4) { [url] _ in
            if let store = try? PostgresStore(url: url) { instances.withLock { _ = $0.insert(store.instance) } }
        }
        #expect(instances.withLock { $0.count } == 1)
    }
}
