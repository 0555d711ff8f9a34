import Foundation
import Testing

/// Runs tests on threads of their own.
///
/// Tests that start programs wait for most of their time. On the threads that all tests share, one for each core, other
/// tests would wait with them.
public struct TestThreads: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // A suite itself waits without a thread.
        if test.isSuite { return try await function() }
        try await withTaskExecutorPreference(ThreadPool.shared) { try await function() }
    }
}

extension Trait where Self == TestThreads {
    public static var onThreadsOfItsOwn: TestThreads { TestThreads() }
}

/// Runs a few jobs at a time, more than there are cores.
private final class ThreadPool: TaskExecutor {
    static let shared = ThreadPool()

    private let queue = OperationQueue()

    private init() { queue.maxConcurrentOperationCount = 2 * ProcessInfo.processInfo.activeProcessorCount }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
