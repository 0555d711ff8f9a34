import People
import Publishing

/// A directory as a reader's audience gets it, with the columns that its rows must lose. A ``StoreReader`` makes it;
/// whoever reads rows needs it.
package struct ShownDirectory: Sendable {
    let directory: Directory
    /// `nil` if the audience sees all columns.
    let hidden: HiddenColumns?

    package init(_ stored: StoredDirectory, for audience: Audience = .everyone) {
        directory = stored.shown(to: audience)
        hidden = stored.settings.hidden(from: audience)
    }

    package var id: Int64 { directory.id }
    package var generation: Int64 { directory.generation }
    var settings: ShownSettings { directory.settings }
    var total: Int { directory.total }
    var collation: CollationStamp { directory.collation }
    var filters: [FilterCounts] { directory.filters }
}
