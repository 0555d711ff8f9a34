import Synchronization

/// Asks an import to stop; any thread may, a signal's handler too.
public final class ImportCancellation: Sendable {
    private let flag = Atomic(false)

    public init() {}

    public func cancel() { flag.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Ends a source's reading when nobody wants more of it, and what comes before.
    public struct Stop: Error {
        public init() {}
    }
}
