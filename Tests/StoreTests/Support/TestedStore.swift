import Foundation
import People
import Publishing
import StorePostgres
import StoreSQLite
import TestSupport
import Testing

@testable import StoreEngine

/// The stores that must pass the same tests.
enum TestedStore: String, CaseIterable {
    case sqlite, postgres

    /// The store that the current test runs on.
    @TaskLocal static var current = TestedStore.sqlite
}

/// Runs each test once for every store.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for store in TestedStore.allCases { try await TestedStore.$current.withValue(store, operation: function) }
    }
}

extension Trait where Self == EveryStore {
    static var onEveryStore: EveryStore { EveryStore() }
}

/// An empty database of the store that the current test runs on, for one test.
final class TestedDatabase {
    /// The folder that has the file and those beside it, and nothing else; `nil` for a database on a server.
    private let folder: DatabaseFolder?
    /// The schema on a server.
    private let schema = PostgresCluster.makeSchema()

    init() throws {
        switch TestedStore.current {
        case .sqlite: folder = try DatabaseFolder()
        case .postgres: folder = nil
        }
    }

    /// The file; `nil` for a database on a server.
    var path: String? { folder?.database }

    /// Opens a store, as another process would.
    func open() throws -> any EngineStore {
        if let path { return try SQLiteStore(path: path) }
        return try PostgresStore(url: PostgresCluster.shared().url(schema: schema))
    }

    /// Opens the database as a store that another one can be copied into.
    func openCopyTarget() throws -> any EngineStore {
        if let path { return try SQLiteStore(path: path, for: .copying) }
        return try PostgresStore(url: PostgresCluster.shared().url(schema: schema), for: .copying)
    }

    func number(_ sql: String) throws -> Int64 { try open().makeReadingConnection().number(sql) }

    func blobs(_ sql: String) throws -> Set<[UInt8]> {
        let connection = try open().makeReadingConnection()
        return try withExtendedLifetime(connection) {
            let rows = try connection.statement(sql)
            defer { rows.reset() }
            var blobs: Set<[UInt8]> = []
            while try rows.step() { blobs.insert(Array(rows.blob(0))) }
            return blobs
        }
    }

    /// Returns everything in the files of the database, but for logs that a server needs after a crash.
    func bytes() throws -> Data {
        guard let folder else { return try PostgresCluster.shared().bytes(ofSchema: schema) }
        return try folder.files.reduce(into: Data()) { bytes, file in
            bytes += try Data(ofFile: URL(filePath: folder.path(file)))
        }
    }

    /// Whether `text` is in a file of the database.
    func holds(_ text: String) throws -> Bool { try bytes().range(of: Data(text.utf8)) != nil }
}
