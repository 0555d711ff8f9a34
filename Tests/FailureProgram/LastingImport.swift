import Foundation
import StandIn
import Synchronization
import TestSupport

/// An import that runs during all faults. If it ends early, it is started again, and that counts.
final class LastingImport: Sendable {
    private let service: SlowService
    private let standIn: StandIn
    private let database: String
    private let tally: Tally
    private let isComplete = Mutex(false)

    init(database: String, pause: TimeInterval, tally: Tally) throws {
        self.tally = tally
        service = SlowService(pause: pause)
        standIn = try StandIn(service)
        self.database = database
        Thread.detachNewThread { self.run() }
    }

    /// Lets the service end its list, and waits until all of it is imported. Returns the number of people.
    func complete() throws -> Int {
        service.end()
        try eventually("the import ends") { isComplete.withLock { $0 } }
        return service.count
    }

    private func run() {
        while true {
            let end = Result { try runOnce() }
            if case .success(nil) = end { return isComplete.withLock { $0 = true } }
            let words = (try? end.get()) ?? "the import does not start: \(end)"
            tally.count { $0.importEnds.append(words) }
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
