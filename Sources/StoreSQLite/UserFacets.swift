import Directories

/// The values of one user: a byte for each facet, the first one lowest, with the value's number or 0.
struct UserFacets: Equatable, Sendable {
    var bits: Int64 = 0

    subscript(facet: Facet) -> Int64 {
        get { bits >> Int64(8 * facet.rawValue) & 0xFF }
        set { bits = bits & ~(0xFF << Int64(8 * facet.rawValue)) | newValue << Int64(8 * facet.rawValue) }
    }

    /// Those that `other` does not have.
    func subtracting(_ other: UserFacets) -> UserFacets {
        var rest = self
        for facet in Facet.allCases where self[facet] == other[facet] { rest[facet] = 0 }
        return rest
    }

    /// Calls `body` with what the search index knows each value by.
    @inline(__always) func forEachGram(_ body: (Gram) -> Void) {
        for facet in Facet.allCases where self[facet] != 0 { body(Gram(facet, self[facet])) }
    }
}

extension Gram {
    /// A character that no text has, third of three: see ``init(_:_:)``.
    private static let facetMark: UInt64 = 0x1F_FFFF

    /// Stands for a value of a facet, so that the index finds who has it as it finds a word.
    init(_ facet: Facet, _ number: Int64) {
        self.init(code: Self.facetMark << 42 | UInt64(facet.rawValue) << 8 | UInt64(number))
    }

    var isFacet: Bool { code >> 42 == Self.facetMark }
}
