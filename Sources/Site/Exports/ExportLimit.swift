import Server
import Synchronization

/// The number of exports of a kind that may be sent at the same time, and that are being sent.
///
/// An export costs its client little, and the server a whole directory, which it compresses for each client. The number
/// of exports is limited, and so are the processor time and the memory that they take.
final class ExportLimit: Sendable {
    private let limit: Int
    private let number = Atomic(0)

    init(_ limit: Int) { self.limit = limit }

    var current: Int { number.load(ordering: .relaxed) }

    /// Counts one more export. Throws a 503 if there are as many as may be.
    func begin() throws {
        guard number.add(1, ordering: .relaxed).oldValue < limit else {
            end()
            throw HTTPError(
                status: .serviceUnavailable,
                message: "Too many exports are running (\(limit)). Please try again in a while.",
                retryAfter: 10)
        }
    }

    func end() { number.subtract(1, ordering: .relaxed) }
}
