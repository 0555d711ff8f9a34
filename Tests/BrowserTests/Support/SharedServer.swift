import Foundation
import Synchronization
import TestSupport

/// A server that no test changes, so that all tests share it.
struct SharedServer: Sendable {
    let port: Int
    /// The ids of all users, in order.
    let everyone: [Int]

    private static let servers = Mutex<[Key: (server: SharedServer, program: RollcallProcess)]>([:])

    private struct Key: Hashable {
        let users: Int
        let options: [String]
    }

    /// Returns the server with the people of the demo and awkward ones, in the order of their ids.
    static func demo(users: Int, _ options: [String]) throws -> SharedServer {
        try servers.withLock { servers in
            let key = Key(users: users, options: options)
            if let found = servers[key] { return found.server }
            if servers.isEmpty { atexit { SharedServer.stopAll() } }
            let program = try RollcallProcess.demo(users: users, options)
            let server = SharedServer(port: program.port, everyone: RollcallProcess.demoIDs(users: users))
            servers[key] = (server, program)
            return server
        }
    }

    private static func stopAll() {
        servers.withLock { servers in
            for (_, program) in servers.values { program.stop() }
        }
    }
}
