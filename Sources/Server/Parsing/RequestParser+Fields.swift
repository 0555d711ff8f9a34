import Base

/// `*( field-line CRLF ) CRLF` (RFC 9112 §5).
extension HeadScanner {
    mutating func scanFields(into head: inout RequestHead) throws(Stop) {
        var rules = FieldRules()
        while try byte() != .carriageReturn {
            if head.fields.count == limits.maxFields {
                throw .refused(.requestHeaderFieldsTooLarge, "The request has more than \(limits.maxFields) fields.")
            }
            let name = try scanFieldName()
            let value = try scanFieldValue()
            head.fields.append(.init(name: name, value: value))
            try rules.note(name: bytes[name], value: bytes[value], at: value, in: &head)
        }
        try takeLineEnd()
        try rules.finish(&head)
    }

    private mutating func scanFieldName() throws(Stop) -> ByteSlice {
        let start = position
        // Counting in a local variable halves the cost.
        var end = start
        while end + 8 <= bytes.count {
            let others = Self.others(in: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            if others != 0 {
                end += others.trailingZeroBitCount / 8
                break
            }
            end += 8
        }
        while end < bytes.count, bytes[end].isTokenCharacter { end += 1 }
        position = end
        let byte = try byte()
        // §5.1: white space before the colon must be rejected. §5.2: a line that starts with it is folded, which is
        // obsolete.
        if byte.isBlank {
            throw .bad(
                position == start
                    ? "A field must not be folded over several lines."
                    : "The colon must follow the field name directly.")
        }
        guard byte == UInt8(ascii: ":"), position > start else {
            throw .bad("A field must be a name, a colon and a value.")
        }
        position += 1
        return ByteSlice(start..<(position - 1))
    }

    /// Returns the highest bit of each of eight bytes that is neither a letter nor a hyphen. Most names have no others.
    @inline(__always) private static func others(in bytes: UInt64) -> UInt64 {
        let eight = UInt64(littleEndian: bytes)
        let lowercase = eight | 0x2020_2020_2020_2020
        let expected = lowercase.bytes(from: "a", to: "z") | eight.bytes(from: "-", to: "-")
        return ~expected & 0x8080_8080_8080_8080
    }

    private mutating func scanFieldValue() throws(Stop) -> ByteSlice {
        while try byte().isBlank { position += 1 }
        let start = position
        try skipFieldCharacters()
        guard bytes[position] == .carriageReturn else {
            throw .bad("A field value must not hold control characters, and its line must end in CR LF.")
        }
        var end = position
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        try takeLineEnd()
        return ByteSlice(start..<end)
    }

    /// Skips to the first byte that no field value may contain, eight bytes at a time where possible.
    private mutating func skipFieldCharacters() throws(Stop) {
        while true {
            while position + 8 <= bytes.count {
                let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                let controls = eight.bytesThatAreControls
                if controls != 0 {
                    position += controls.trailingZeroBitCount / 8
                    break
                }
                position += 8
            }
            guard try byte().isFieldCharacter else { return }
            position += 1
        }
    }
}

/// Interprets the fields that affect the target, the framing and the connection, and rejects invalid ones.
///
/// Request smuggling exploits framing (RFC 9112 §6): a message whose end is ambiguous is rejected, never repaired.
struct FieldRules {
    private var seesHost = false
    /// Whether `Transfer-Encoding` ends in chunked, and whether it lists other codings (RFC 9112 §6.1, §7).
    private var isChunked = false
    private var hasOtherCodings = false
    private var closes = false
    private var asksKeepAlive = false
    private var seesForwardedScheme = false

    mutating func note(
        name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, at place: ByteSlice, in head: inout RequestHead
    ) throws(HeadScanner.Stop) {
        switch name.count {
        case 4 where name.equals(ignoringCase: "host"): try noteHost(value, at: place, in: &head)
        case 6 where name.equals(ignoringCase: "expect"): try noteExpectation(value, in: &head)
        case 10 where name.equals(ignoringCase: "connection"): noteConnection(value)
        case 12 where name.equals(ignoringCase: "x-request-id"):
            if head.requestID == nil, value.isRequestID { head.requestID = place }
        case 14 where name.equals(ignoringCase: "content-length"): try noteContentLength(value, in: &head)
        case 17 where name.equals(ignoringCase: "transfer-encoding"): try noteTransferEncoding(value, in: &head)
        case 17 where name.equals(ignoringCase: "x-forwarded-proto"): noteForwardedScheme(value, in: &head)
        default: break
        }
    }

    /// Applies the rules that need the whole head.
    func finish(_ head: inout RequestHead) throws(HeadScanner.Stop) {
        // RFC 9112 §3.2: an HTTP/1.1 request without Host is rejected.
        if head.version == .http11, !seesHost { throw .bad("A request must have a Host field.") }
        if hasOtherCodings {
            throw isChunked
                ? .refused(.notImplemented, "The only supported transfer coding is chunked.")
                // §6.3: unless chunked is the last coding, the length of a request cannot be known.
                : .bad("The last coding in Transfer-Encoding must be chunked.")
        }
        if isChunked { head.framing = .chunked }
        // RFC 9112 §9.3
        head.keepsAlive = !closes && (head.version == .http11 || asksKeepAlive)
    }

    /// RFC 9112 §3.2: more than one Host field, or an invalid one, is rejected. An empty one means that the authority
    /// is absent.
    private mutating func noteHost(
        _ value: UnsafeRawBufferPointer, at place: ByteSlice, in head: inout RequestHead
    ) throws(HeadScanner.Stop) {
        if seesHost { throw .bad("A request must have only one Host field.") }
        seesHost = true
        guard !value.isEmpty else { return }
        guard Authority.isValid(value) else {
            throw .bad("Host must be a host name or address, optionally with a port.")
        }
        if head.authority == nil { head.authority = place }
    }

    /// RFC 9110 §10.1.1; HTTP/1.0 has no interim responses.
    private func noteExpectation(
        _ value: UnsafeRawBufferPointer, in head: inout RequestHead
    ) throws(HeadScanner.Stop) {
        if value.equals(ignoringCase: "100-continue") {
            head.expectsContinue = head.version == .http11
        } else if !value.isEmpty {
            throw .refused(.expectationFailed, "The only supported expectation is 100-continue.")
        }
    }

    /// One of two words; anything else, and a second line, counts as no such field.
    private mutating func noteForwardedScheme(_ value: UnsafeRawBufferPointer, in head: inout RequestHead) {
        let isFirst = !seesForwardedScheme
        seesForwardedScheme = true
        head.forwardedScheme =
            !isFirst ? nil : value.equals("https") ? .https : value.equals("http") ? .http : nil
    }

    private mutating func noteConnection(_ value: UnsafeRawBufferPointer) {
        value.forEachListElement { option in
            if option.equals(ignoringCase: "close") { closes = true }
            if option.equals(ignoringCase: "keep-alive") { asksKeepAlive = true }
        }
    }

    /// RFC 9112 §6.3: a server may repair a list of equal lengths, but rejecting it shows the client its mistake.
    private mutating func noteContentLength(
        _ value: UnsafeRawBufferPointer, in head: inout RequestHead
    ) throws(HeadScanner.Stop) {
        if head.framing != .none { throw .bad("A request must have only one Content-Length.") }
        if isChunked || hasOtherCodings { throw .ambiguous }
        guard let length = Int(decimalDigits: value) else { throw .bad("Content-Length must be a number of bytes.") }
        head.framing = .length(length)
    }

    private mutating func noteTransferEncoding(
        _ value: UnsafeRawBufferPointer, in head: inout RequestHead
    ) throws(HeadScanner.Stop) {
        // §6.1: in HTTP/1.0, the framing of such a message must be treated as faulty.
        if head.version == .http10 { throw .bad("HTTP/1.0 has no Transfer-Encoding.") }
        if head.framing != .none { throw .ambiguous }
        try value.forEachListElement { (coding) throws(HeadScanner.Stop) in try note(coding: coding) }
    }

    /// A coding after chunked, even chunked itself, would leave the body without a known end.
    private mutating func note(coding: UnsafeRawBufferPointer) throws(HeadScanner.Stop) {
        if isChunked { throw .bad("In Transfer-Encoding, chunked must be the last coding and appear once.") }
        guard let first = coding.first, first.isTokenCharacter else {
            throw .bad("Transfer-Encoding must be a list of codings.")
        }
        if coding.equals(ignoringCase: "chunked") { isChunked = true } else { hasOtherCodings = true }
    }
}

extension HeadScanner.Stop {
    fileprivate static var ambiguous: Self {
        .bad("A request must not have both Transfer-Encoding and Content-Length.")
    }
}
