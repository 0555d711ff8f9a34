import ArgumentParser
import People

/// Options whose help names their value: `--max <number>`.
extension Option {
    /// An option that may be left out.
    init<Given: ExpressibleByArgument>(
        name: NameSpecification = .long, value: String, help: ArgumentHelp, completion: CompletionKind? = nil
    ) where Value == Given? {
        self.init(name: name, help: help.naming(value), completion: completion)
    }

    /// An option that can be given several times.
    init<Given: ExpressibleByArgument>(
        wrappedValue: [Given], name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue,
        value: String, help: ArgumentHelp
    ) where Value == [Given] {
        self.init(wrappedValue: wrappedValue, name: name, parsing: parsing, help: help.naming(value))
    }
}

extension Option where Value: ExpressibleByArgument {
    init(wrappedValue: Value, value: String, help: ArgumentHelp) {
        self.init(wrappedValue: wrappedValue, help: help.naming(value))
    }

    /// An option that must be given.
    init(value: String, help: ArgumentHelp, completion: CompletionKind) {
        self.init(help: help.naming(value), completion: completion)
    }
}

extension Option<Slug?> {
    /// An option that takes the slug of a directory.
    init(help: ArgumentHelp) { self.init(help: help.naming("slug"), transform: Slug.read) }
}

extension Option<Int> {
    /// An option that takes a whole number in `range`.
    init(wrappedValue: Int, in range: ClosedRange<Int>, value: String? = nil, help: ArgumentHelp) {
        // The parser names defaults of options that it reads itself.
        var help = help.naming(value)
        help.abstract += " (default: \(wrappedValue))"
        self.init(wrappedValue: wrappedValue, parsing: .unconditional, help: help) { try range.number($0) }
    }
}

extension Option<Int?> {
    /// An option that takes a whole number in `range`, and has no default.
    init(in range: ClosedRange<Int>, value: String? = nil, help: ArgumentHelp) {
        self.init(parsing: .unconditional, help: help.naming(value)) { try range.number($0) }
    }
}

extension ArgumentHelp {
    /// Returns the same with a name for the option's value; without one, the option's own name stands for it.
    fileprivate func naming(_ value: String?) -> ArgumentHelp {
        var help = self
        help.valueName = value
        return help
    }
}

extension ClosedRange<Int> {
    /// Reads a number of the range. Throws an error that says which numbers there are.
    fileprivate func number(_ text: String) throws -> Int {
        if let number = Int(text), contains(number) { return number }
        let end = upperBound == .max ? "on" : "to \(grouped(upperBound))"
        throw ValidationError("expected a whole number from \(grouped(lowerBound)) \(end)")
    }
}
