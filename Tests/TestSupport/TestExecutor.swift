import Foundation
import Synchronization
import Testing

/// Threads for tests that mostly wait, for programs or browsers. Such tests must not hold up Swift's own threads, one a
/// core, on which all other tests run.
///
/// Swift Testing begins all tests at once. Here they wait for a turn, and long ones get theirs first, so that none of
/// them goes on alone at the end.
public final class TestExecutor: TaskExecutor, SuiteTrait, TestTrait, TestScoping, @unchecked Sendable {
    fileprivate static let programs = TestExecutor(lanes: ProcessInfo.processInfo.activeProcessorCount + 1)
    fileprivate static let browsers = TestExecutor(lanes: ProcessInfo.processInfo.activeProcessorCount + 2)

    /// Guards `jobs`, the only state that changes without `turns`.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private let turns: Mutex<Turns>

    private struct Turns {
        var free: Int
        var long: [CheckedContinuation<Void, Never>] = []
        var others: [CheckedContinuation<Void, Never>] = []
    }

    /// - Parameter lanes: How many tests run at a time. One more thread lets all others come to wait for their turn.
    private init(lanes: Int) {
        turns = Mutex(Turns(free: lanes))
        for _ in 0...lanes { Thread.detachNewThread { [self] in work() } }
    }

    public let isRecursive = true

    /// Suites as well, so that a test need not wait for one of Swift's own threads to begin.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> TestExecutor? { self }

    /// Runs a case of `test` when it is its turn; or else all of a suite or test, whose cases then wait on these
    /// threads.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        if testCase == nil { return try await withTaskExecutorPreference(self) { try await body() } }
        await takeTurn(isLong: test.tags.contains(.long))
        defer { endTurn() }
        try await TestTimes.measure("\(test.id)") { try await TestScope.run(body) }
    }

    private func takeTurn(isLong: Bool) async {
        await withCheckedContinuation { continuation in
            let isFree = turns.withLock { turns in
                if turns.free > 0 {
                    turns.free -= 1
                    return true
                }
                if isLong { turns.long.append(continuation) } else { turns.others.append(continuation) }
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func endTurn() {
        let next = turns.withLock { turns -> CheckedContinuation<Void, Never>? in
            if !turns.long.isEmpty { return turns.long.removeFirst() }
            if !turns.others.isEmpty { return turns.others.removeFirst() }
            turns.free += 1
            return nil
        }
        next?.resume()
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
                return jobs.removeFirst()
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

extension Trait where Self == TestExecutor {
    /// For tests that start programs and wait for them.
    public static var onThreadsForPrograms: Self { .programs }
    /// For tests with browsers, which need a core to be in time, and so have no test of a program before them.
    public static var onThreadsForBrowsers: Self { .browsers }
}

extension Tag {
    /// For tests that begin before all others, because they take longer.
    @Tag public static var long: Self
}
