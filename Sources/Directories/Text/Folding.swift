import Foundation

extension String {
    /// The form in which logins, names and search words are compared and sorted: without case, and in normal form C, so
    /// that letters typed as one code point or as several meet.
    ///
    /// Lower, upper and lower case, because only that makes `ẞ`, `ß` and `ss`, and `ς` and `σ`, the same.
    public var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        return precomposedStringWithCanonicalMapping.lowercased().uppercased().lowercased()
            .precomposedStringWithCanonicalMapping
    }
}
