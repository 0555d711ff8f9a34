import ArgumentParser

extension Option<Int> {
    /// An option that takes a whole number in `range`.
    init(wrappedValue: Int, in range: ClosedRange<Int>, help: ArgumentHelp) {
        // The parser names defaults of options that it reads itself.
        var help = help
        help.abstract += " (default: \(wrappedValue))"
        self.init(wrappedValue: wrappedValue, parsing: .unconditional, help: help) { try range.number($0) }
    }
}

extension Option<Int?> {
    /// An option that takes a whole number in `range`, and has no default.
    init(in range: ClosedRange<Int>, help: ArgumentHelp) {
        self.init(parsing: .unconditional, help: help) { try range.number($0) }
    }
}

extension ClosedRange<Int> {
    /// Reads a number of the range. Throws an error that says which numbers there are.
    fileprivate func number(_ text: String) throws -> Int {
        if let number = Int(text), contains(number) { return number }
        let expected =
            upperBound == .max
            ? "a whole number from \(grouped(lowerBound)) on"
            : "a whole number from \(grouped(lowerBound)) to \(grouped(upperBound))"
        throw ValidationError("expected \(expected)")
    }
}
