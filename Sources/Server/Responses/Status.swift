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
