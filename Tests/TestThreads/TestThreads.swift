import Foundation
import Testing

/// Runs a suite on threads of its own.
///
/// Tests that start programs wait for most of their time. On the threads that all tests share, one for each core, other
/// tests would wait with them.
public struct TestThreads: SuiteTrait, TestScoping {
    /// Everything in the suite inherits the threads from it.
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
