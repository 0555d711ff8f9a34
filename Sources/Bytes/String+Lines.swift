extension String {
    /// Returns the lines of the text, without indentation and empty lines, as one line with `separator` between them.
    public func joiningLines(with separator: String) -> String {
        let lines = split(whereSeparator: \.isNewline).map { String($0).trimmed }
        return lines.filter { !$0.isEmpty }.joined(separator: separator)
    }
}
