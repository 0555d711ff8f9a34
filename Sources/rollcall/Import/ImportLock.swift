import Dispatch
import Foundation
import Importers
import People
import Publishing
import StoreEngine

/// Waits until no other process holds a lock.
struct LockWaiting {
    let seconds: Int
    let cancellation: ImportCancellation

    /// Returns the lock, which this process holds until it releases the value. Throws the error that `busy` returns
    /// after the time limit, and `CancellationError` after a signal.
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
            if cancellation.isCancelled { throw CancellationError() }
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

/// Waits until no other process imports into a directory.
struct ImportLock {
    var directory: Slug
    let kind: String
    /// In seconds.
    let lockTimeout: Int
    let cancellation: ImportCancellation
    let note: (String) -> Void

    /// Returns the lock, which this process holds until it releases the value. Throws a ``StoreError`` after
    /// `lockTimeout`, and `CancellationError` if the import is cancelled.
    func take(in store: any Store) throws -> any StoreLock {
        let name = "process \(getpid()), import \(kind), since \(Date().ISO8601Format())"
        return try LockWaiting(seconds: lockTimeout, cancellation: cancellation).take(
            attempt: { try store.attemptImportLock(of: directory, name: name) },
            isWaiting: {
                note("waiting for another import into \(directory), for up to \(lockTimeout) s: \($0)")
            },
            busy: {
                StoreError(.held, "another import is filling \(directory) (\($0)); try again when it has finished")
            })
    }
}
