import Base

/// A response that is held in memory whole. Copying one copies references only.
///
/// ```swift
/// var fields = Fields()
/// fields.append("Content-Type", "text/plain; charset=utf-8")
/// Response(fields: fields, body: Response.Body(Array("ok\n".utf8)))
/// ```
public struct Response: Sendable, Equatable {
    public var status: Status
    /// All header fields except those that depend on the connection: `Date`, `Connection` and `Content-Length`.
    public var fields: Fields
    public var body: Body
    /// The stream that is sent instead of `body`, if the body is made piece by piece.
    public var stream: BodyStream?
    /// The body that is sent instead of `body`, if it stays open.
    public var live: LiveBody?
    /// The index, in ``Application/routes``, of the route this response belongs to.
    public var route: UInt8 = 0
    public var origin = Origin.elsewhere
    /// The number of bytes that compressing the body saved.
    public var savedBytes: UInt32 = 0

    public init(_ status: Status = .ok, fields: Fields = Fields(), body: Body = Body([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Where a response is from.
    public enum Origin: Sendable, Equatable {
        case elsewhere, cache
        /// It was made for this request, in stages that took these times.
        case work(ServerTiming)
    }

    /// A range of shared bytes: a page, a file, or the part of a file that a range request asked for.
    public struct Body: Sendable, Equatable {
        public var bytes: [UInt8]
        public var range: Range<Int>

        public init(_ bytes: [UInt8], range: Range<Int>? = nil) {
            self.bytes = bytes
            self.range = range ?? 0..<bytes.count
        }

        public var count: Int { range.count }
    }
}

/// Header field lines, stored in the form in which they are sent.
///
/// The lines are written once, when a page is made, and then copied as bytes into every response that uses the page.
public struct Fields: Sendable, Equatable {
    /// The lines, each as `Name: value\r\n`, one after the other.
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Creates an empty list with room for `capacity` bytes, which saves repeated growth.
    public init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Appends a field line. A value from outside cannot end its line: control characters become spaces (RFC 9110
    /// §5.5).
    public mutating func append(_ name: StaticString, bytes value: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: ":"))
        bytes.append(.space)
        if !value.hasControls {
            bytes.append(contentsOf: value)
        } else {
            bytes.append(contentsOf: value.lazy.map { $0.isFieldCharacter ? $0 : .space })
        }
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
    }

    /// See ``append(_:bytes:)``.
    public mutating func append(_ name: StaticString, bytes value: [UInt8]) {
        value.withUnsafeBytes { append(name, bytes: $0) }
    }

    /// See ``append(_:bytes:)``.
    public mutating func append(_ name: StaticString, bytes value: ByteBuffer) { append(name, bytes: value.bytes) }

    public mutating func append(_ name: StaticString, _ value: some StringProtocol) {
        String(value).withBytes { append(name, bytes: $0) }
    }

    public mutating func append(_ name: StaticString, _ value: StaticString) {
        append(name, bytes: UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    /// Appends an element to the list in the last line.
    public mutating func append(toLast element: StaticString) {
        bytes.removeLast(2)
        bytes.append(UInt8(ascii: ","))
        bytes.append(.space)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: element.utf8Start, count: element.utf8CodeUnitCount))
        bytes.append(.carriageReturn)
        bytes.append(.lineFeed)
    }

    /// Appends a number; nothing without one.
    public mutating func append(_ name: StaticString, _ value: Int?) {
        if let value { append(name, String(value)) }
    }

    public mutating func append(_ other: Fields) {
        bytes.append(contentsOf: other.bytes)
    }

    /// Returns the value of the first line of field `name`, whatever its case. It is slow: use it in tests and for rare
    /// decisions.
    public subscript(name: String) -> String? {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            if line[..<colon].lowercased() == name.lowercased() {
                return String(line[line.index(colon, offsetBy: 2)...])
            }
        }
        return nil
    }
}

/// A status code (RFC 9110 §15).
public struct Status: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let ok = Status(rawValue: 200)
    public static let noContent = Status(rawValue: 204)
    public static let partialContent = Status(rawValue: 206)
    public static let movedPermanently = Status(rawValue: 301)
    public static let notModified = Status(rawValue: 304)
    public static let badRequest = Status(rawValue: 400)
    public static let notFound = Status(rawValue: 404)
    public static let methodNotAllowed = Status(rawValue: 405)
    public static let notAcceptable = Status(rawValue: 406)
    public static let requestTimeout = Status(rawValue: 408)
    public static let preconditionFailed = Status(rawValue: 412)
    public static let contentTooLarge = Status(rawValue: 413)
    public static let uriTooLong = Status(rawValue: 414)
    public static let rangeNotSatisfiable = Status(rawValue: 416)
    public static let expectationFailed = Status(rawValue: 417)
    public static let misdirectedRequest = Status(rawValue: 421)
    public static let requestHeaderFieldsTooLarge = Status(rawValue: 431)
    public static let notImplemented = Status(rawValue: 501)
    public static let serviceUnavailable = Status(rawValue: 503)
    public static let httpVersionNotSupported = Status(rawValue: 505)

    /// The reason phrase. Clients ignore it (RFC 9112 §4), but it helps people who read a trace.
    public var reason: StaticString {
        switch rawValue {
        case 200: "OK"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }

    /// Whether a response with this status never has a body (RFC 9110 §6.4.1).
    public var isBodiless: Bool { (100..<200).contains(rawValue) || rawValue == 204 || rawValue == 304 }
}
