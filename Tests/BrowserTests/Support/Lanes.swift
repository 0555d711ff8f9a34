import Foundation
import TestSupport
import Testing

/// Two threads for tests with browsers. Such a test mostly waits, and must not hold up Swift's own threads, one a core.
final class Lanes: TaskExecutor, @unchecked Sendable {
    static let two = Lanes()
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []

    private init() {
        for _ in 1...2 { Thread.detachNewThread { [self] in work() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    private func work() {
        while true {
            let job = condition.withLock {
                while jobs.isEmpty { condition.wait() }
                return jobs.removeFirst()
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Runs every test of a suite in one of the two lanes.
struct LanesTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Lanes.two) {
            let start = ContinuousClock.now
            try await function()
            try note(ContinuousClock.now - start, of: test)
        }
    }
}

extension LanesTrait {
    /// Adds a line for `Tests/costs` to the file that it names. What Swift Testing prints includes the wait for a lane.
    private func note(_ time: Duration, of test: Test) throws {
        guard let path = ProcessInfo.processInfo.environment["ROLLCALL_TEST_TIMES"] else { return }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let line = "\(seconds)\t\(test.id)\n"
        guard write(file, line, line.utf8.count) == line.utf8.count else { throw Failure("cannot write to \(path)") }
    }
}

extension Trait where Self == LanesTrait {
    static var inTwoLanes: Self { LanesTrait() }
}
