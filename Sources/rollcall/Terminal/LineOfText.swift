import ArgumentParser
import Base

/// Throws unless `text`, the value of `option`, is one line of at most 1,000 characters, fit for pages and terminals.
func expectLine(_ text: String?, of option: String) throws {
    let scalars = (text ?? "").unicodeScalars
    if scalars.contains(where: \.breaksLine) {
        throw ValidationError("\(option): expected a line of text, found control characters or line breaks")
    }
    if text?.isDeceptive == true {
        throw ValidationError(
            "\(option): expected text without characters that change its direction (U+202A to U+202E, U+2066 to U+2069)"
        )
    }
    if scalars.count > 1000 {
        throw ValidationError("\(option): expected at most 1,000 characters, found \(grouped(scalars.count))")
    }
}

extension Unicode.Scalar {
    fileprivate var breaksLine: Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}
