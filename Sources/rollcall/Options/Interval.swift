import ArgumentParser

/// A duration as options take it: `90s`, `15m`, `6h`, `1d`; a number without a letter is seconds.
struct Interval: ExpressibleByArgument, CustomStringConvertible {
    let duration: Duration
    let description: String
}

extension Interval {
    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = argument.last.flatMap { units[$0] }
        // At most a hundred years, so that a date this far ahead is still representable.
        guard let number = Double(unit == nil ? argument[...] : argument.dropLast()), number >= 0,
            number * (unit ?? 1) <= 3_155_760_000
        else { return nil }
        self.init(duration: .seconds(number * (unit ?? 1)), description: argument)
    }
}
