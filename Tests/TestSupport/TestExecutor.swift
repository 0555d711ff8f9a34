import Foundation

/// Threads for tests that mostly wait, for programs or browsers: one more than there are cores. Such tests must not
/// hold up Swift's own threads, one a core, on which all other tests run.
public final class TestExecutor: TaskExecutor, @unchecked Sendable {
    /// For tests that start programs.
    public static let programs = TestExecutor()
    /// For tests with browsers, which need a core to be in time, and so have no long test of a program before them.
    public static let browsers = TestExecutor()

    /// Guards `jobs`, the only state that changes.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []

    private init() {
        for _ in 0...ProcessInfo.processInfo.activeProcessorCount { Thread.detachNewThread { [self] in work() } }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
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
                // The newest, so that a test that goes on does not wait for all that have not begun.
                return jobs.removeLast()
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
