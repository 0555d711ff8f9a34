import Synchronization

/// Servers, browsers and files of a test, which end with the test: with each case of it, the last thing first.
public final class TestScope: Sendable {
    @TaskLocal private static var current: TestScope?

    private let ends = Mutex<[@Sendable (_ hasFailed: Bool) -> Void]>([])

    /// Calls `end` when the current test ends, and says whether the test has thrown an error.
    public static func atEnd(_ end: @escaping @Sendable (_ hasFailed: Bool) -> Void) {
        guard let current else { preconditionFailure("this is no test that waits for its turn") }
        current.ends.withLock { $0.append(end) }
    }

    static func run(_ body: () async throws -> Void) async throws {
        let scope = TestScope()
        do { try await $current.withValue(scope, operation: body) } catch {
            scope.end(hasFailed: true)
            throw error
        }
        scope.end(hasFailed: false)
    }

    private func end(hasFailed: Bool) {
        for end in ends.withLock({ $0 }).reversed() { end(hasFailed) }
    }
}
