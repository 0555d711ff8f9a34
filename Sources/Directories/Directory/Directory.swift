/// A named list of users, filled from one source.
public struct Directory: Equatable, Sendable, Identifiable {
    /// The store's own number for it; never used again for another one.
    public var id: Int64
    public var slug: Slug
    /// What people call it.
    public var title: String
    /// Where its users come from: `file`, `git`, `demo`, …
    public var source: String
    /// How many users it has; kept as they change, never counted.
    public var total: Int
    /// Grows with every change of the directory, and is never used again for another state of it or of any other.
    public var generation: Int64
    /// What it is, in a sentence or two; empty for nothing.
    public var description = ""
    public var terms = Terms()
    /// Whether it is the one meant where nobody says which. Where none is, that is the first one made.
    public var isDefault = false
    /// When an import was last at its end or changed something, in seconds since 1970; `nil` where that is not known.
    public var importedAt: Int64?
    /// What its people can be chosen by.
    public var facets: [FacetCounts] = []
    /// Tells the database that this was read from apart from any that was in its place before: a restored copy gives out
    /// the same generations again.
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
}

/// A directory's name in URLs and commands: 1 to 64 of `a–z`, `0–9`, `-` and `_`, starting with a letter or digit.
public struct Slug: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// `nil` if `text` is no slug.
    public init?(_ text: some StringProtocol) {
        let isLetterOrDigit = { (byte: UInt8) in (97...122).contains(byte) || (48...57).contains(byte) }
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isLetterOrDigit(first),
            text.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.text = String(text)
    }

    public var description: String { text }

    /// What people call the directory if its publisher says `title`. A directory has a title: where that is blank, it is
    /// called as in URLs.
    public func title(_ title: String) -> String {
        title.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? text : title
    }

    /// A slug written in the program itself; a literal that is none is a mistake of the program.
    public init(literal: StaticString) {
        guard let slug = Slug("\(literal)") else { preconditionFailure("“\(literal)” is no slug") }
        self = slug
    }
}
