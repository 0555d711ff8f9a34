/// A lock that this process holds until it releases the value, or ends in whatever way.
public protocol StoreLock: AnyObject {}

/// The outcome of trying to take a lock.
public enum LockAttempt {
    case taken(any StoreLock)
    /// Another process, with this name, holds the lock.
    case held(by: String)
}
