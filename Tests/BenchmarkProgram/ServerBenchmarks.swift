import Foundation
import TestSupport

/// Loads the real program and, where the bytes can be the same, other servers: in one run, in turns.
struct ServerBenchmarks {
    let people: People
    let rounds: Int
    let seconds: Int
    let withPeers: Bool

    private static let gzip = ["Accept-Encoding": "gzip"]

    private func serve(_ options: [String] = []) throws -> RollcallProcess {
        try RollcallProcess(["serve", "--database", people.database.path] + options)
    }

    // MARK: - Compared with other servers

    /// Compares cached responses with the same bytes from nginx.
    func comparison() throws -> [Table] {
        let rollcall = try serve()
        defer { rollcall.stop() }
        let targets = [
            ("fragment", "cached fragment of 10", "/fragment?since=30&per_page=10"), ("page", "first page of 30", "/"),
            ("style", "style.css", "/" + (try hashedName("style", in: rollcall))),
            ("users", "JSON of 30", "/api/v3/users"),
        ]
        var answers: [String: Exchange] = [:]
        for (path, _, target) in targets { answers[path] = try get(target, at: rollcall.port) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let nginx = try Peer.nginx(answers, in: folder)
        defer { nginx.program.stop() }

        var table = Table(
            "Beside nginx, the same bytes and fields", "what", "bytes", "connections", "Rollcall µs", "nginx µs",
            "CPU ratio", "Rollcall req/s", "nginx req/s", "req/s ratio", "Rollcall p99 ms", "nginx p99 ms")
        func add(_ name: String, _ bytes: Int, _ load: Wrk, _ target: String, _ path: String, peer: Wrk? = nil) throws {
            let (ours, theirs) = try compare(load, rollcall, target, peer ?? load, nginx, path)
            table.add(
                name, Double(bytes).grouped, "\(load.connections)", ours.cpu.shown(2), theirs.cpu.shown(2),
                zip(ours.cpus, theirs.cpus).map { $0 / $1 }.median.shown(2), ours.rate.grouped, theirs.rate.grouped,
                zip(ours.rates, theirs.rates).map { $0 / $1 }.median.shown(2), ours.slow.shown(2), theirs.slow.shown(2))
        }
        for connections in [1, 16, 64, 256, 1000] {
            let load = Wrk(connections: connections, seconds: seconds)
            try add(targets[0].1, answers["fragment"]?.body.count ?? 0, load, targets[0].2, "fragment")
        }
        let load = Wrk(seconds: seconds)
        for (path, name, target) in targets.dropFirst() {
            try add(name, answers[path]?.body.count ?? 0, load, target, path)
        }
        let ours = try conditional(load, targets[0].2, at: rollcall.port)
        try add("304", 0, ours, targets[0].2, "fragment", peer: conditional(load, "/fragment", at: nginx.port))
        try withIdleConnections(5000, to: [rollcall.port, nginx.port]) {
            try add("fragment beside 5,000 idle", answers["fragment"]?.body.count ?? 0, load, targets[0].2, "fragment")
        }
        var tables = [table]
        if withPeers { tables.append(try peers(rollcall, targets[0].2, answers, folder)) }
        return tables
    }

    private func hashedName(_ name: String, in server: RollcallProcess) throws -> String {
        let page = try Exchange(port: server.port, target: "/").text
        guard let start = page.range(of: "href=\"/\(name)")?.lowerBound else { throw Failure("no \(name) in the page") }
        return String(page[start...].dropFirst(7).prefix { $0 != "\"" })
    }

    private func get(_ target: String, at port: Int, _ fields: [String: String] = [:]) throws -> Exchange {
        try Exchange(port: port, target: target, headers: fields.merging(Self.gzip) { $1 })
    }

    /// Returns the same load with the validator of the answer at `target`.
    private func conditional(_ load: Wrk, _ target: String, at port: Int) throws -> Wrk {
        var load = load
        guard let tag = try get(target, at: port).fields["etag"] else { throw Failure("\(target) has no ETag") }
        load.fields.append("If-None-Match: \(tag)")
        guard try get(target, at: port, ["If-None-Match": tag]).status == 304 else {
            throw Failure("port \(port), \(target): expected the status 304")
        }
        return load
    }

    private struct Figures {
        var cpus: [Double] = []
        var rates: [Double] = []
        var slows: [Double] = []
        var cpu: Double { cpus.median }
        var rate: Double { rates.median }
        var slow: Double { slows.median }

        mutating func add(_ result: Wrk.Result) {
            cpus.append(result.cpuMicroseconds)
            rates.append(result.requestsPerSecond)
            slows.append(result.slow)
        }
    }

    private func compare(
        _ load: Wrk, _ rollcall: RollcallProcess, _ target: String, _ peerLoad: Wrk, _ peer: Peer, _ path: String
    ) throws -> (Figures, Figures) {
        var (ours, theirs) = (Figures(), Figures())
        for _ in 0..<rounds {
            ours.add(try load.run(rollcall.url + target, of: rollcall.processes))
            theirs.add(try peerLoad.run(peer.url + "/" + path, of: peer.processes))
        }
        return (ours, theirs)
    }

    /// Measures servers in other languages, and the lowest possible cost of a server.
    private func peers(
        _ rollcall: RollcallProcess, _ target: String, _ answers: [String: Exchange], _ folder: URL
    ) throws -> Table {
        var table = Table(
            "Beside other servers: a cached fragment, 64 connections", "server", "µs of CPU", "Rollcall / it", "req/s",
            "MiB")
        for (name, command) in Peer.others {
            let peer = try Peer(name, command, answers, in: folder)
            defer { peer.program.stop() }
            let load = Wrk(seconds: seconds)
            let (ours, theirs) = try compare(load, rollcall, target, load, peer, "fragment")
            if table.rows.isEmpty {
                table.add("Rollcall", ours.cpu.shown(2), "", ours.rate.grouped, rollcall.processes.memory.shown())
            }
            table.add(
                peer.name, theirs.cpu.shown(2), zip(ours.cpus, theirs.cpus).map { $0 / $1 }.median.shown(3),
                theirs.rate.grouped, peer.processes.memory.shown())
        }
        return table
    }

    private func withIdleConnections(_ count: Int, to ports: [Int], _ body: () throws -> Void) throws {
        var connections: [Connection] = []
        defer { for connection in connections { connection.close() } }
        for port in ports {
            for _ in 0..<count { connections.append(try Connection(port: port)) }
        }
        try body()
    }

    // MARK: - Rollcall alone

    /// Returns the figures that depend on the number of users.
    func scaling() throws -> [(name: String, value: String)] {
        let start = ContinuousClock.now
        let rollcall = try serve()
        let started = (ContinuousClock.now - start) / .milliseconds(1)
        defer { rollcall.stop() }
        let atRest = rollcall.processes.memory
        let random = """
            math.randomseed(7)
            request = function()
              return wrk.format("GET", "/fragment?since=" .. math.random(0, \(people.lastID)) .. "&per_page=10")
            end
            """
        var load = Wrk(seconds: seconds, script: random)
        let cold = try repeated(load, rollcall, "/")
        load.script = nil
        // Without the cache, each request renders the page again, always from the same position: the cost of depth
        // alone.
        let bare = try serve(["--cache-size", "0"])
        defer { bare.stop() }
        let ratios = try (0..<rounds).map { _ in
            let first = try load.run(bare.url + "/fragment?since=0", of: bare.processes)
            let last = try load.run(bare.url + "/fragment?since=\(people.lastID - 80)", of: bare.processes)
            return last.cpuMicroseconds / first.cpuMicroseconds
        }
        return [
            ("ready, ms", started.shown(0)), ("memory at rest, MiB", atRest.shown()),
            ("new fragment at random depth, µs", cold.cpu.shown()), ("the same, req/s", cold.rate.grouped),
            ("last page / first page, CPU", ratios.median.shown(2)),
            ("memory after the load, MiB", rollcall.processes.memory.shown()),
        ]
    }

    private func repeated(_ load: Wrk, _ rollcall: RollcallProcess, _ target: String) throws -> Figures {
        var figures = Figures()
        for _ in 0..<rounds { figures.add(try load.run(rollcall.url + target, of: rollcall.processes)) }
        return figures
    }

    /// Bytes of memory per idle connection.
    func idleConnection() throws -> Double {
        let rollcall = try serve()
        defer { rollcall.stop() }
        _ = try Exchange(port: rollcall.port, target: "/fragment")
        let before = rollcall.processes.memory
        var after = before
        try withIdleConnections(5000, to: [rollcall.port]) {
            _ = try Exchange(port: rollcall.port, target: "/fragment")
            after = rollcall.processes.memory
        }
        return (after - before) * 1_048_576 / 5000
    }
}

extension RollcallProcess {
    var processes: ProcessTree { ProcessTree(root: program.processID) }
}
