import Foundation
import Importers
import People
import Publishing

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
    /// Pauses between attempts, for longer each time, and reports each new reason with `note`. Returns what `ended`
    /// makes of the end by a signal, or of a failure that a later run may not have.
    func retrying<Result>(
        note: (String) -> Void, ended: (RunEnd) -> Result, _ attempt: () throws -> Result
    ) throws -> Result {
        var (pause, lastReason) = (Self.firstPause, "")
        while !cancellation.isCancelled {
            do {
                return try attempt()
            } catch let failure as any StoreFailure where failure.kind == .forLater {
                return ended(.failed(failure))
            } catch  where error is CancellationError || cancellation.isCancelled {
                return ended(.cancelled)
            } catch let failure as any StoreFailure where failure.kind == .interruption && hasOpened {
                let reason = "\(failure)"
                if reason != lastReason {
                    note("\(reason); waiting for the database, and then going on from what is saved")
                }
                lastReason = reason
                let end = ContinuousClock.now + .seconds(pause)
                while ContinuousClock.now < end, !cancellation.isCancelled { Thread.sleep(forTimeInterval: 0.1) }
                pause = min(pause * 2, Self.longestPause)
            }
        }
        return ended(.cancelled)
    }
}
