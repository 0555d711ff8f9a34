import Foundation
import Synchronization
import TestSupport

/// A server that no test changes, so that all tests share it.
public struct SharedServer: Sendable {
    public let port: Int
    /// The ids of all users, in order.
    public let everyone: [Int]

    public var url: String { "http://127.0.0.1:\(port)" }

    /// Returns the server with the people of the demo and awkward ones, in the order of their ids.
    public static func demo(users: Int, _ options: [String] = []) throws -> SharedServer {
        try shared(["\(users)"] + options) {
            let program = try RollcallProcess.demo(users: users, options)
            return Running(program: program, everyone: RollcallProcess.demoIDs(users: users))
        }
    }

    /// Returns the server with directories of these records, numbered from 1.
    public static func of(_ directories: [(slug: String, lines: [String])], _ options: [String] = []) throws
        -> SharedServer
    {
        try shared(directories.flatMap { [$0.slug] + $0.lines } + options) {
            let stage = try Stage()
            for (slug, lines) in directories { try stage.load(lines.joined(separator: "\n"), into: slug) }
            let everyone = Array(1...(directories.first?.lines.count ?? 1))
            return Running(program: try stage.serve(options), everyone: everyone, stage: stage)
        }
    }

    /// `@unchecked Sendable`: the program is used with the lock alone.
    private struct Running: @unchecked Sendable {
        let program: RollcallProcess
        let everyone: [Int]
        /// The folder of the database, which is removed with the server.
        var stage: Stage?
    }

    private static let servers = Mutex<[[String]: Running]>([:])

    /// Returns the server of this description, which `start` starts for the first test that asks.
    private static func shared(_ description: [String], _ start: () throws -> Running) throws -> SharedServer {
        try servers.withLock { servers in
            if servers.isEmpty { atexit { SharedServer.stopAll() } }
            let running = try servers[description] ?? start()
            servers[description] = running
            return SharedServer(port: running.program.port, everyone: running.everyone)
        }
    }

    private static func stopAll() {
        servers.withLock { servers in
            for running in servers.values { running.program.stop() }
            servers = [:]
        }
    }
}
