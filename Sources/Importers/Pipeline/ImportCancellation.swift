import Synchronization

/// Asks an import to stop. Any thread, and a signal handler, may call ``cancel()``.
public final class ImportCancellation: Sendable {
    private let flag = Atomic(false)

    public init() {}

    public func cancel() { flag.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Ends a source's reading after a cancellation, or after writing has ended.
    public struct Stop: Error {
        public init() {}
    }
}
