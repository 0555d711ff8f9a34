import People

/// Locks by which commands of several processes, and of several machines if the store is on a server, take turns.
public protocol StoreLocking: Sendable {
    /// Tries to become the only process that imports into directory `slug`, which need not exist. Returns at once.
    /// `name` is the name that other processes see; it may be cut off after 200 bytes.
    func attemptImportLock(of slug: Slug, name: String) throws -> LockAttempt

    /// Tries to become the only process that fetches pictures for this store. Returns at once.
    func attemptPictureLock(name: String) throws -> LockAttempt
}

/// A lock that this process holds until it releases the value, or ends in whatever way.
public protocol StoreLock: AnyObject {}

/// The outcome of trying to take a lock.
public enum LockAttempt {
    case taken(any StoreLock)
    /// Another process, with this name, holds the lock.
    case held(by: String)
}
