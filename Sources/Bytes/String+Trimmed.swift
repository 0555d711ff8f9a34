extension String {
    /// The text without the white space around it. Compares scalars: a space with an accent after it is one
    /// `Character`, which is not white space.
    public var trimmed: String {
        let isWhitespace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        guard let first = unicodeScalars.firstIndex(where: { !isWhitespace($0) }),
            let last = unicodeScalars.lastIndex(where: { !isWhitespace($0) })
        else { return "" }
        return String(unicodeScalars[first...last])
    }
}
