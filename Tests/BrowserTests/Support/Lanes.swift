import Foundation
import TestSupport
import Testing

/// Threads for tests with browsers, one more than there are cores. Such a test mostly waits, and must not hold up
/// Swift's own threads, one a core.
final class Lanes: TaskExecutor, @unchecked Sendable {
    static let all = Lanes()
    /// Guards `jobs`, the only state that changes.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []

    private init() {
        for _ in 0...ProcessInfo.processInfo.activeProcessorCount { Thread.detachNewThread { [self] in work() } }
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

/// Runs every test of a suite in a lane.
struct LanesTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    /// Suites as well, so that a test need not wait for one of Swift's own threads to begin.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase == nil else { return try await TestTimes.measure("\(test.id)", function) }
        try await withTaskExecutorPreference(Lanes.all) { try await function() }
    }
}

extension Trait where Self == LanesTrait {
    static var inLanes: Self { LanesTrait() }
}
