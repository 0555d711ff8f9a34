import Foundation
import Synchronization
import TestSupport

/// Asks one server for the state of the directory, ten times a second: within one process it must never go back.
final class Watcher: Sendable {
    private struct Seen {
        var generation: Int64 = 0
        var total = 0
    }

    private let server: RollcallServer
    private let tally: Tally
    private let isStopped = Mutex(false)

    init(_ server: RollcallServer, tally: Tally) {
        (self.server, self.tally) = (server, tally)
        Thread.detachNewThread { self.run() }
    }

    func stop() { isStopped.withLock { $0 = true } }

    private func run() {
        var (seen, starts) = (Seen(), 0)
        while !isStopped.withLock({ $0 }) {
            let process = server.starts
            if process != starts { (seen, starts) = (Seen(), process) }
            if let now = try? ask(), server.starts == process {
                if now.generation < seen.generation || now.total < seen.total { tally.count { $0.back += 1 } }
                tally.note(generation: now.generation)
                seen = now
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }

    private func ask() throws -> Seen {
        struct State: Decodable { let generation: Int64 }
        let state = try server.get("/events.json?directory=people&seen=\(Int64.max)")
        let page = try server.get("/api/v3/users?directory=people&per_page=1&sort=-login")
        guard state.status == 200, page.status == 200, let total = Int(page.fields["x-total-count"] ?? "") else {
            throw Failure("status \(state.status) and \(page.status)")
        }
        let generation = try JSONDecoder().decode(State.self, from: Data(state.body)).generation
        return Seen(generation: generation, total: total)
    }
}
