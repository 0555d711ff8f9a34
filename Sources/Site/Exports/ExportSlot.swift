import Server
import Synchronization

/// The right to send one export. It is free again when the slot is released.
///
/// An export costs its client little, and the server a whole directory, which it compresses for each client. The number
/// of exports is limited, and so are the processor time and the memory that they take.
final class ExportSlot: Sendable {
    private let site: Site

    /// Throws a 503 if all slots are taken.
    init(on site: Site) throws {
        let taken = site.openExports.add(1, ordering: .relaxed).oldValue
        guard taken < site.configuration.maxExports else {
            site.openExports.subtract(1, ordering: .relaxed)
            throw HTTPError(
                status: .serviceUnavailable,
                message:
                    "Too many exports are running (\(site.configuration.maxExports)). Please try again in a while.",
                retryAfter: 10)
        }
        self.site = site
    }

    deinit { site.openExports.subtract(1, ordering: .relaxed) }
}
