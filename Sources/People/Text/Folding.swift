import Foundation

extension String {
    /// The form in which logins, names and search words are compared and sorted: without case, and in normal form C, so
    /// that letters match whether they were typed as one code point or several.
    ///
    /// It is lowercased, uppercased and lowercased again: only that makes `ẞ`, `ß` and `ss` equal, and `ς` and `σ`.
    public var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        return precomposedStringWithCanonicalMapping.lowercased().uppercased().lowercased()
            .precomposedStringWithCanonicalMapping
    }
}
