import HTTPClient

/// What is wrong with a directory: where that was seen, what was expected and what was found.
public struct CheckFault: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// Seen in the answer to `address`.
    init(at address: WebAddress, _ description: String) { self.init("\(address.target): \(description)") }
}

/// What an answer lacks to be a page of users; whoever asked knows the address.
struct UnreadablePage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
