/// The time for which the first people of a stream wait, so that more of it is known when its columns are judged.
///
/// A file is read ahead however long that takes: what is inferred from it must not depend on the speed of a disk.
/// Confined to one thread.
final class Patience {
    /// Two seconds after the first byte; the first people are visible a second later.
    private static let time = Duration.seconds(2)

    private let now: () -> ContinuousClock.Instant
    private var end: ContinuousClock.Instant?

    init(now: @escaping () -> ContinuousClock.Instant) { self.now = now }

    /// Notes that a stream has sent bytes.
    func noteBytes() { end = end ?? now() + Self.time }

    var isOver: Bool { end.map { now() >= $0 } ?? false }
}
