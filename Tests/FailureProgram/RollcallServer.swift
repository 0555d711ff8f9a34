import Foundation
import Synchronization
import TestSupport

/// One of the Rollcall servers, on a Unix socket that it keeps over restarts.
final class RollcallServer: Sendable {
    let name: String
    let socket: String
    private let database: String
    private let state = Mutex<(program: Program?, starts: Int)>((nil, 0))

    init(_ name: String, socket: String, database: String) {
        (self.name, self.socket, self.database) = (name, socket, database)
    }

    /// The number of processes so far: what a process has shown binds only itself.
    var starts: Int { state.withLock { $0.starts } }

    /// Starts a process and waits until it accepts connections.
    func start() throws {
        let program = try Program(
            RollcallProcess.executable(),
            ["serve", "--database", database, "--unix-socket", socket, "--drain-delay", "2", "--drain-timeout", "20"])
        state.withLock { $0 = (program, $0.starts + 1) }
        _ = try program.line(with: "unix:")
    }

    /// Ends the process and returns its exit status: SIGKILL for a crash, SIGTERM to drain it.
    @discardableResult func stop(_ signal: Int32) -> Int32 { state.withLock { $0.program?.stop(signal) ?? 0 } }

    /// The log of the process so far.
    var log: String { state.withLock { $0.program?.errors ?? "" } }

    func get(_ target: String) throws -> Exchange {
        let connection = try Connection(path: socket)
        defer { connection.close() }
        return try Exchange(on: connection, target: target)
    }
}
