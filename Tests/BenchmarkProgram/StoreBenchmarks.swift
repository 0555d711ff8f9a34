import Foundation
import TestSupport

/// Compares the stores: the same people, the same requests, in one run.
struct StoreBenchmarks {
    let people: People
    let rounds: Int
    let seconds: Int

    func table() throws -> Table {
        let sqlite = try figures(of: TestedDatabase(sqlite: people))
        let postgres = try figures(of: TestedDatabase(postgres: people))
        var table = Table("Stores, \(Double(people.count).grouped) people", "what", "SQLite", "PostgreSQL", "ratio")
        for (left, right) in zip(sqlite, postgres) {
            table.add(left.name, left.shown, right.shown, left.ratio(of: right))
        }
        return table
    }

    private struct Figure {
        var name: String
        var value: Double
        var digits = 0

        var shown: String { digits > 0 ? value.shown(digits) : value.grouped }

        /// The value of `other` compared with this one.
        func ratio(of other: Figure) -> String { value.isNaN || value == 0 ? "–" : (other.value / value).shown(2) }
    }

    private func figures(of database: TestedDatabase) throws -> [Figure] {
        let before = database.serverSeconds
        let imported = try people.importFile(into: database.location)
        let server = (database.serverSeconds - before) / Double(people.count) * 1e6
        var figures = [
            Figure(name: "import, users/s", value: imported.usersPerSecond),
            Figure(name: "import, µs of CPU a user: Rollcall", value: imported.cpuMicroseconds, digits: 1),
            Figure(name: "import, µs of CPU a user: PostgreSQL", value: server, digits: 1),
            Figure(name: "import, µs of CPU a user: both", value: imported.cpuMicroseconds + server, digits: 1),
            Figure(name: "database, bytes a user", value: Double(try database.size()) / Double(people.count)),
        ]
        figures += try pages(of: database)
        let searches = try SearchBenchmarks(database: database.location).run()
        figures += [
            Figure(name: "new search, median ms", value: searches.times.median, digits: 2),
            Figure(name: "new search, 95th percentile ms", value: searches.percentile95, digits: 2),
            Figure(name: "new search, slowest ms", value: searches.slowest, digits: 2),
        ]
        let delays = try Visibility(people: people, database: database.location).delays(rounds: 4 * rounds)
        figures += [
            Figure(name: "import until visible on both of two servers, median s", value: delays.median, digits: 2),
            Figure(name: "the same, slowest s", value: delays.max() ?? .nan, digits: 2),
        ]
        return figures
    }

    /// The CPU of pages, new and cached.
    private func pages(of database: TestedDatabase) throws -> [Figure] {
        let bare = try RollcallProcess(["serve", "--database", database.location, "--cache-size", "0"])
        defer { bare.stop() }
        let kinds = [
            ("page of 10 by id", "since=\" .. math.random(0, \(people.lastID)) .. \"&per_page=10"),
            (
                "page of 10 by name with position",
                "sort=name&at=\" .. math.random(0, \(people.count - 10)) .. \"&per_page=10"
            ),
        ]
        var figures: [Figure] = []
        for (name, query) in kinds {
            let script = """
                math.randomseed(7)
                request = function() return wrk.format("GET", "/fragment?\(query)") end
                """
            figures += try load(Wrk(seconds: seconds, script: script), "/", of: bare, database, named: "new " + name)
        }
        let cached = try RollcallProcess(["serve", "--database", database.location])
        defer { cached.stop() }
        let target = "/fragment?since=30&per_page=10"
        return try figures + load(Wrk(seconds: seconds), target, of: cached, database, named: "cached page of 10")
    }

    private func load(
        _ load: Wrk, _ target: String, of rollcall: RollcallProcess, _ database: TestedDatabase, named name: String
    ) throws -> [Figure] {
        var (client, server, rates): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            let before = database.serverSeconds
            let result = try load.run(rollcall.url + target, of: rollcall.processes)
            client.append(result.cpuMicroseconds)
            server.append((database.serverSeconds - before) / result.requests * 1e6)
            rates.append(result.requestsPerSecond)
        }
        return [
            Figure(name: "\(name), µs of CPU: Rollcall", value: client.median, digits: 1),
            Figure(name: "\(name), µs of CPU: PostgreSQL", value: server.median, digits: 1),
            Figure(name: "\(name), req/s", value: rates.median),
        ]
    }
}

/// A new database of a benchmark.
private struct TestedDatabase {
    /// Its path or URL.
    let location: String
    private let postgres: PostgresServer?

    init(sqlite people: People) throws {
        location = people.folder.appending(path: "stores-\(people.count).sqlite").path
        postgres = nil
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: location + suffix) }
    }

    /// A server that keeps what it commits, with memory for everybody.
    init(postgres people: People) throws {
        let server = try PostgresServer.make(settings: [
            "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "shared_buffers": "1GB",
            "max_wal_size": "4GB",
        ])
        location = "postgres:///postgres?host=\(server.host)&user=rollcall"
        postgres = server
    }

    /// The CPU time of the database's server so far.
    var serverSeconds: Double { postgres.map { ProcessTree(root: $0.processID).cpuSeconds } ?? 0 }

    /// The size in bytes.
    func size() throws -> Int {
        if let postgres { return Int(try postgres.query("SELECT pg_database_size('postgres')")) ?? 0 }
        return try FileManager.default.attributesOfItem(atPath: location)[.size] as? Int ?? 0
    }
}
