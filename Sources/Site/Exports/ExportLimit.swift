import Server
import Synchronization

/// The right to send one export. It is free again when the slot is released.
///
/// An export costs its client little, and the server a whole directory, which it compresses for each client. The number
/// of exports is limited, and so are the processor time and the memory that they take.
final class ExportLimit: Sendable {
    private let count: ExportCount

    /// Throws a 503 if all slots of `count` are taken.
    init(_ count: ExportCount) throws {
        guard count.increment() < count.limit else {
            count.decrement()
            throw HTTPError(
                status: .serviceUnavailable,
                message: "Too many exports are running (\(count.limit)). Please try again in a while.",
                retryAfter: 10)
        }
        self.count = count
    }

    deinit { count.decrement() }
}

/// The number of exports of a kind that are being sent.
final class ExportCount: Sendable {
    let limit: Int
    private let number = Atomic(0)

    init(limit: Int) { self.limit = limit }

    var current: Int { number.load(ordering: .relaxed) }

    /// Returns the number before.
    fileprivate func increment() -> Int { number.add(1, ordering: .relaxed).oldValue }
    fileprivate func decrement() { number.subtract(1, ordering: .relaxed) }
}
