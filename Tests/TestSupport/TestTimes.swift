import Foundation

/// The running times of tests that wait for their turn, for `Tests/costs`. The times that Swift Testing prints
/// include the wait.
public enum TestTimes {
    /// Runs the body of a test, and adds a line to the file that `ROLLCALL_TEST_TIMES` names.
    public static func measure(_ test: String, _ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        defer { note((ContinuousClock.now - start) / .seconds(1), of: test) }
        try await body()
    }

    private static func note(_ seconds: Double, of test: String) {
        guard let path = ProcessInfo.processInfo.environment["ROLLCALL_TEST_TIMES"] else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let line = "\(seconds)\t\(test)\n"
        // A line that is lost leaves the time with the wait in it.
        _ = write(file, line, line.utf8.count)
    }
}
