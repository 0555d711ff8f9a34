import TestSupport
import Testing

/// Runs every test of a suite on the threads for browsers.
struct LanesTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    /// Suites as well, so that a test need not wait for one of Swift's own threads to begin.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await TestExecutor.browsers.run(
            "\(test.id)", isCase: testCase != nil, isLong: test.tags.contains(.long), function)
    }
}

extension Trait where Self == LanesTrait {
    static var inLanes: Self { LanesTrait() }
}

extension Tag {
    /// For tests that begin before all others, because they take longer.
    @Tag static var long: Self
}
