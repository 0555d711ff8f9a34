import Foundation
import TestSupport
import Testing

/// The effects of failures of PostgreSQL on commands and on readers of the running program.
@Suite("Failures of PostgreSQL")
final class PostgresFailureTests: Stage {
    private func importPeople(_ ids: ClosedRange<Int>, into database: String) throws {
        let lines = ids.map { id in
            let (name, city) = (id == 7 ? "Rosalind" : "Name \(id)", id == 8 ? "Wolfsburg" : "Berlin")
            return #"{"id":\#(id),"login":"u\#(id)","name":"\#(name)","city":"\#(city)"}"#
        }
        try load(lines.joined(separator: "\n"), database: database)
    }

    /// An asynchronous standby may lack the last transactions of the primary. They are lost if the primary is.
    @Test func changesThatAFailoverLosesAreNoLongerShown() throws {
        let postgres = try ReplicatedPostgres(
            standbys: 1, settings: ["synchronous_standby_names": "", "synchronous_commit": "local"])
        let (primary, standby, database) = (postgres.servers[0], postgres.servers[1], postgres.url())
        try importPeople(1...20, into: database)
        try eventually("the standby has everybody") {
            try standby.query("SELECT pg_last_wal_replay_lsn()") == primary.query("SELECT pg_current_wal_lsn()")
        }
        standby.kill(SIGINT)
        let server = try serve(database: database)
        func generation() throws -> Int {
            let state = try get(server.url + "/events.json?seen=\(Int64.max)").text
            return try #require(state.firstMatch(of: /"generation":(\d+)/).flatMap { Int($0.output.1) })
        }
        let (before, first) = (try get(server.url + "/fragment"), try generation())
        #expect(before.fields["x-total-count"] == "20")
        try importPeople(21...30, into: database)
        try eventually("the import is shown") { try generation() > first }
        let (lost, lostGeneration) = (try get(server.url + "/fragment"), try generation())
        #expect(lost.fields["x-total-count"] == "30")
        let second = try #require(try get(server.url + "/fragment?sort=id&per_page=15").link("next"))
        #expect(try get(server.url + "/fragment?q=u30").fields["x-total-count"] == "1")
        #expect(try get(server.url + "/users/u30").status == 200)

        primary.kill()
        try standby.start()
        try standby.promote()
        try eventually("the server is not ready") { try get(server.url + "/readyz").status == 503 }
        try eventually("the server is ready") { try get(server.url + "/readyz").status == 200 }
        // Everything is as before the import, and nothing comes from a cache.
        let after = try get(server.url + "/fragment", "If-None-Match: \(lost.fields["etag"] ?? "")")
        #expect(after.status == 200 && after.fields["x-total-count"] == "20")
        #expect(after.fields["etag"] != lost.fields["etag"] && after.fields["etag"] != before.fields["etag"])
        #expect(try get(server.url + "/fragment?q=u30").fields["x-total-count"] == "0")
        #expect(try get(server.url + "/users/u30").status == 404)
        let rest = try get(server.url + second).text
        #expect(rest.contains("u20") && !rest.contains("u21"))
        #expect(server.errors.contains("has lost changes that were shown"), "\(server.errors)")
        #expect(server.errors.contains("team (generation "), "\(server.errors)")

        // Imports other people than the lost ones, in as many transactions.
        try importPeople(41...50, into: database)
        try eventually("the next import is shown, with a greater generation") { try generation() > lostGeneration }
        #expect(try get(server.url + "/users/u50").status == 200)
        #expect(try get(server.url + "/users/u30").status == 404)
        #expect(try get(server.url + second).text.contains("u41"))
        try check(server, users: 30)
    }

    /// A command, and a lock that another session holds on one of the tables that the command changes.
    struct Interruption: CustomTestStringConvertible {
        var command: [String]
        var lock: String
        /// Whether the command has saved its changes when it waits for the lock.
        var isSaved = false
        /// A text that is in the files of the database until the command has completed.
        var erased: String?

        var testDescription: String { "\(command.joined(separator: " ")), \(isSaved ? "saved" : "not saved")" }

        /// `VACUUM (FULL)` locks tables more strictly than transactions that write.
        static let all = [
            Interruption(command: ["directories", "rename", "team", "board"], lock: "directory IN EXCLUSIVE MODE"),
            Interruption(command: ["directories", "reindex", "team"], lock: "usertext1 IN EXCLUSIVE MODE"),
            Interruption(
                command: ["directories", "settings", "team", "--drop", "city", "--yes"],
                lock: "usertext1 IN EXCLUSIVE MODE", erased: "Wolfsburg"),
            Interruption(
                command: ["directories", "settings", "team", "--drop", "city", "--yes"],
                lock: "user1 IN ACCESS SHARE MODE", isSaved: true, erased: "Wolfsburg"),
            Interruption(command: ["forget", "u7"], lock: "filterValue IN EXCLUSIVE MODE", erased: "Rosalind"),
            Interruption(
                command: ["forget", "u7"], lock: "user1 IN ACCESS SHARE MODE", isSaved: true, erased: "Rosalind"),
        ]
    }

    /// Ends the session of a command while it waits for a lock.
    @Test(arguments: Interruption.all)
    func anInterruptedCommandSaysSoAndCompletesWhenItIsRepeated(_ interruption: Interruption) throws {
        let (cluster, name) = (try PostgresCluster.shared(), "rollcall/\(UUID().uuidString.prefix(8))")
        let schema = PostgresCluster.makeSchema()
        let database = cluster.url(schema: schema) + "&application_name=\(name)"
        try importPeople(1...9, into: database)
        let before = try rollcall("export", database: database).output
        #expect(before.contains("Rosalind") && before.contains("Wolfsburg"))

        let lock = try cluster.holdTransaction("LOCK TABLE \(schema).\(interruption.lock)")
        let interrupted = try start(interruption.command, database: database)
        try interrupted.wait(until: "the command waits for the lock") {
            try cluster.query(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
                """) == "1"
        }
        #expect(interrupted.wait() == 1)
        lock.close()
        #expect(interrupted.errors.contains("Run the same command again"), "\(interrupted.errors)")
        let after = try rollcall("export", database: database).output
        #expect((after == before) == !interruption.isSaved)
        if let erased = interruption.erased { #expect(try cluster.bytes(ofSchema: schema).contains(erased)) }

        try rollcall(interruption.command, database: database).expect()
        let people = try rollcall("export", database: database).output
        if let erased = interruption.erased {
            #expect(!people.contains(erased))
            #expect(try !cluster.bytes(ofSchema: schema).contains(erased))
        } else {
            #expect(people == before)
        }
    }

    @Test func tablesOfANewerVersionAreNotShown() throws {
        let (cluster, schema) = (try PostgresCluster.shared(), PostgresCluster.makeSchema())
        let database = cluster.url(schema: schema)
        try importPeople(1...9, into: database)
        let server = try serve(database: database)
        let page = try get(server.url + "/fragment").text
        try cluster.query("UPDATE \(schema).database SET format = 100 + format")
        let format = try cluster.query("SELECT format FROM \(schema).database")
        let message = "has format \(format), of a newer Rollcall"
        try eventually("the server is not ready") { try get(server.url + "/readyz").status == 503 }
        #expect(server.errors.contains(message), "\(server.errors)")
        // Pages in memory are still served.
        #expect(try get(server.url + "/fragment").text == page)
        #expect(try get(server.url + "/fragment?sort=name").status == 503)
        for command in [["serve", "--port", "0"], ["export"], ["forget", "u7"]] {
            try rollcall(command, database: database).expect(1, error: message)
        }
        try cluster.query("UPDATE \(schema).database SET format = format - 100")
        try eventually("the server is ready") { try get(server.url + "/readyz").status == 200 }
        #expect(try get(server.url + "/fragment?sort=name").status == 200)
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
