/// A failure that nobody tells from others: a sentence that says what was expected and what was found.
///
/// ```swift
/// throw RollcallError("cannot open /proc/self/statm")
/// ```
///
/// An error of a type of its own is caught apart, or carries more than a sentence.
public struct RollcallError: Error, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
