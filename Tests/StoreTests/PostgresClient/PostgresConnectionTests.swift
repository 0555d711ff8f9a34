import Base
import CPostgreSQL
import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import StorePostgres

@Suite("Connections to PostgreSQL")
struct PostgresConnectionTests {
    private let address: DatabaseAddress
    private let connection: PostgresConnection

    init() throws {
        address = try DatabaseAddress(PostgresCluster.shared().makeURL())
        connection = try PostgresConnection(address, .writer)
        try connection.execute("CREATE SCHEMA \(address.schema)")
        try connection.execute("CREATE TABLE person (id int8 PRIMARY KEY, name text, photo bytea)")
    }

    private func insert(_ id: Int64, _ name: String?) throws {
        let statement = connection.statement("INSERT INTO person (id, name) VALUES (?, ?)")
        statement.bind(id, at: 1)
        if let name { statement.bind(name, at: 2) } else { statement.bindNull(at: 2) }
        try statement.run()
    }

    private func names() throws -> [String] {
        let statement = connection.statement("SELECT name FROM person ORDER BY id")
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(statement.isNull(0) ? "NULL" : statement.text(0)) }
        return names
    }

    @Test func numbersOfAllSizesAreRead() throws {
        let statement = connection.statement(
            "SELECT true, (-2)::int2, (-3)::int4, ?1, NULL::int8, 9223372036854775807, false")
        statement.bind(-4, at: 1)
        #expect(try statement.step())
        #expect((0..<7).map(statement.number) == [1, -2, -3, -4, 0, .max, 0])
        #expect(statement.isNull(4) && !statement.isNull(3))
        #expect(try !statement.step())
    }

    @Test func textsAndBlobsComeBackByteForByte() throws {
        let bytes = (0...255).map { UInt8($0) }
        let insert = connection.statement("INSERT INTO person VALUES (1, ?, ?)")
        insert.bind("Zoë '; --", at: 1)
        try bytes.withUnsafeBytes {
            insert.bind(blob: $0, at: 2)
            try insert.run()
        }
        let select = connection.statement("SELECT name, photo, length(photo) FROM person WHERE id = ?")
        select.bind(1, at: 1)
        #expect(try select.step())
        #expect(select.text(0) == "Zoë '; --")
        #expect(Array(select.blob(1)) == bytes)
        #expect(select.number(2) == 256)
    }

    @Test func anEmptyTextIsNotNull() throws {
        try insert(1, "")
        try insert(2, nil)
        #expect(try names() == ["", "NULL"])
    }

    @Test func aParameterThatWasNullTakesANumberLater() throws {
        let statement = connection.statement("SELECT CAST(?1 AS int8) IS NULL, CAST(?1 AS int8)")
        statement.bindNull(at: 1)
        #expect(try statement.step())
        #expect(statement.number(0) == 1)
        statement.reset()
        statement.bind(7, at: 1)
        #expect(try statement.step())
        #expect(statement.number(0) == 0 && statement.number(1) == 7)
    }

    @Test func anArrayOfNumbersSelectsRows() throws {
        for id in 1...5 { try insert(Int64(id), "\(id)") }
        let statement = connection.statement("SELECT id FROM person WHERE id = ANY(?) ORDER BY id")
        for (ids, found) in [([2, 4, 9], [2, 4]), ([], []), ([1], [1])] as [([Int64], [Int64])] {
            let array = PostgresArray.ofNumbers()
            for id in ids { array.append(id) }
            statement.bind(array, at: 1)
            var rows: [Int64] = []
            while try statement.step() { rows.append(statement.number(0)) }
            statement.reset()
            #expect(rows == found)
        }
    }

    @Test func aColumnOfAnotherTypeIsAnError() throws {
        let statement = connection.statement("SELECT 1.5::numeric AS ratio")
        #expect(message { _ = try statement.step() }.contains("ratio"))
    }

    @Test func changesCountTheRowsOfTheLastStatement() throws {
        for id in 1...5 { try insert(Int64(id), "x") }
        #expect(try connection.changes == 1)
        let update = connection.statement("UPDATE person SET name = 'y' WHERE id > ?")
        update.bind(2, at: 1)
        try update.run()
        #expect(try connection.changes == 3)
        update.bind(100, at: 1)
        try update.run()
        #expect(try connection.changes == 0)
    }

    @Test func rowsAreSeenAfterWritesThatWereNotWaitedFor() throws {
        try connection.begin()
        for id in 1...2000 { try insert(Int64(id), "\(id)") }
        #expect(try names().count == 2000)
        connection.rollback()
        #expect(try names().isEmpty)
    }

    @Test func anErrorOfAWriteNamesItsOwnStatement() throws {
        try connection.begin()
        try insert(1, "a")
        try insert(1, "b")
        let later = connection.statement("UPDATE person SET name = 'c'")
        try later.run()
        let said = message { try connection.commit() }
        #expect(said.contains("(23505)") && said.contains("INSERT INTO person"))
        connection.rollback()
        #expect(!connection.isInTransaction)
        // Statements whose preparation was skipped are prepared again.
        try insert(1, "a")
        try later.run()
        #expect(try names() == ["c"])
    }

    /// A log has one line for each event.
    @Test func anErrorIsOneLine() throws {
        let said = message {
            try connection.execute(
                """
                DO $$ BEGIN
                    RAISE EXCEPTION E'two\\nlines' USING DETAIL = E'One waits.\\n  Another waits.';
                END $$
                """)
        }
        let text = "PostgreSQL: two; lines; One waits; Another waits. (P0001) in: DO $$ BEGIN RAISE EXCEPTION "
        #expect(said.hasPrefix(text) && !said.contains(where: \.isNewline), "\(said)")
        let query = connection.statement("SELECT 1\n    FROM nobody")
        #expect(message { _ = try query.step() }.hasSuffix(" in: SELECT 1 FROM nobody"))
    }

    @Test func copyWritesRows() throws {
        let rows = CopyRows()
        for id in 1...100_000 {
            rows.beginRow(columns: 3)
            rows.append(Int64(id))
            Array("person \(id)".utf8).withUnsafeBytes { rows.append($0) }
            rows.appendNull()
        }
        try connection.begin()
        try connection.copy(rows, into: "person (id, name, photo)")
        try connection.commit()
        let statement = connection.statement("SELECT count(*), max(name) FROM person")
        #expect(try statement.step())
        #expect(statement.number(0) == 100_000)
        #expect(statement.text(1) == "person 99999")
    }

    @Test func aFailedCopyLeavesTheConnectionUsable() throws {
        let rows = CopyRows()
        for _ in 1...2 {
            rows.beginRow(columns: 1)
            rows.append(1)
        }
        #expect(message { try connection.copy(rows, into: "person (id)") }.contains("(23505)"))
        #expect(rows.count == 0)
        #expect(failure { try connection.copy(rows, into: "nobody (id)") }.says(.busy, "(42P01)"))
        try insert(1, "a")
        #expect(try names() == ["a"])
    }

    @Test func arraysOfBlobsBecomeRows() throws {
        let (ids, photos) = (PostgresArray.ofNumbers(), PostgresArray.ofBlobs())
        let insert = connection.statement(
            """
            INSERT INTO person (id, photo) SELECT * FROM unnest(?::int8[], ?::bytea[])
            ON CONFLICT (id) DO UPDATE SET photo = excluded.photo
            """)
        for round in 1...2 as ClosedRange<UInt8> {
            for id in 1...100 {
                ids.append(Int64(id))
                [round, UInt8(id)].withUnsafeBytes { photos.append($0) }
            }
            insert.bind(ids, at: 1)
            insert.bind(photos, at: 2)
            try insert.run()
            ids.removeAll()
            photos.removeAll()
        }
        let select = connection.statement("SELECT photo FROM person WHERE id = 7")
        #expect(try select.step())
        #expect(Array(select.blob(0)) == [2, 7])
    }

    @Test func manyStatementsAreForgottenAndPreparedAgain() throws {
        let kept = connection.statement("SELECT 1000")
        #expect(try kept.step())
        kept.reset()
        for number in 1...700 {
            let statement = connection.statement("SELECT \(number)")
            defer { statement.reset() }
            #expect(try statement.step())
            #expect(statement.number(0) == Int64(number))
        }
        #expect(try kept.step())
        #expect(kept.number(0) == 1000)
        kept.reset()
        let count = connection.statement("SELECT count(*) FROM pg_prepared_statements")
        #expect(try count.step())
        #expect(count.number(0) <= 300)
        count.reset()
        #expect(try names().isEmpty)
    }

    @Test func aLostConnectionIsRetryable() throws {
        let (cluster, process) = (try PostgresCluster.shared(), connection.serverProcess)
        try cluster.query("SELECT pg_terminate_backend(\(process))")
        let error = failure { _ = try names() }
        #expect(error.says(.unreachable, "the connection to the database was lost") && error?.isRetryable == true)
        #expect(connection.isLost)
        connection.rollback()
    }

    /// A server that stops at once sends a notice, and reads no more of what is being sent.
    @Test func aConnectionThatIsLostWhileSendingIsRetryable() throws {
        let size = 1 << 16
        try connection.queue(
            "DO $$ BEGIN PERFORM pg_sleep(0.2); RAISE NOTICE 'stopping'; PERFORM pg_sleep(0.2); END $$")
        PQflush(connection.handle)
        shutdown(PQsocket(connection.handle), Int32(SHUT_WR))
        let error = #expect(throws: StoreError.self) {
            for id in 1...10 { try insert(Int64(id), String(repeating: "x", count: size)) }
            try connection.commit()
        }
        #expect(error?.reason == .unreachable && error?.isRetryable == true, "\(error.map { "\($0)" } ?? "")")
        #expect(connection.isLost)
    }

    @Test func aReaderCannotWriteAndIsInterruptedWhenItTakesTooLong() throws {
        let reader = try PostgresConnection(address, .reader(host: 0))
        #expect(reason { try reader.execute("DELETE FROM person") } == .readOnly)
        try reader.execute("SET statement_timeout = '20ms'")
        #expect(reason { _ = try reader.statement("SELECT pg_sleep(5) IS NULL").step() } == .timedOut)
        #expect(try reader.statement("SELECT 1").step())
    }

    @Test func aReadTransactionSeesOneState() throws {
        let reader = try PostgresConnection(address, .reader(host: 0))
        let count = { () throws -> Int64 in
            let statement = reader.statement("SELECT count(*) FROM person")
            defer { statement.reset() }
            _ = try statement.step()
            return statement.number(0)
        }
        for _ in 1...3 {
            try reader.beginReading()
            let before = try count()
            try insert(before + 1, "x")
            _ = try connection.changes
            #expect(try count() == before)
            try reader.endReading()
            #expect(try count() == before + 1)
        }
    }

    @Test func aStoppedServerIsNoticed() throws {
        let reader = try PostgresConnection(address, .reader(host: 0))
        let error = failure {
            // Longer than the patience of a reader.
            try reader.execute("SET statement_timeout = 0")
            _ = try reader.statement("SELECT pg_sleep(30) IS NULL").step()
        }
        #expect(error.says(.unreachable, "has not answered for") && reader.isLost)
    }
}

@Suite("Failures to connect to PostgreSQL")
struct ConnectingTests {
    private func failure(_ url: String) -> StoreError? {
        StoreTests.failure { _ = try PostgresConnection(DatabaseAddress(url), .writer) }
    }

    @Test func allHostsAreNamedWithTheirReasons() {
        let error = failure("postgres://app:secret@127.0.0.1:1,127.0.0.1:2/people")
        let text = error?.description ?? ""
        #expect(text.hasPrefix("cannot connect to ") && !text.contains("secret") && !text.contains("\n"), "\(text)")
        #expect(
            error.says(.unreachable, "port 1 failed: Connection refused", "port 2 failed: Connection refused"),
            "\(text)")
    }

    @Test(
        arguments: [
            ("08006", "root certificate file \"/root.crt\" does not exist", "sslrootcert must name"),
            ("08006", "SSL error: certificate verify failed", "sslrootcert must name"),
            ("42P05", "prepared statement \"s1\" already exists", "connect to a pool in session mode"),
            ("26000", "prepared statement \"s1\" does not exist", "connect to a pool in session mode"),
        ])
    func messagesNameTheCure(state: String, report: String, cure: String) {
        let error =
            state == "08006"
            ? StoreError(connectingTo: "postgres://db/people", report: report)
            : StoreError(sqlState: state, message: report, detail: nil, sql: "SELECT 1")
        #expect(error.description.contains(report) && error.description.contains(cure), "\(error)")
    }

    @Test(arguments: [
        ("nothere", "rollcall", StoreError.Reason.gone, "\"nothere\" does not exist; create the database"),
        ("postgres", "nobody", .notPermitted, "check the user name"),
    ])
    func aMissingDatabaseOrRoleIsNamed(_ name: String, _ role: String, _ reason: StoreError.Reason, _ said: String)
        throws
    {
        let error = failure("postgres:///\(name)?host=\(try PostgresCluster.shared().host)&user=\(role)")
        #expect(error.says(reason, said))
    }

    @Test func aMissingRightIsNamed() throws {
        let cluster = try PostgresCluster.shared()
        let address = try DatabaseAddress(cluster.makeURL())
        let role = "r_\(address.schema)"
        try cluster.query("CREATE SCHEMA \(address.schema)")
        try cluster.query("CREATE ROLE \(role) LOGIN")
        let connection = try PostgresConnection(
            DatabaseAddress(cluster.url(schema: address.schema).replacing("user=rollcall", with: "user=\(role)")),
            .writer)
        let error = StoreTests.failure { try connection.execute("CREATE TABLE \(address.schema).person (id int8)") }
        #expect(error.says(.notPermitted, "lacks a right"))
    }
}
