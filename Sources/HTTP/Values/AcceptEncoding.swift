import Bytes

/// The content codings that a client accepts (RFC 9110 §12.5.3).
public struct AcceptEncoding: Equatable, Sendable {
    /// Weights in thousandths; `nil` if the request does not mention the coding.
    private var gzip: Int?
    private var identity: Int?
    private var others: Int?

    /// Creates the value of a request without the field: the response is not compressed. RFC 9110 would allow any
    /// coding, but clients that want one ask for it.
    public init() {}

    public init(_ request: Request) {
        var accepted = Self()
        request.forEachValue(of: "accept-encoding") { accepted.note($0) }
        self = accepted
    }

    /// Whether the response may be compressed with gzip.
    public var acceptsGzip: Bool { (gzip ?? others ?? 0) > 0 }

    /// Whether the response may be sent uncompressed: yes, unless the field has `identity;q=0`, or `*;q=0` without
    /// `identity`.
    public var acceptsIdentity: Bool { (identity ?? others ?? 1) > 0 }

    /// Whether the response should be compressed: gzip is accepted and its weight is not below that of `identity`.
    public var prefersGzip: Bool { acceptsGzip && (gzip ?? others ?? 0) >= (identity ?? 0) }

    /// Adds one field line.
    public mutating func note(_ value: UnsafeRawBufferPointer) {
        value.forEachListElement { element in
            note(element: element)
            return true
        }
    }

    /// Adds one coding and its weight, if it has one. An element that is not well-formed is ignored.
    private mutating func note(element: UnsafeRawBufferPointer) {
        guard let (coding, weight) = element.weighted else { return }
        if coding.equals(ignoringCase: "gzip") || coding.equals(ignoringCase: "x-gzip") {
            gzip = max(gzip ?? 0, weight)
        } else if coding.equals(ignoringCase: "identity") {
            identity = weight
        } else if coding.equals("*") {
            others = weight
        }
    }
}
