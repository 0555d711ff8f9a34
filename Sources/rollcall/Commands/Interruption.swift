import Directories
import Foundation
import Importers

/// Waits while the database is away, which a server is until a standby takes its place.
struct Interruption {
    private let cancellation: ImportCancellation
    private let note: (String) -> Void
    private var pause = Self.firstPause
    private var lastReason = ""

    /// In seconds.
    private static let firstPause = 0.2
    private static let longestPause = 5.0

    init(_ cancellation: ImportCancellation, note: @escaping (String) -> Void) {
        self.cancellation = cancellation
        self.note = note
    }

    /// Calls `attempt` until it does not fail because the database is away. The first failure is an error if the
    /// database was not there at all: `hasBegun` returns `false` then.
    ///
    /// Pauses between attempts, each longer than the one before, and reports each new reason. Throws
    /// `ImportCancellation.Stop` after a signal.
    mutating func retrying<Result>(whileAway hasBegun: () -> Bool, _ attempt: () throws -> Result) throws -> Result {
        while true {
            do {
                return try attempt()
            } catch let failure as any StoreFailure where failure.isInterruption && hasBegun() {
                try wait(because: "\(failure)")
            }
        }
    }

    private mutating func wait(because reason: String) throws {
        if reason != lastReason {
            note("\(reason); waiting for the database, and then going on from what is saved")
            lastReason = reason
        }
        let end = ContinuousClock.now + .seconds(pause)
        while ContinuousClock.now < end {
            if cancellation.isCancelled { throw ImportCancellation.Stop() }
            Thread.sleep(forTimeInterval: 0.1)
        }
        pause = min(pause * 2, Self.longestPause)
    }
}
