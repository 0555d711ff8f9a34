import Directories

/// The values of one user: a byte for each facet, the first one lowest, with the value's number or 0.
struct UserFacets: Equatable, Sendable {
    var bits: Int64 = 0
    /// There is room for no more.
    static let most = 8

    subscript(facet: Facet) -> Int64 {
        get { bits >> Int64(8 * facet.rawValue) & 0xFF }
        set { bits = bits & ~(0xFF << Int64(8 * facet.rawValue)) | newValue << Int64(8 * facet.rawValue) }
    }

    /// Those that `other` does not have.
    func subtracting(_ other: UserFacets) -> UserFacets {
        var rest = UserFacets()
        forEach { facet, number in
            if other[facet] != number { rest[facet] = number }
        }
        return rest
    }

    @inline(__always) func forEach(_ body: (Facet, Int64) -> Void) {
        var rest = bits
        while rest != 0 {
            // Not all cases in a list: that would be made anew for each user.
            let byte = rest.trailingZeroBitCount / 8
            guard let facet = Facet(rawValue: byte) else { return }
            body(facet, self[facet])
            rest &= ~(0xFF << Int64(8 * byte))
        }
    }
}

extension NGram {
    /// A character that no text has, third of three: see ``init(_:_:)``.
    private static let facetMark: UInt64 = 0x1F_FFFF

    /// Stands for a value of a facet, so that the index finds who has it as it finds a word.
    init(_ facet: Facet, _ number: Int64) {
        self.init(code: Self.facetMark << 42 | UInt64(facet.rawValue) << 8 | UInt64(number))
    }

    var isFacet: Bool { code >> 42 == Self.facetMark }
}
