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
            let (status, reason): (Status, String)
            switch error {
            case .needsMoreBytes where bytes.count <= limits.maxHeadBytes: return .needsMoreBytes
            case .needsMoreBytes:
                status = .requestHeaderFieldsTooLarge
                reason = "The request head is longer than \(limits.maxHeadBytes) bytes."
            case .refused(let refused, let why): (status, reason) = (refused, why)
            }
            return .rejected(RejectedRequest(status, reason, target: [UInt8](bytes[head.target])))
        }
    }
}

extension RequestHead {
    /// Clears everything and keeps the memory of `fields`.
    mutating func reset() {
        var kept: [Field] = []
        swap(&kept, &fields)
        kept.removeAll(keepingCapacity: true)
        self = RequestHead()
        (method, fields) = (.unknown, kept)
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

/// The classes of octets in the grammars of RFC 9110 and RFC 9112.
extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")

    @inline(__always) var isBlank: Bool { self == .space || self == .tab }
    @inline(__always) var isControl: Bool { self < 0x20 || self == 0x7F }

    /// `tchar` (RFC 9110 §5.6.2), looked up in a bitmap: letters, digits and ``!#$%&'*+-.^_`|~``.
    @inline(__always) var isTokenCharacter: Bool {
        if self < 64 { return (0x03FF_6CFA_0000_0000 as UInt64) >> UInt64(self) & 1 == 1 }
        if self < 128 { return (0x57FF_FFFF_C7FF_FFFE as UInt64) >> UInt64(self & 63) & 1 == 1 }
        return false
    }

    /// `VCHAR`, `obs-text`, space or tab (RFC 9110 §5.5).
    @inline(__always) var isFieldCharacter: Bool { !isControl || self == .tab }
}

extension UnsafeRawBufferPointer {
    /// The bytes without the white space around them.
    var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Calls `body` with every element of a comma-separated list without quoted strings, including empty elements (RFC
    /// 9110 §5.6.1).
    @usableFromInline func forEachListElement<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        for index in 0...count where index == count || self[index] == UInt8(ascii: ",") {
            try body(UnsafeRawBufferPointer(rebasing: self[start..<index]).trimmed)
            start = index + 1
        }
    }
}
