extension String {
    /// Returns the text on one line: its lines without indentation, with `separator` between them.
    public func joiningLines(with separator: String) -> String {
        let lines = split(whereSeparator: \.isNewline).map { String($0).trimmed }
        return lines.filter { !$0.isEmpty }.joined(separator: separator)
    }
}
