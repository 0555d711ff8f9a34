/// A named list of users, filled from one source.
///
/// ```swift
/// let team = store.directories.first { $0.slug.text == "team" }
/// team?.total  // 2971
/// ```
public struct Directory: Equatable, Sendable, Identifiable {
    /// The store's number for the directory, which is never reused.
    public var id: Int64
    public var slug: Slug
    /// The slugs that it had before and that no other directory has got since: their addresses lead to this one.
    public var formerSlugs: [Slug] = []
    /// The name shown to people.
    public var title: String
    /// The source of its users: `file`, `git`, `demo`, …
    public var source: String
    /// The number of users. It is updated with every change, never counted.
    public var total: Int
    /// Increases with every change of the directory, and is never reused for another state of any directory.
    public var generation: Int64
    /// A description of one or two sentences; may be empty.
    public var description = ""
    public var terms = Terms()
    /// Whether a request that names no directory gets this one. If no directory was made the default, the oldest one
    /// is.
    public var isDefault = false
    /// When an import last finished or changed something, in seconds since 1970; `nil` if that is not known.
    public var importedAt: Int64?
    /// The filters by which its users can be filtered.
    public var filters: [FilterCounts] = []
    /// The settings, resolved. Equal ones are shared.
    public var settings: ResolvedSettings {
        get { settingsAndSort.settings }
        set { settingsAndSort = SettingsAndSort(newValue) }
    }
    /// The order in which pages and exports show the users unless a request names another.
    public var defaultSort: Sort { settingsAndSort.sort }
    /// The rules by which the keys of its orders by text were made.
    public var collation = CollationStamp.none
    /// Distinguishes the database this was read from, from earlier ones at the same path: a restored copy issues the
    /// same generations again.
    public var origin: UInt64

    public init(
        id: Int64, slug: Slug, title: String, source: String, total: Int, generation: Int64, origin: UInt64 = 0
    ) {
        self.id = id
        self.slug = slug
        self.title = title
        self.source = source
        self.total = total
        self.generation = generation
        self.origin = origin
    }

    private var settingsAndSort = SettingsAndSort.empty

    /// The settings, and the order that follows from it, which every request needs: it is looked up once.
    private struct SettingsAndSort: Equatable {
        let settings: ResolvedSettings
        let sort: Sort

        static let empty = SettingsAndSort(.empty)

        init(_ settings: ResolvedSettings) {
            self.settings = settings
            sort = settings.defaultSort
        }
    }

    /// Whether this process would make the same keys for the orders by text as the directory has.
    public var hasCurrentOrder: Bool { total == 0 || collation == CollationStamp(language: settings.language) }
}

/// A directory's name in URLs and commands: 1 to 64 of `a–z`, `0–9`, `-` and `_`, starting with a letter or digit.
public struct Slug: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Returns `nil` if `text` is not a valid slug.
    public init?(_ text: some StringProtocol) {
        let isLetterOrDigit = { (byte: UInt8) in (97...122).contains(byte) || (48...57).contains(byte) }
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isLetterOrDigit(first),
            text.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.text = String(text)
    }

    public var description: String { text }

    /// Returns the title to show if the publisher set `title`: the slug if `title` is blank.
    public func title(_ title: String) -> String {
        title.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? text : title
    }

    /// Creates a slug from a literal. An invalid literal is a programming error.
    public init(literal: StaticString) {
        guard let slug = Slug("\(literal)") else { preconditionFailure("“\(literal)” is not a slug") }
        self = slug
    }
}

/// The terms of use of a directory and the attribution it requires, shown at the end of its pages. Empty values are
/// omitted.
public struct Terms: Equatable, Sendable {
    public var licence: String
    /// An http or https URL, or empty; the same holds for ``attributionURL``.
    public var licenceURL: String
    public var attribution: String
    public var attributionURL: String

    public init(licence: String = "", licenceURL: String = "", attribution: String = "", attributionURL: String = "") {
        self.licence = licence
        self.licenceURL = licenceURL
        self.attribution = attribution
        self.attributionURL = attributionURL
    }
}
