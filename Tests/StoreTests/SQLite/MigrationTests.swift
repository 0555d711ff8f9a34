import People
import TestDatabases
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("A database of an older format")
final class MigrationTests: DatabaseFolder {
    let old = TableFormat.current - 1

    /// Makes a database whose format this program would have to bring to its own.
    override init() throws {
        try super.init()
        let store = try SQLiteStore(path: database)
        _ = try store.openDirectory(Slug(literal: "team"), title: nil, source: "test").write([
            User(id: 1, login: "ada", name: "Ada Lovelace")
        ])
        store.close()
        try SQLiteFile(database).execute("PRAGMA user_version = \(old)")
    }

    private func format(_ path: String) throws -> Int64 {
        try SQLiteConnection(reading: path, cacheKiB: 64).number("PRAGMA user_version")
    }

    @Test func isBroughtToTheCurrentOneAfterACopyBesideIt() throws {
        let migrations = [
            Migration(from: old - 1) { _ in Issue.record("the step before is not run") },
            Migration(from: old) { try $0.execute("UPDATE directory SET title = 'Moved'") },
        ]
        let store = try SQLiteStore(path: database, migrations: migrations)
        #expect(store.directories.map(\.title) == ["Moved"] && store.directories.first?.total == 1)
        let copy = "\(database)-format\(old)"
        #expect(try format(database) == TableFormat.current && format(copy) == old)
        #expect(try SQLiteFile(copy).texts("SELECT title FROM directory") != ["Moved"])
        // Once.
        let failing = [Migration(from: old) { _ in throw Failure("no") }]
        #expect(try SQLiteStore(path: database, migrations: failing).directories.map(\.title) == ["Moved"])
    }

    @Test func staysAsItWasIfAChangeFails() throws {
        let migrations = [
            Migration(from: old) {
                try $0.execute("UPDATE directory SET title = 'Moved'; CREATE TABLE other (id INTEGER)")
                throw Failure("no")
            }
        ]
        #expect(throws: Failure.self) { try SQLiteStore(path: database, migrations: migrations) }
        #expect(try format(database) == old)
        #expect(try SQLiteFile(database).texts("SELECT title FROM directory") != ["Moved"])
        #expect(try SQLiteFile(database).texts("SELECT name FROM sqlite_schema WHERE name = 'other'") == [])
    }

    /// From the oldest format that is opened, each has one step.
    @Test func hasAStepToEachLaterOne() {
        #expect(TableFormat.migrations.map(\.format) == Array(TableFormat.oldest..<TableFormat.current))
    }
}
