import Directories
import Foundation
import GRDB
import TestSupport
import Testing

@testable import StoreSQLite

@Suite("Databases of earlier versions")
struct MigrationTests {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "old.sqlite").path
        let dump = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Databases/before-descriptions.sql")
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: String(contentsOf: dump, encoding: .utf8)) }
    }

    @Test func allUsersAreKept() throws {
        let store = try SQLiteStore(path: path)
        #expect(store.directories.map(\.slug.text) == ["team", "crew"])
        #expect(store.directories.map(\.total) == [3, 4])
        #expect(store.directories.allSatisfy { $0.terms == Terms() && $0.importedAt == nil && !$0.isDefault })
        let reader = try store.makeReader()
        for (directory, logins) in zip(
            store.directories,
            [
                ["ada", "bots", "club"],
                ["rick-sanchez-1", "summer-smith-3", "abradolf-lincler-7", "adjudicator-rick-8"],
            ])
        {
            let page = try reader.page(UserQuery(directory: directory.id, limit: 10))
            #expect(page?.users.users.map(\.login) == logins)
        }
        let found = try reader.page(
            UserQuery(directory: store.directories[1].id, search: Search("rick"), sort: Sort(.name), limit: 10))
        #expect(found?.users.users.map(\.id) == [8, 1])
    }

    @Test func aMigrationIsReportedOnce() throws {
        var count = 0
        for _ in 0..<2 { _ = try SQLiteStore(path: path) { count += 1 } }
        #expect(count == 1)
        _ = try SQLiteStore(path: path + ".new") { count += 1 }
        #expect(count == 1)
    }

    @Test func theSearchIndexIsRebuilt() throws {
        _ = try SQLiteStore(path: path)
        let connection = try StoreSQLite.Connection(reading: path, cacheKiB: 64)
        let texts: [Int64: String] = [1: "ada\nada lovelace", 2: "bots\n", 5: "club\n"]
        #expect(try NGramOffsets(in: SQLiteBlobs(.userGram, of: 1, on: connection)) == NGramOffsets(of: texts))
    }

    /// Until the next import has read them again, users have no facets, and no page of a service counts as visited.
    @Test func theNextImportAddsFacets() throws {
        let store = try SQLiteStore(path: path)
        let team = Slug(literal: "team")
        #expect(store.directories.allSatisfy { $0.facets.isEmpty })
        #expect(try store.ledger(of: team)?.page(at: "https://api.github.com/users") == nil)
        #expect(try store.forget(.login("bots"), in: team).map(\.count) == [1])
        let users = [User(id: 1, login: "ada", name: "Ada Lovelace"), User(id: 5, login: "club", type: "Organization")]
        let writer = try store.openDirectory(team, title: nil, source: "file")
        #expect(try writer.write(users) == WriteCounts(changed: 2))
        #expect(writer.directory.facets.first?.values.map(\.value) == ["Organization", "User"])
        #expect(try writer.write(users) == WriteCounts(unchanged: 2))
    }

    @Test func forgottenUsersStayForgotten() throws {
        let store = try SQLiteStore(path: path)
        let team = Slug(literal: "team")
        #expect(try store.isForgotten(.login("gone"), in: team))
        let users = [User(id: 1, login: "ada", name: "Ada Lovelace"), User(id: 6, login: "gone")]
        let counts = try store.openDirectory(team, title: nil, source: "file").write(users)
        #expect(counts == WriteCounts(changed: 1, skipped: 1))
    }
}
