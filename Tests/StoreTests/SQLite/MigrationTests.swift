import Foundation
import People
import TestDatabases
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("A database of an older format")
struct MigrationTests {
    struct Failure: Error {}

    let folder: URL
    var path: String { folder.appendingPathComponent("store.sqlite").path }
    let old = TableFormat.current - 1

    /// Makes a database whose format this program would have to bring to its own.
    init() throws {
        folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("rollcall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try SQLiteStore(path: path)
        _ = try store.openDirectory(Slug(literal: "team"), title: nil, source: "test").write([
            User(id: 1, login: "ada", name: "Ada Lovelace")
        ])
        store.close()
        try SQLiteFile(path).execute("PRAGMA user_version = \(old)")
    }

    private func format(_ path: String) throws -> Int64 {
        try SQLiteConnection(reading: path, cacheKiB: 64).number("PRAGMA user_version")
    }

    @Test func isBroughtToTheCurrentOneAfterACopyBesideIt() throws {
        let migrations = [
            Migration(from: old - 1) { _ in Issue.record("the step before is not run") },
            Migration(from: old) { try $0.execute("UPDATE directory SET title = 'Moved'") },
        ]
        let store = try SQLiteStore(path: path, migrations: migrations)
        #expect(store.directories.map(\.title) == ["Moved"] && store.directories.first?.total == 1)
        let copy = "\(path)-format\(old)"
        #expect(try format(path) == TableFormat.current && format(copy) == old)
        #expect(try SQLiteFile(copy).texts("SELECT title FROM directory") != ["Moved"])
        // Once.
        let failing = [Migration(from: old) { _ in throw Failure() }]
        #expect(try SQLiteStore(path: path, migrations: failing).directories.map(\.title) == ["Moved"])
    }

    @Test func staysAsItWasIfAChangeFails() throws {
        let migrations = [
            Migration(from: old) {
                try $0.execute("UPDATE directory SET title = 'Moved'; CREATE TABLE other (id INTEGER)")
                throw Failure()
            }
        ]
        #expect(throws: Failure.self) { try SQLiteStore(path: path, migrations: migrations) }
        #expect(try format(path) == old)
        #expect(try SQLiteFile(path).texts("SELECT title FROM directory") != ["Moved"])
        #expect(try SQLiteFile(path).texts("SELECT name FROM sqlite_schema WHERE name = 'other'") == [])
    }

    /// From the oldest format that is opened, each has one step.
    @Test func hasAStepToEachLaterOne() {
        #expect(TableFormat.migrations.map(\.format) == Array(TableFormat.oldest..<TableFormat.current))
    }
}
