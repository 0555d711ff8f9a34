/// The result of parsing the bytes received so far.
public enum ParseResult: Equatable, Sendable {
    case needsMoreBytes
    /// A complete head, which is the first `consumed` bytes; its body follows.
    case request(consumed: Int)
    /// The request is invalid, and the bytes after it cannot be interpreted: the server responds and closes the
    /// connection.
    case rejected(RejectedRequest)
}
