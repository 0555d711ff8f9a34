import Bytes

/// Reads request heads from raw bytes, in place (RFC 9112 §2 to §6).
///
/// It goes from left to right, and the first byte that is wrong decides: however the bytes were split on their way, the
/// outcome is the same. It keeps nothing between calls; an incomplete head is read again with what has come in the
/// meantime, which for its 16 KiB costs less than the system call that brought the next byte.
public struct RequestParser: Sendable {
    /// How much of a head is read before it is refused.
    public struct Limits: Equatable, Sendable {
        /// 8,000 bytes, as RFC 9112 §3 recommends at least; more gets 414.
        public var maxTargetBytes = 8000
        /// 16 KiB for the whole head: twice the longest request line; more gets 431.
        public var maxHeadBytes = 16 * 1024
        /// More field lines get 431.
        public var maxFields = 100

        public init() {}
    }

    public var limits: Limits

    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads one head from the start of `bytes` into `head`, whose memory is used again.
    ///
    /// After a rejection `head` holds what was understood before it: the method and the target, perhaps.
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
    /// Forgets everything but the memory for fields.
    mutating func reset() {
        method = .unknown
        methodName = .empty
        version = .http11
        target = .empty
        path = .empty
        query = nil
        authority = nil
        requestID = nil
        forwardedScheme = nil
        fields.removeAll(keepingCapacity: true)
        framing = .none
        expectsContinue = false
        keepsAlive = true
    }
}

/// One walk over the bytes of a head.
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

    /// Takes the line feed that must follow the carriage return at `position`.
    ///
    /// Strictly both: a lone one ends a line for some and not for others (RFC 9112 §2.2), and that is how requests are
    /// smuggled past a proxy.
    @inline(__always) mutating func takeLineEnd() throws(Stop) {
        guard try byte() == .carriageReturn else { throw .bad("A line must end in CR LF.") }
        position += 1
        guard try byte() == .lineFeed else { throw .bad("A line must end in CR LF, and a CR stand nowhere else.") }
        position += 1
    }

    /// Empty lines before a request: at least one is to be expected from old clients (RFC 9112 §2.2), four are enough.
    private mutating func skipEmptyLines() throws(Stop) {
        var lines = 0
        while try byte() == .carriageReturn {
            lines += 1
            if lines > 4 { throw .bad("Too many empty lines stand before the request line.") }
            try takeLineEnd()
        }
    }
}

extension HeadScanner.Stop {
    static func bad(_ reason: String) -> Self { .refused(.badRequest, reason) }
}
