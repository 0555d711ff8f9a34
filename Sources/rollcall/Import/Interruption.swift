import Dispatch
import Foundation
import Importers
import People

/// Waits while the database is away, such as during a failover.
final class Interruption {
    private let cancellation: ImportCancellation
    private var hasOpened = false

    /// In seconds.
    private static let firstPause = 0.2
    private static let longestPause = 5.0

    init(_ cancellation: ImportCancellation) { self.cancellation = cancellation }

    func noteOpened() { hasOpened = true }

    /// Calls `attempt` again while it fails because the database is away. Throws that failure if this process has never
    /// opened the database.
    ///
    /// Pauses between attempts, for longer each time, and reports each new reason with `note`. Throws
    /// `CancellationError` after a signal.
    func retrying<Result>(note: (String) -> Void, _ attempt: () throws -> Result) throws -> Result {
        var (pause, lastReason) = (Self.firstPause, "")
        while true {
            do {
                return try attempt()
            } catch let failure as any StoreFailure where failure.kind == .interruption && hasOpened {
                let reason = "\(failure)"
                if reason != lastReason {
                    note("\(reason); waiting for the database, and then going on from what is saved")
                }
                lastReason = reason
                try wait(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    private func wait(_ seconds: Double) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if cancellation.isCancelled { throw CancellationError() }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }
}
