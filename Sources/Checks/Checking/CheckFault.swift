import HTTPClient

/// An inconsistency in a directory: where it was found, what was expected and what was found.
public struct CheckFault: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// Creates a fault found in the response from `address`.
    init(at address: WebAddress, _ description: String) { self.init("\(address.target): \(description)") }
}

/// The reason why a response is not a page of users. The caller knows the address.
struct UnreadablePage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
