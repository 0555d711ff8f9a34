import HTTP
import Synchronization

/// One of the places that a site has for exports; free again when it goes.
///
/// An export costs its reader nothing and the server the whole directory, compressed for each: their number is bounded, so that
/// what they take of processors and memory is, too.
final class ExportSlot: Sendable {
    private let site: Site

    /// Throws what the visitor is told where all places are taken.
    init(on site: Site) throws {
        let taken = site.openExports.add(1, ordering: .relaxed).oldValue
        guard taken < site.configuration.maxExports else {
            site.openExports.subtract(1, ordering: .relaxed)
            throw HTTPError(
                status: .serviceUnavailable,
                message: "As many exports as there may be are being sent; please try again in a while.",
                retryAfter: 10)
        }
        self.site = site
    }

    deinit { site.openExports.subtract(1, ordering: .relaxed) }
}
