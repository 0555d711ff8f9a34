/// What the bytes received so far amount to.
public enum ParseResult: Equatable, Sendable {
    case needsMoreBytes
    /// A whole head, which took the first `consumed` bytes; its body follows.
    case request(consumed: Int)
    /// Nothing that follows on this connection can be understood: it is answered and closed.
    case rejected(RejectedRequest)
}
