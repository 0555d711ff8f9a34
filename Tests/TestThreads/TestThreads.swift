import Foundation
import Testing

/// Runs a suite on other threads than those that all tests share, one for each core.
///
/// Tests that start programs wait for most of their time, and other tests would wait with them.
public struct TestThreads: SuiteTrait, TestScoping {
    /// Everything in the suite inherits the threads from it.
    public var isRecursive: Bool { false }

    private let pool: ThreadPool

    /// Runs `count` tests of all suites with this value at a time.
    private init(count: Int) { pool = ThreadPool(count: count) }

    fileprivate static let forPrograms = TestThreads(count: ProcessInfo.processInfo.activeProcessorCount + 1)
    /// One browser runs at a time. Its test may do something beside it.
    fileprivate static let forBrowsers = TestThreads(count: 2)

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(pool) { try await function() }
    }
}

extension Trait where Self == TestThreads {
    /// For tests that start programs and wait for them.
    public static var onThreadsForPrograms: TestThreads { .forPrograms }
    /// For tests in browsers, which are the longest of all, so that they begin at once.
    public static var onThreadsForBrowsers: TestThreads { .forBrowsers }
}

private final class ThreadPool: TaskExecutor {
    private let queue = OperationQueue()

    init(count: Int) { queue.maxConcurrentOperationCount = count }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
