import Foundation
import Importers
import Publishing

extension ImportCancellation {
    /// Waits until no other process holds a lock. Returns the lock, which this process holds until it releases the
    /// value. Throws the error that `busy` returns after the time limit, and `CancellationError` after a signal.
    ///
    /// - Parameters:
    ///   - work: What this process does, for the others.
    ///   - attempt: Takes the lock by the name of this process.
    ///   - isWaiting: Called once with the holder's name, if there is one.
    ///   - busy: Gets the holder's name.
    func lock(
        for work: String, within seconds: Int, attempt: (_ name: String) throws -> LockAttempt,
        isWaiting: (String) -> Void, busy: (String) -> any Error
    ) throws -> any StoreLock {
        let name = "process \(getpid()), \(work), since \(Date().ISO8601Format())"
        let end = ContinuousClock.now + .seconds(seconds)
        var isTold = false
        while true {
            if isCancelled { throw CancellationError() }
            switch try attempt(name) {
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
