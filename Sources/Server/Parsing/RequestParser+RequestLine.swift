import Base

/// `method SP request-target SP HTTP-version CRLF` (RFC 9112 §3).
extension HeadScanner {
    /// Longer than any registered method.
    private static let maxMethodBytes = 64

    mutating func scanMethod(into head: inout RequestHead) throws(Stop) {
        let start = position
        while try byte().isTokenCharacter {
            position += 1
            // RFC 9112 §3: a method longer than any that the server implements gets 501.
            if position - start > Self.maxMethodBytes {
                throw .refused(.notImplemented, "No known method is that long.")
            }
        }
        guard bytes[position] == .space, position > start else {
            throw .bad("A request line must start with a method and one space.")
        }
        head.methodName = ByteSlice(offset: start, count: position - start)
        head.method = Method(bytes[head.methodName])
        position += 1
    }

    mutating func scanTarget(into head: inout RequestHead) throws(Stop) {
        let start = position
        let form = try TargetForm(first: byte(), isConnect: bytes[head.methodName].equals("CONNECT"))
        guard let form else { throw .bad("A request target must be a path, or a whole http URL.") }
        var mark: Int?
        var end = start
        let limit = min(bytes.count, start + limits.maxTargetBytes + 1)
        while end < limit {
            let byte = bytes[end]
            if byte <= .space || byte == UInt8(ascii: "#") || byte == 0x7F { break }
            if byte == UInt8(ascii: "?"), mark == nil { mark = end }
            end += 1
        }
        position = end
        if end - start > limits.maxTargetBytes {
            // The part read so far decides the format of the error response.
            try form.split(start..<end, queryMark: mark, of: bytes, into: &head)
            throw .refused(.uriTooLong, "The request target is longer than \(limits.maxTargetBytes) bytes.")
        }
        guard try byte() == .space else {
            throw .bad("A request target must not hold control characters or #; percent-encode them.")
        }
        try form.split(start..<position, queryMark: mark, of: bytes, into: &head)
        position += 1
    }

    mutating func scanVersion(into head: inout RequestHead) throws(Stop) {
        let start = position
        for index in 0..<8 {
            let byte = try byte()
            guard index == 5 || index == 7 ? byte.isDigit : byte == Self.versionForm[index] else {
                throw .bad("A request line must end in its HTTP version, such as HTTP/1.1.")
            }
            position += 1
        }
        try takeLineEnd()
        guard bytes[start + 5] == UInt8(ascii: "1") else {
            throw .refused(.httpVersionNotSupported, "This server speaks HTTP/1.1 and HTTP/1.0.")
        }
        // RFC 9110 §2.5: a higher minor version is treated as the highest that the server implements.
        head.version = bytes[start + 7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    private static var versionForm: UnsafePointer<UInt8> { ("HTTP/x.x" as StaticString).utf8Start }
}

extension Method {
    /// Parses a method name. Method names are case-sensitive (RFC 9110 §9.1).
    init(_ name: UnsafeRawBufferPointer) {
        if name.equals("GET") {
            self = .get
        } else if name.equals("HEAD") {
            self = .head
        } else if name.equals("OPTIONS") {
            self = .options
        } else if Self.others.contains(where: { name.equals($0) }) {
            self = .unsupported
        } else {
            self = .unknown
        }
    }

    /// The other methods of RFC 9110 §9.3, PATCH (RFC 5789), and the methods of WebDAV (RFC 4918) and caches.
    private static let others: [StaticString] = [
        "POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "QUERY", "COPY", "LOCK", "MKCOL", "MOVE", "PROPFIND",
        "PROPPATCH", "REPORT", "SEARCH", "UNLOCK",
    ]
}

/// The forms of a request target (RFC 9112 §3.2).
private enum TargetForm {
    case origin, absolute, authority, asterisk

    /// Returns `nil` if no form starts with that byte.
    init?(first: UInt8, isConnect: Bool) {
        switch first {
        case _ where isConnect: self = .authority
        case UInt8(ascii: "/"): self = .origin
        case UInt8(ascii: "*"): self = .asterisk
        case _ where first.isLetter: self = .absolute
        default: return nil
        }
    }

    func split(
        _ target: Range<Int>, queryMark: Int?, of bytes: UnsafeRawBufferPointer, into head: inout RequestHead
    ) throws(HeadScanner.Stop) {
        head.target = ByteSlice(target)
        head.path = ByteSlice(target.lowerBound..<(queryMark ?? target.upperBound))
        head.query = queryMark.map { ByteSlice(($0 + 1)..<target.upperBound) }
        switch self {
        case .origin: break
        case .asterisk:
            guard head.method == .options, target.count == 1 else { throw .bad("Only OPTIONS may have the target *.") }
        case .authority:
            guard Authority.isValid(bytes[head.target], needsPort: true) else {
                throw .bad("The target of CONNECT must be a host and a port.")
            }
            head.authority = head.target
        case .absolute: try splitAbsolute(target, queryMark: queryMark, of: bytes, into: &head)
        }
    }

    /// Splits `http://authority/path?query` (§3.2.2). Its authority takes precedence over `Host`.
    private func splitAbsolute(
        _ target: Range<Int>, queryMark: Int?, of bytes: UnsafeRawBufferPointer, into head: inout RequestHead
    ) throws(HeadScanner.Stop) {
        let schemeCount = bytes[head.target].webSchemeCount
        let start = target.lowerBound + schemeCount
        var end = start
        while end < target.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        let authority = ByteSlice(start..<end)
        guard schemeCount > 0, !authority.isEmpty, Authority.isValid(bytes[authority]) else {
            head.target = .empty
            throw .bad("A request target must be a path, or a whole http URL with a valid host.")
        }
        head.authority = authority
        if end < target.upperBound, bytes[end] == UInt8(ascii: "/") {
            head.target = ByteSlice(end..<target.upperBound)
            head.path = ByteSlice(end..<(queryMark ?? target.upperBound))
        } else {
            // RFC 9110 §4.2.3: an empty path means "/". The slice points at the second slash of "://".
            head.path = ByteSlice(offset: start - 1, count: 1)
            head.target = queryMark.map { ByteSlice($0..<target.upperBound) } ?? head.path
        }
        // RFC 9110 §7.4: a request for an https URL must not be served without TLS. A TLS-terminating proxy sends a
        // path.
        if schemeCount == 8 {
            throw .refused(
                .misdirectedRequest, "An https URL must be requested over TLS, which this server does not speak.")
        }
    }
}

extension ByteSlice {
    init(_ range: Range<Int>) { self.init(offset: range.lowerBound, count: range.count) }
}

/// Calls `body` with every item of a query: `name=value`, separated by `&`, still percent-encoded. Without `=` the
/// value is empty.
///
/// Empty items, as in `a&&b`, are skipped. Nothing is copied.
@inlinable public func forEachQueryItem(
    in query: Bytes, body: (_ name: Bytes, _ value: Bytes) throws -> Void
) rethrows {
    var start = 0
    while start < query.count {
        let end = query.firstIndex(of: UInt8(ascii: "&"), from: start) ?? query.count
        let item = query[start..<end]
        start = end + 1
        if item.isEmpty { continue }
        let split = item.firstIndex(of: UInt8(ascii: "=")) ?? item.count
        try body(item[..<split], item.dropFirst(split + 1))
    }
}

extension ByteBuffer {
    /// Appends `encoded` after percent-decoding it once (RFC 3986 §2.1, §2.4).
    ///
    /// Returns `false` and appends nothing if two hexadecimal digits do not follow a `%`. The decoded bytes may be
    /// anything: the caller must check for NUL and for invalid UTF-8.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in the queries of HTML forms.
    public func append(percentDecoding encoded: Bytes, plusIsSpace: Bool = false) -> Bool {
        let start = count
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            index += 1
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: append(.space)
            case UInt8(ascii: "%"):
                guard index + 1 < encoded.count, let high = encoded[index].hexadecimalValue,
                    let low = encoded[index + 1].hexadecimalValue
                else {
                    truncate(to: start)
                    return false
                }
                append(high << 4 | low)
                index += 2
            default: append(byte)
            }
        }
        return true
    }
}
