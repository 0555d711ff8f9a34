/// The order by relevance: a lower tier comes first, and in a tier the exact matches.
extension SearchMatch: Comparable {
    /// All kinds of matches, best first.
    public static let all = Tier.allCases.flatMap { [SearchMatch($0, isExact: true), SearchMatch($0, isExact: false)] }

    /// The index among ``all``.
    public var rank: Int { tier.rawValue * 2 + (isExact ? 0 : 1) }

    public static func < (left: SearchMatch, right: SearchMatch) -> Bool { left.rank < right.rank }
}
