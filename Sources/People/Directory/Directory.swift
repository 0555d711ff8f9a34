/// A named list of users, filled from one source.
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
    /// The facets by which its users can be filtered.
    public var facets: [FacetCounts] = []
    /// The settings, resolved. Equal settings make equal plans.
    public var plan: FieldPlan {
        get { planAndSort.plan }
        set { planAndSort = PlanAndSort(newValue) }
    }
    /// The order in which pages and exports show the users unless a request names another.
    public var defaultSort: Sort { planAndSort.sort }
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

    private var planAndSort = PlanAndSort.empty

    /// The plan, and the order that follows from it, which every request needs: it is looked up once.
    private struct PlanAndSort: Equatable {
        let plan: FieldPlan
        let sort: Sort

        static let empty = PlanAndSort(.empty)

        init(_ plan: FieldPlan) {
            self.plan = plan
            sort = plan.defaultSort
        }
    }

    /// Whether this process would make the same keys for the orders by text as the directory has.
    public var hasCurrentOrder: Bool { total == 0 || collation == CollationStamp(language: plan.language) }
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
