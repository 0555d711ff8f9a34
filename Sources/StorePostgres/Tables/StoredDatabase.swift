import Base
import Foundation
import StoreEngine

/// The row of the table `database`.
struct StoredDatabase: Equatable {
    var instance: String
    /// The timeline of the server that wrote last: see ``Timeline``.
    var timeline: Int64
    var format = TableFormat.current
}

extension StoredDatabase {
    /// Reads the row. If the database has no tables, makes them if the purpose is one that creates databases, and
    /// throws otherwise.
    static func open(
        _ address: DatabaseAddress, for purpose: StorePurpose, on reader: PostgresStoreConnection,
        writer: PostgresStoreConnection
    ) throws -> StoredDatabase {
        try checkServer(reader, address)
        if let database = try stored(reader, address) {
            try IncompleteCopy.check(reader, of: "\(address)", for: purpose)
            if database.format == TableFormat.current { return database }
            return try migrate(on: writer, address)
        }
        guard purpose.creates else {
            throw StoreError(
                .gone,
                "\(address) has no people: rollcall has not made its schema \(address.schema); correct the URL, or import"
            )
        }
        return try writer.transaction {
            // Only one process creates the tables.
            try writer.execute("SELECT pg_advisory_xact_lock(\(PostgresLock.key("schema", in: address.schema)))")
            if let database = try stored(writer, address) { return database }
            var random = SystemRandomNumberGenerator()
            let key = { (0..<2).map { _ in random.next().hexadecimal }.joined() }
            let database = StoredDatabase(
                instance: random.next().hexadecimal, timeline: try Timeline.current(on: writer))
            let role = try writer.text("SELECT current_user")
            do {
                try writer.execute(
                    Schema(name: address.schema).creation(
                        instance: database.instance, keys: (0..<3).map { _ in key() }, timeline: database.timeline))
            } catch let error as StoreError where error.reason == .notPermitted {
                throw StoreError(
                    .notPermitted,
                    """
                    \(address): the role \(role) may not make its tables; let the owner of the database run: \
                    CREATE SCHEMA IF NOT EXISTS "\(address.schema)"; ALTER SCHEMA "\(address.schema)" OWNER TO "\(role)"
                    """)
            }
            return database
        }
    }

    /// Brings the tables to the current format, in one transaction. Copies are the server's (pg_dump).
    private static func migrate(
        on writer: PostgresStoreConnection, _ address: DatabaseAddress
    ) throws -> StoredDatabase {
        try writer.transaction {
            try writer.execute("SELECT pg_advisory_xact_lock(\(PostgresLock.key("schema", in: address.schema)))")
            var database = try StoredDatabase(on: writer, address)
            try TableFormat.migrations.run(from: database.format, on: writer)
            database.format = TableFormat.current
            try writer.execute("UPDATE database SET format = \(database.format)")
            return database
        }
    }

    private static func checkServer(_ connection: PostgresStoreConnection, _ address: DatabaseAddress) throws {
        let (version, expected) = (try connection.client().serverVersion, Schema.minServerVersion)
        let encoding = try connection.text("SHOW server_encoding")
        try StoreError.check([
            (
                version < expected, .older,
                "\(address): the server is PostgreSQL \(version / 10_000); expected \(expected / 10_000) or later"
            ),
            (
                encoding != "UTF8", .foreign,
                "\(address): the encoding of the database is \(encoding); create one for Rollcall with ENCODING 'UTF8'"
            ),
        ])
    }

    /// Returns `nil` if the database has no tables.
    private static func stored(
        _ connection: PostgresStoreConnection, _ address: DatabaseAddress
    ) throws -> StoredDatabase? {
        let tables = try connection.all(
            """
            SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = '\(address.schema)' AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname
            """
        ) { $0.text(0) }
        guard ["database", "directory", "lockholder"].allSatisfy(tables.contains) else {
            if tables.isEmpty { return nil }
            throw StoreError(
                .foreign,
                """
                \(address): the schema \(address.schema) has tables of another program (\(tables[0])); choose another \
                one with ?schema=
                """)
        }
        do {
            return try StoredDatabase(on: connection, address)
        } catch let error as StoreError where error.reason == .notPermitted {
            throw StoreError(
                .notPermitted,
                """
                \(address): the role may not read the tables of the schema \(address.schema); connect as their owner, \
                or grant USAGE on the schema and SELECT on all its tables – \(error)
                """)
        }
    }

    private init(on connection: PostgresStoreConnection, _ address: DatabaseAddress) throws {
        let row = try connection.first("SELECT format, instance, timeline FROM database") {
            ($0.number(0), $0.text(1), $0.number(2))
        }
        guard let row else { throw StoreError.damage("its table database is empty") }
        (format, instance, timeline) = row
        try TableFormat.check(format, of: "\(address)", since: TableFormat.oldest)
    }
}

extension PostgresStoreConnection {
    /// Returns the generations of all directories, by id; none while another database is being copied into this one.
    func generations() throws -> [Int64: Int64] {
        Dictionary(
            uniqueKeysWithValues: try all(
                "SELECT id, generation FROM directory WHERE NOT \(exists(table: IncompleteCopy.table))"
            ) { ($0.number(0), $0.number(1)) })
    }

    func text(_ sql: String) throws -> String { try first(sql) { $0.text(0) } ?? "" }
}
