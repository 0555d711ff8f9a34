import Foundation
import StandIn
import Synchronization
import TestSupport

/// An import that runs during all faults. It should never end early; if it does, it is started again, and that counts.
final class LastingImport: Sendable {
    private let service: SlowService
    private let standIn: StandIn
    private let database: String
    private let state = Mutex<(ends: [String], isComplete: Bool)>(([], false))

    init(database: String, pause: TimeInterval) throws {
        service = SlowService(pause: pause)
        standIn = try StandIn(service)
        self.database = database
        Thread.detachNewThread { self.run() }
    }

    /// The last lines of imports that ended early.
    var earlyEnds: [String] { state.withLock { $0.ends } }

    /// Lets the service end its list, and waits until all of it is imported. Returns the number of people.
    func complete() throws -> Int {
        service.end()
        try eventually("the import ends") { state.withLock { $0.isComplete } }
        return service.count
    }

    private func run() {
        while true {
            let end = Result { try runOnce() }
            if case .success(nil) = end { return state.withLock { $0.isComplete = true } }
            let words = (try? end.get()) ?? "the import does not start: \(end)"
            state.withLock { $0.ends.append(words) }
            Thread.sleep(forTimeInterval: 1)
        }
    }

    /// Returns the last line of an import that failed.
    private func runOnce() throws -> String? {
        let program = try Program(
            RollcallProcess.executable(),
            [
                "import", "github", "--base-url", standIn.url, "--database", database, "--directory", "people",
            ], environment: ["GITHUB_TOKEN": ""])
        let status = program.wait()
        if status == 0 { return nil }
        return "exit status \(status): \(program.errors.split(separator: "\n").last ?? "")"
    }
}
