import Foundation
import Importers
import People

/// Waits until no other process imports into a directory.
struct ImportLock {
    var directory: Slug
    let kind: String
    /// In seconds.
    let lockTimeout: Int
    let cancellation: ImportCancellation
    let note: (String) -> Void

    /// Returns the lock, which this process holds until it releases the value. Throws ``ImportBusy`` after
    /// `lockTimeout`, and `ImportCancellation.Stop` if the import is cancelled.
    func take(in store: any StoreLocking) throws -> any StoreLock {
        let name = "process \(getpid()), import \(kind), since \(Date().ISO8601Format())"
        return try LockWaiting(seconds: lockTimeout, cancellation: cancellation).take(
            attempt: { try store.attemptImportLock(of: directory, name: name) },
            isWaiting: {
                note("waiting for another import into \(directory), for up to \(lockTimeout) s: \($0)")
            },
            busy: { ImportBusy(directory: directory, holder: $0) })
    }
}

/// The error that another process is importing into the directory.
struct ImportBusy: Error, CustomStringConvertible {
    let directory: Slug
    let holder: String

    var description: String {
        "another import is filling \(directory) (\(holder)); try again when it has finished"
    }
}
