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
        hidden = HiddenColumns(of: stored.settings, from: audience)
    }

    package var id: Int64 { directory.id }
    package var generation: Int64 { directory.generation }
    var settings: ShownSettings { directory.settings }
    var total: Int { directory.total }
    var collation: CollationStamp { directory.collation }
    var filters: [FilterCounts] { directory.filters }
}

/// The stored columns that an audience does not see.
struct HiddenColumns: Sendable {
    private let settings: ResolvedSettings

    /// Returns `nil` if there are none.
    init?(of settings: ResolvedSettings, from audience: Audience) {
        guard audience == .everyone, settings.hasPrivateColumns || settings.hides(.photo) else { return nil }
        self.settings = settings
    }

    var hasPhoto: Bool { settings.hides(.photo) }

    func has(column: String) -> Bool { settings.visibility(ofColumn: column) != .public }
}
