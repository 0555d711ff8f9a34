import Base

/// A request as its handler sees it: a view of bytes that the connection owns.
///
/// It is valid only until the handler returns: copy what you need later. In return, no request needs a `String`, `Data`
/// or dictionary; together, those cost more time than the kernel does.
///
/// ```swift
/// // GET /fragment?since=30 HTTP/1.1
/// request.target  // the bytes of "/fragment?since=30"
/// request.query   // the bytes of "since=30"
/// ```
public struct Request: ~Escapable {
    /// The received bytes that `head` was parsed from.
    public let bytes: Bytes
    /// The parsed head, lent as the bytes are: a request is copied often, and a copy of its head takes time.
    @usableFromInline let headAddress: UnsafePointer<RequestHead>
    /// Whether the request came over the machine's own loopback network.
    public let isFromLoopback: Bool
    /// Whether it came from a proxy whose `X-Forwarded-Proto` is believed.
    public let isFromTrustedProxy: Bool

    /// - Parameter heads: the head, alone.
    @_lifetime(borrow bytes, copy heads)
    public init(
        bytes: UnsafeRawBufferPointer, head heads: Span<RequestHead>, isFromLoopback: Bool = false,
        isFromTrustedProxy: Bool = false
    ) {
        self.bytes = Bytes(_unsafeBytes: bytes)
        guard let address = heads.withUnsafeBufferPointer({ $0.baseAddress }) else {
            preconditionFailure("a request has one head")
        }
        headAddress = address
        self.isFromLoopback = isFromLoopback
        self.isFromTrustedProxy = isFromTrustedProxy
    }

    public var head: RequestHead { @inlinable unsafeAddress { headAddress } }

    /// The scheme of the address that the client asked for, as far as it is known here: connections are plain http, and
    /// a trusted proxy may say that its client's was not.
    public var scheme: Scheme { isFromTrustedProxy ? head.forwardedScheme ?? .http : .http }

    public var method: Method { head.method }

    /// Path and query as received, in origin form: the scheme and authority of an absolute form (RFC 9112 §3.2.2) are
    /// removed.
    public var target: Bytes { @_lifetime(copy self) get { bytes[head.target] } }

    /// The target before its `?`, still percent-encoded.
    public var path: Bytes { @_lifetime(copy self) get { bytes[head.path] } }

    /// The target after its `?`, still percent-encoded, or `nil` if there is no `?`.
    public var query: Bytes? { @_lifetime(copy self) get { part(head.query) } }

    /// Host and port that the client asked for: from the absolute-form target, else from `Host`, or `nil` if an
    /// HTTP/1.0 request has neither.
    public var authority: Bytes? { @_lifetime(copy self) get { part(head.authority) } }

    /// The id that a client or proxy gave the request in `X-Request-Id`. A value that is not well-formed (see
    /// `RequestID`) is ignored.
    public var id: Bytes? { @_lifetime(copy self) get { part(head.requestID) } }

    /// The place of the request in a trace, from `traceparent`. A value that is not well-formed, and one given twice,
    /// are ignored. Read where it is needed: most requests that carry it need it nowhere.
    public var trace: TraceParent? { onlyValue(of: "traceparent")?.withUnsafeBytes { TraceParent($0) } }

    @_lifetime(copy self)
    private func part(_ slice: ByteSlice?) -> Bytes? {
        guard let slice else { return nil }
        return bytes[slice]
    }

    /// Returns the value of the first line of field `name` (in lower case), without surrounding white space.
    @_lifetime(copy self)
    public func value(of name: StaticString) -> Bytes? {
        guard let line = line(of: name) else { return nil }
        return bytes[head.fields[line].value]
    }

    /// Returns the value of a field that is not a list, or `nil` if the field has several lines.
    @_lifetime(copy self)
    func onlyValue(of name: StaticString) -> Bytes? {
        guard let line = line(of: name), self.line(of: name, from: line + 1) == nil else { return nil }
        return bytes[head.fields[line].value]
    }

    /// Calls `body` with the value of every line of field `name` (in lower case), in order.
    public func forEachValue(of name: StaticString, _ body: (Bytes) -> Void) {
        var next = line(of: name)
        while let line = next {
            body(bytes[head.fields[line].value])
            next = self.line(of: name, from: line + 1)
        }
    }

    /// Whether there is a line of field `name` (in lower case).
    public func has(_ name: StaticString) -> Bool { line(of: name) != nil }

    /// The index of the first line of field `name` at `start` or later.
    private func line(of name: StaticString, from start: Int = 0) -> Int? {
        var line = start
        while line < head.fields.count {
            // Most names differ in length.
            let found = head.fields[line].name
            if found.count == name.utf8CodeUnitCount, bytes[found].equals(ignoringCase: name) { return line }
            line += 1
        }
        return nil
    }
}

@available(*, unavailable)
extension Request: Sendable {}

/// A copy of a request, for work that needs it after the responder has returned.
public struct RequestCopy: Sendable {
    private let bytes: [UInt8]
    private let heads: [RequestHead]
    private let isFromLoopback: Bool
    private let isFromTrustedProxy: Bool

    public init(_ request: Request) {
        bytes = [UInt8](request.bytes)
        heads = [request.headAddress.pointee]
        isFromLoopback = request.isFromLoopback
        isFromTrustedProxy = request.isFromTrustedProxy
    }

    /// Calls `body` with the request, which is valid until `body` returns.
    public func withRequest<Result>(_ body: (Request) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            try body(
                Request(
                    bytes: bytes, head: heads.span, isFromLoopback: isFromLoopback,
                    isFromTrustedProxy: isFromTrustedProxy))
        }
    }
}

/// The parsed head of a request. All slices are relative to the first of the bytes it was parsed from.
public struct RequestHead: Equatable, Sendable {
    /// A field line.
    public struct Field: Equatable, Sendable {
        public var name: ByteSlice
        public var value: ByteSlice
    }

    /// How the end of the body is found (RFC 9112 §6.3).
    public enum Framing: Equatable, Sendable {
        case none
        case length(Int)
        case chunked
    }

    public var method: Method = .get
    /// The method as the client wrote it.
    public var methodName: ByteSlice = .empty
    public var version: Version = .http11
    public var target: ByteSlice = .empty
    public var path: ByteSlice = .empty
    public var query: ByteSlice?
    public var authority: ByteSlice?
    /// The value of `X-Request-Id`, if it is well-formed.
    public var requestID: ByteSlice?
    /// `X-Forwarded-Proto`, if there is one and it is `http` or `https`.
    public var forwardedScheme: Scheme?
    public var fields: [Field] = []
    public var framing: Framing = .none
    /// Whether an HTTP/1.1 client sent `Expect: 100-continue` (RFC 9110 §10.1.1).
    public var expectsContinue = false
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    public var keepsAlive = true

    public init() {}
}

/// The methods that this server distinguishes (RFC 9110 §9).
public enum Method: Equatable, Sendable {
    case get, head, options
    /// A known method that this server does not support: 405.
    case unsupported
    /// An unknown method: 501 (RFC 9110 §9.1).
    case unknown
}

/// The schemes of URLs that this server is reached by.
public enum Scheme: Equatable, Sendable {
    case http, https
}

public enum Version: Equatable, Sendable {
    case http10, http11
}

/// `uri-host [":" port]` (RFC 9110 §7.2, RFC 3986 §3.2.2), as in `Host` and in an absolute target.
enum Authority {
    /// Returns whether `bytes` is a well-formed authority. User information makes it invalid: in an http URL it only
    /// serves to deceive (RFC 9110 §4.2.4).
    static func isValid(_ bytes: UnsafeRawBufferPointer, needsPort: Bool = false) -> Bool {
        guard !bytes.isEmpty else { return false }
        var index = 0
        if bytes[0] == UInt8(ascii: "[") {
            index = 1
            while index < bytes.count, isInAddress(bytes[index]) { index += 1 }
            guard index > 1, index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return false }
            index += 1
        } else {
            while index < bytes.count, isInName(bytes, at: index) { index += 1 }
            guard index > 0 else { return false }
        }
        if index == bytes.count { return !needsPort }
        guard bytes[index] == UInt8(ascii: ":") else { return false }
        let port = UnsafeRawBufferPointer(rebasing: bytes[(index + 1)...])
        // RFC 3986 §3.2.3 allows a colon without a port.
        if port.isEmpty { return !needsPort }
        return UInt16(decimalDigits: port) != nil
    }

    /// The digits, colons and dots of IPv6, and the characters of a future version (`v1.…`) or a zone.
    private static func isInAddress(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || ":.%-".utf8.contains(byte)
    }

    /// `unreserved`, `sub-delims`, or a `%` and its two digits.
    @inline(__always) private static func isInName(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        switch bytes[index] {
        // Most names have no others.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-")...UInt8(ascii: "."),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "%"):
            index + 2 < bytes.count && bytes[index + 1].hexadecimalValue != nil
                && bytes[index + 2].hexadecimalValue != nil
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"): false
        case let byte: byte.isTokenCharacter
        }
    }
}
