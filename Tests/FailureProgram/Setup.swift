import Foundation
import TestSupport

/// Three servers behind HAProxy, on a primary and two standbys, with readers and an import.
final class Setup {
    /// The lists that walkers follow.
    static let walks = ["", "&sort=name&order=desc", "&sort=reputation"]

    private let postgres: ReplicatedPostgres
    private let network: Balancer
    private let servers: [RollcallServer]
    private let balancer: Balancer
    private let people: Int
    private let tally = Tally()
    private let walkers: [Walker]
    private let watchers: [Watcher]
    private let lastingImport: LastingImport
    private let disk: String?
    private let front: String

    init(people: Int, pause: TimeInterval, disk: String?) throws {
        (self.people, self.disk) = (people, disk)
        postgres = try ReplicatedPostgres(
            settings: [
                "max_connections": "60", "wal_keep_size": "64MB", "max_wal_size": "96MB", "min_wal_size": "32MB",
            ],
            primaryData: disk)
        let folder = postgres.folder
        let hosts: [String]
        (network, hosts) = try Balancer.network(to: postgres.servers.map(\.host), folder: folder)
        let urls = [postgres.url(), postgres.url(hosts: hosts), postgres.url()]
        let file = "\(folder)/people.ndjson"
        try People.file(count: people).write(to: URL(filePath: file))
        let first = try Program(
            RollcallProcess.executable(),
            ["import", "file", file, "--database", postgres.url(), "--directory", "people"])
        guard first.wait() == 0 else { throw Failure("the first import failed: \(first.errors)") }
        servers = urls.enumerated().map { index, url in
            RollcallServer("r\(index + 1)", socket: "\(folder)/r\(index + 1).sock", database: url)
        }
        for server in servers { try server.start() }
        let front = "\(folder)/front.sock"
        self.front = front
        balancer = try Balancer(socket: front, servers: servers, folder: folder)
        let tally = tally
        let walk = "/api/v3/users?directory=people&per_page=100"
        walkers = Self.walks.map { Walker(walk + $0, socket: front, people: people, tally: tally) }
        watchers = servers.map { Watcher($0, tally: tally) }
        lastingImport = try LastingImport(database: postgres.url(), pause: pause, tally: tally)
    }

    /// Returns what happens during a fault, and until every walk that it fell into has ended.
    func counts(_ fault: () throws -> Void) throws -> Counts {
        tally.begin()
        try fault()
        let walks = walkers.map(\.walks)
        let end = ContinuousClock.now + .seconds(300)
        while !zip(walkers, walks).allSatisfy({ $0.walks > $1 }) {
            guard ContinuousClock.now < end else { throw Failure("a walk did not end: \(tally.counts)") }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return tally.counts
    }

    func cause(_ fault: Fault) throws {
        switch fault {
        case .none: Thread.sleep(forTimeInterval: 3)
        case .server: try killServer()
        case .standby: try killStandby()
        case .stall: stallNetwork()
        case .refused: try refuseConnections()
        case .disk: try fillDisk()
        case .primary: try killPrimary()
        case .upgrade: try upgrade()
        }
    }

    private func killServer() throws {
        servers[0].stop(SIGKILL)
        Thread.sleep(forTimeInterval: 2)
        try servers[0].start()
    }

    private func killStandby() throws {
        let standby = postgres.servers[2]
        standby.kill()
        Thread.sleep(forTimeInterval: 3)
        try postgres.revive(standby)
        try postgres.waitForStandbys(2)
    }

    private func stallNetwork() {
        network.stall()
        Thread.sleep(forTimeInterval: 6)
        network.resume()
    }

    /// Takes all connections of the primary and closes those of Rollcall, which asks for new ones.
    private func refuseConnections() throws {
        let primary = try postgres.primary
        var held: [Connection] = []
        defer { for connection in held { connection.close() } }
        func takeAll() throws { while let connection = try primary.holdConnection() { held.append(connection) } }
        try takeAll()
        // The end of Rollcall's connections takes one itself.
        try eventually("the connections of Rollcall end") {
            held.popLast()?.close()
            return (try? primary.endConnections(of: "rollcall%")) != nil
        }
        try takeAll()
        Thread.sleep(forTimeInterval: 4)
    }

    /// Fills the primary's file system. The primary may stop; then an operator makes room and starts it again.
    private func fillDisk() throws {
        guard let disk else { return }
        let primary = postgres.servers[0]
        let filler = disk + "/filler"
        Self.fill(filler)
        Thread.sleep(forTimeInterval: 5)
        try FileManager.default.removeItem(atPath: filler)
        Thread.sleep(forTimeInterval: 1)
        if !primary.isRunning { try primary.start() }
        try postgres.waitForStandbys(2)
    }

    /// Writes a file until nothing more fits.
    private static func fill(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        var zeros = [UInt8](repeating: 0, count: 1 << 20)
        while !zeros.isEmpty {
            let count = write(descriptor, zeros, zeros.count)
            if count <= 0 { zeros.removeLast((zeros.count + 1) / 2) }
        }
    }

    private func killPrimary() throws {
        let old = try postgres.primary
        old.kill()
        // An operator, or Patroni, notices.
        Thread.sleep(forTimeInterval: 2)
        try postgres.promoteMostAdvanced()
        try postgres.waitForStandbys(1)
        Thread.sleep(forTimeInterval: 2)
        try postgres.revive(old, wasPrimary: true)
        try postgres.waitForStandbys(2)
    }

    private func upgrade() throws {
        for server in servers {
            let status = server.stop(SIGTERM)
            guard status == 0 else { throw Failure("\(server.name) ended with status \(status): \(server.log)") }
            try server.start()
            // HAProxy needs to find it ready before the next one goes.
            Thread.sleep(forTimeInterval: 2)
        }
    }

    struct End {
        var offered = 0
        var imported = 0
        var expected = 0
        var found = 0
    }

    /// Ends the import and the walks, and counts who is there.
    func finish() throws -> End {
        let offered = try lastingImport.complete()
        for walker in walkers { walker.stop() }
        for watcher in watchers { watcher.stop() }
        let ids = try postgres.primary.query("SELECT count(*), count(*) FILTER (WHERE id % 3 = 1) FROM rollcall.user1")
        let counts = ids.split(separator: "|").compactMap { Int($0) }
        for server in servers { server.stop(SIGTERM) }
        return End(offered: offered, imported: counts.last ?? 0, expected: people + offered, found: counts.first ?? 0)
    }
}
