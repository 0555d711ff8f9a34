import Bytes

/// A request as its handler sees it: a view of bytes that the connection owns.
///
/// Everything in it is valid only until the handler returns; what is needed later must be copied out. That is the price
/// of making no `String`, `Data` or dictionary per request, which together cost more than the kernel does.
public struct Request {
    /// The received bytes that `head` was parsed from.
    public let bytes: UnsafeRawBufferPointer
    public let head: RequestHead
    /// Whether it came over this machine's own loopback network.
    public let isFromLoopback: Bool
    /// Whether it came from a proxy whose `X-Forwarded-Proto` is believed.
    public let isFromTrustedProxy: Bool

    public init(
        bytes: UnsafeRawBufferPointer, head: RequestHead, isFromLoopback: Bool = false, isFromTrustedProxy: Bool = false
    ) {
        self.bytes = bytes
        self.head = head
        self.isFromLoopback = isFromLoopback
        self.isFromTrustedProxy = isFromTrustedProxy
    }

    /// The scheme of the address that the client asked for, as far as it is known here: connections are plain http, and a
    /// trusted proxy may say that its client's was not.
    public var scheme: Scheme { isFromTrustedProxy ? head.forwardedScheme ?? .http : .http }

    public var method: Method { head.method }

    /// Path and query as received, in origin form: what absolute form (RFC 9112 §3.2.2) put before them is gone.
    public var target: UnsafeRawBufferPointer { bytes[head.target] }

    /// The target up to its `?`, still percent-encoded.
    public var path: UnsafeRawBufferPointer { bytes[head.path] }

    /// The target after its `?`, still percent-encoded; `nil` without one.
    public var query: UnsafeRawBufferPointer? { head.query.map { bytes[$0] } }

    /// Host and port the client asked for: from the absolute-form target, else from `Host`; `nil` where HTTP/1.0 gave none.
    public var authority: UnsafeRawBufferPointer? { head.authority.map { bytes[$0] } }

    /// The id that a client or proxy gave it in `X-Request-Id`: 1 to 128 letters, digits and `-._~:+/=@`. Anything else counts as
    /// none.
    public var id: UnsafeRawBufferPointer? { head.requestID.map { bytes[$0] } }

    /// The value of the first line of field `name` (in lower case), without surrounding white space.
    public func value(of name: StaticString) -> UnsafeRawBufferPointer? {
        for field in head.fields where bytes[field.name].equals(ignoringCase: name) { return bytes[field.value] }
        return nil
    }

    /// Calls `body` with the value of every line of field `name` (in lower case), in order.
    public func forEachValue(of name: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        for field in head.fields where bytes[field.name].equals(ignoringCase: name) { body(bytes[field.value]) }
    }
}

@available(*, unavailable)
extension Request: Sendable {}

/// What a request's head says, as places in the bytes it was parsed from: all slices are relative to the first of them.
public struct RequestHead: Equatable, Sendable {
    /// A field line.
    public struct Field: Equatable, Sendable {
        public var name: Slice
        public var value: Slice
    }

    /// How the body ends (RFC 9112 §6.3).
    public enum Framing: Equatable, Sendable {
        case none
        case length(Int)
        case chunked
    }

    public var method: Method = .get
    /// The method as it was written.
    public var methodName: Slice = .empty
    public var version: Version = .http11
    public var target: Slice = .empty
    public var path: Slice = .empty
    public var query: Slice?
    public var authority: Slice?
    /// `X-Request-Id`, if it is well-formed.
    public var requestID: Slice?
    /// `X-Forwarded-Proto`, if there is one and it is `http` or `https`.
    public var forwardedScheme: Scheme?
    public var fields: [Field] = []
    public var framing: Framing = .none
    /// `Expect: 100-continue` (RFC 9110 §10.1.1) from an HTTP/1.1 client.
    public var expectsContinue = false
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    public var keepsAlive = true

    public init() {}
}

/// The methods this server tells apart (RFC 9110 §9).
public enum Method: Equatable, Sendable {
    case get, head, options
    /// A registered method that nothing here answers: 405.
    case unsupported
    /// A method nobody has heard of: 501 (RFC 9110 §9.1).
    case unknown
}

/// The schemes of URLs that this server is reached by.
public enum Scheme: Equatable, Sendable {
    case http, https
}

public enum Version: Equatable, Sendable {
    case http10, http11
}
