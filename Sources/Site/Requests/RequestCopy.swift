import Server

/// A copy of a request, for work that may have to read it again after the handler has returned.
struct RequestCopy: Sendable {
    private let bytes: [UInt8]
    private let head: RequestHead
    private let isFromLoopback: Bool
    private let isFromTrustedProxy: Bool

    init(_ request: Request) {
        bytes = Array(request.bytes)
        head = request.head
        isFromLoopback = request.isFromLoopback
        isFromTrustedProxy = request.isFromTrustedProxy
    }

    /// Calls `body` with the request, which is valid until `body` returns.
    func withRequest<Result>(_ body: (Request) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            try body(
                Request(
                    bytes: bytes, head: head, isFromLoopback: isFromLoopback, isFromTrustedProxy: isFromTrustedProxy))
        }
    }
}
