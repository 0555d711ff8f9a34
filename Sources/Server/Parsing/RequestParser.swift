import Base

/// Parses request heads from raw bytes, in place (RFC 9112 §2 to §6).
///
/// It reads from left to right, and the first invalid byte decides the outcome, however the bytes were split on their
/// way. It keeps no state between calls: an incomplete head is parsed again when more bytes arrive. For the 16 KiB of a
/// head, that costs less than the system call that received them.
public struct RequestParser: Sendable {
    /// The limits above which a head is rejected.
    public struct Limits: Equatable, Sendable {
        /// 8,000 bytes, the minimum that RFC 9112 §3 recommends. A longer target gets 414.
        public var maxTargetBytes = 8000
        /// 16 KiB for the whole head: twice the longest request line. A longer head gets 431.
        public var maxHeadBytes = 16 * 1024
        /// A request with more field lines gets 431. Browsers send about 20, proxies add a few. Apache has the same
        /// limit.
        public var maxFields = 100

        public init() {}
    }

    public let limits: Limits

    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Parses one head from the start of `bytes` into `head`, whose memory is reused.
    ///
    /// After a rejection, `head` holds the parts that were parsed before the error, possibly the method and the target.
    public func parse(_ bytes: UnsafeRawBufferPointer, into head: inout RequestHead) -> ParseResult {
        head.reset()
        let window = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, limits.maxHeadBytes)])
        var scanner = HeadScanner(bytes: window, limits: limits)
        do throws(HeadScanner.Stop) {
            try scanner.scan(into: &head)
            return .request(consumed: scanner.position)
        } catch {
            switch error {
            case .needsMoreBytes:
                guard bytes.count > limits.maxHeadBytes else { return .needsMoreBytes }
                return .rejected(
                    RejectedRequest(
                        .requestHeaderFieldsTooLarge, "The request head is longer than \(limits.maxHeadBytes) bytes.",
                        target: [UInt8](bytes[head.target])))
            case .refused(let status, let reason):
                return .rejected(RejectedRequest(status, reason, target: [UInt8](bytes[head.target])))
            }
        }
    }
}

extension RequestHead {
    /// Clears everything and keeps the memory of `fields`.
    mutating func reset() {
        method = .unknown
        methodName = .empty
        version = .http11
        target = .empty
        path = .empty
        query = nil
        authority = nil
        requestID = nil
        traceParent = nil
        forwardedScheme = nil
        fields.removeAll(keepingCapacity: true)
        framing = .none
        expectsContinue = false
        keepsAlive = true
    }
}

/// One pass over the bytes of a head.
struct HeadScanner {
    enum Stop: Error {
        case needsMoreBytes
        case refused(Status, String)
    }

    let bytes: UnsafeRawBufferPointer
    let limits: RequestParser.Limits
    var position = 0

    init(bytes: UnsafeRawBufferPointer, limits: RequestParser.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func scan(into head: inout RequestHead) throws(Stop) {
        try skipEmptyLines()
        try scanMethod(into: &head)
        try scanTarget(into: &head)
        try scanVersion(into: &head)
        try scanFields(into: &head)
    }

    /// The byte at `position`.
    @inline(__always) func byte() throws(Stop) -> UInt8 {
        guard position < bytes.count else { throw .needsMoreBytes }
        return bytes[position]
    }

    /// Consumes the CR LF at `position`.
    ///
    /// Both are required: some recipients treat a lone CR or LF as the end of a line and some do not (RFC 9112 §2.2),
    /// and that allows requests to be smuggled past a proxy.
    @inline(__always) mutating func takeLineEnd() throws(Stop) {
        guard try byte() == .carriageReturn else { throw .bad("A line must end in CR LF.") }
        position += 1
        guard try byte() == .lineFeed else {
            throw .bad("A line must end in CR LF, and a CR must not appear elsewhere.")
        }
        position += 1
    }

    /// Skips empty lines before a request. A server should accept at least one, for old clients (RFC 9112 §2.2); four
    /// are enough.
    private mutating func skipEmptyLines() throws(Stop) {
        var lines = 0
        while try byte() == .carriageReturn {
            lines += 1
            if lines > 4 { throw .bad("Too many empty lines precede the request line.") }
            try takeLineEnd()
        }
    }
}

extension HeadScanner.Stop {
    static func bad(_ reason: String) -> Self { .refused(.badRequest, reason) }
}

/// The result of parsing the bytes received so far.
public enum ParseResult: Equatable, Sendable {
    case needsMoreBytes
    /// A complete head, which is the first `consumed` bytes; its body follows.
    case request(consumed: Int)
    /// The request is invalid, and the bytes after it cannot be interpreted: the server responds and closes the
    /// connection.
    case rejected(RejectedRequest)
}
