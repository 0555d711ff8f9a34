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

/// Throws what is wrong unless `holds`.
public func expect(_ holds: Bool, _ wrong: @autoclosure () -> String) throws(RollcallError) {
    if !holds { throw RollcallError(wrong()) }
}

/// Returns the value. If it is missing, throws an error that says what is wrong.
public func required<Value>(_ value: Value?, _ wrong: @autoclosure () -> String) throws(RollcallError) -> Value {
    guard let value else { throw RollcallError(wrong()) }
    return value
}
