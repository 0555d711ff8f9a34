import Foundation
import Importers
import People

/// Waits until no other process holds a lock.
struct LockWaiting {
    let seconds: Int
    let cancellation: ImportCancellation

    /// Returns the lock, which this process holds until it releases the value. Throws the error that `busy` returns
    /// after the time limit, and `ImportCancellation.Stop` after a signal.
    ///
    /// - Parameters:
    ///   - isWaiting: Called once with the holder's name, if there is one.
    ///   - busy: Gets the holder's name.
    func take(
        attempt: () throws -> LockAttempt, isWaiting: (String) -> Void, busy: (String) -> any Error
    ) throws -> any StoreLock {
        let end = ContinuousClock.now + .seconds(seconds)
        var isTold = false
        while true {
            if cancellation.isCancelled { throw ImportCancellation.Stop() }
            switch try attempt() {
            case .taken(let lock): return lock
            case .held(let holder):
                if ContinuousClock.now >= end { throw busy(holder) }
                if !isTold { isWaiting(holder) }
                isTold = true
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }
}
