import TestSupport
import Testing

/// Runs a suite on other threads than those that all tests share, one for each core.
///
/// Tests that start programs wait for most of their time, and other tests would wait with them.
struct TestThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    /// Suites as well, so that a test need not wait for one of Swift's own threads to begin.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await TestExecutor.programs.run(
            "\(test.id)", isCase: testCase != nil, isLong: test.tags.contains(.long), function)
    }
}

extension Trait where Self == TestThreads {
    /// For tests that start programs and wait for them. Not for browsers: they need a core to be in time.
    static var onThreadsForPrograms: TestThreads { TestThreads() }
}

extension Tag {
    /// For tests that begin before all others, because they take longer.
    @Tag static var long: Self
}
