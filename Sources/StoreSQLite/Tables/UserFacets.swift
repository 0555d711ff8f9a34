import Directories
import NGramIndex

/// The values of one user: a byte for each facet, the first one lowest, which is the value's number, or 0 for none.
struct UserFacets: Equatable, Sendable {
    var bits: Int64 = 0

    subscript(facet: Facet) -> Int64 {
        get { bits >> Int64(8 * facet.rawValue) & 0xFF }
        set { bits = bits & ~(0xFF << Int64(8 * facet.rawValue)) | newValue << Int64(8 * facet.rawValue) }
    }

    /// The values as the search index has them.
    var tags: TagSet { TagSet(bits: UInt64(bitPattern: bits)) }

    /// Returns the values that `other` does not have.
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
            // `Facet.allCases` would make an array for each user.
            let byte = rest.trailingZeroBitCount / 8
            guard let facet = Facet(rawValue: byte) else { return }
            body(facet, self[facet])
            rest &= ~(0xFF << Int64(8 * byte))
        }
    }
}

extension NGram {
    /// The tag by which the index finds the users with a value of a facet.
    init(_ facet: Facet, _ number: Int64) {
        self.init(tag: UInt8(truncatingIfNeeded: number), ofKind: facet.rawValue)
    }
}
