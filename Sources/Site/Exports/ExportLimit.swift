import Server
import Synchronization

/// The right to send one export. It is free again when the slot is released.
///
/// An export costs its client little, and the server a whole directory, which it compresses for each client. The number
/// of exports is limited, and so are the processor time and the memory that they take.
final class ExportLimit: Sendable {
    enum Kind {
        case text
        /// Made as a whole, by a worker that has no time for others meanwhile.
        case workbook

        /// Two: half of the workers of a small server.
        fileprivate static let maxWorkbooks = 2
    }

    private let site: Site
    private let kind: Kind

    /// Throws a 503 if all slots are taken.
    init(_ kind: Kind = .text, on site: Site) throws {
        let limit = kind == .workbook ? Kind.maxWorkbooks : site.configuration.maxExports
        let taken = Self.count(kind, of: site).increment()
        guard taken < limit else {
            Self.count(kind, of: site).decrement()
            throw HTTPError(
                status: .serviceUnavailable,
                message: "Too many exports are running (\(limit)). Please try again in a while.",
                retryAfter: 10)
        }
        (self.site, self.kind) = (site, kind)
    }

    deinit { Self.count(kind, of: site).decrement() }

    private static func count(_ kind: Kind, of site: Site) -> ExportCount {
        kind == .workbook ? site.openWorkbooks : site.openExports
    }
}

/// The number of exports of a kind.
final class ExportCount: Sendable {
    private let number = Atomic(0)

    var current: Int { number.load(ordering: .relaxed) }

    /// Returns the number before.
    func increment() -> Int { number.add(1, ordering: .relaxed).oldValue }
    func decrement() { number.subtract(1, ordering: .relaxed) }
}
