import Foundation
import Testing

/// Runs a suite on other threads than those that all tests share.
///
/// Tests that start programs wait for most of their time. There is one shared thread for each core, so other tests
/// would wait with them.
public struct TestThreads: SuiteTrait, TestScoping {
    /// The tests and suites in the suite inherit its threads.
    public var isRecursive: Bool { false }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadPool.shared) { try await function() }
    }
}

extension Trait where Self == TestThreads {
    public static var onThreadsOfItsOwn: TestThreads { TestThreads() }
}

/// Runs twice as many jobs at a time as there are cores.
private final class ThreadPool: TaskExecutor {
    static let shared = ThreadPool()

    private let queue = OperationQueue()

    private init() { queue.maxConcurrentOperationCount = 2 * ProcessInfo.processInfo.activeProcessorCount }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
