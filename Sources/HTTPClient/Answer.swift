import Base
import Foundation

/// A request to a server.
public struct ClientRequest: Sendable {
    public var address: WebAddress
    public var fields: [(name: String, value: String)]

    public init(_ address: WebAddress, fields: [(name: String, value: String)] = []) {
        self.address = address
        self.fields = fields
    }
}

/// A server's response, complete and decompressed.
public struct ClientAnswer: Sendable {
    public var status: Int
    /// The fields, with names in lower case. The values of several lines with one name are joined with commas (RFC 9110
    /// §5.3).
    public var fields: [String: String]
    public var body: [UInt8]
    /// The number of body bytes received, before decompression.
    public var received: Int
    /// The address of the server, in the form that ``PublicAddress`` takes; `nil` if only a proxy knows it.
    public var server: UInt128?

    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = [], received: Int? = nil) {
        self.status = status
        self.fields = fields
        self.body = body
        self.received = received ?? body.count
    }
}

/// The reason why a request got no response.
public enum ClientError: Error, Equatable, CustomStringConvertible {
    /// The connection could not be made, or ended early; the text gives the reason.
    case lost(String)
    /// The server took longer than the time limit.
    case slow(String)
    /// The response is longer than the limit.
    case tooLarge(limit: Int)
    /// A header field is too long, or all of them together are.
    case headTooLarge(limit: Int)
    /// The server must not be asked; the text names its host and gives the reason.
    case refused(String)

    /// Whether the host, or the way to it, did not work: another request may succeed.
    public var isOfHost: Bool {
        switch self {
        case .lost, .slow: true
        case .tooLarge, .headTooLarge, .refused: false
        }
    }

    public var description: String {
        switch self {
        case .lost(let how), .slow(let how), .refused(let how): how
        case .tooLarge(let limit): "expected an answer of at most \(limit >> 20) MiB, found a longer one"
        case .headTooLarge(let limit):
            "expected an answer whose fields are at most 100 KiB each and \(limit >> 10) KiB together, "
                + "found longer ones"
        }
    }
}

/// Fetches the response to one request: over a connection, or, in a test, from anywhere.
public typealias Fetch = (_ request: ClientRequest, _ whileWaiting: @escaping () throws -> Void) throws -> ClientAnswer

extension ClientAnswer {
    /// Returns the end of the pause in `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3); `nil` if the field is
    /// missing or the pause is over.
    public func retryAfter(now: Date) -> Date? { pauseEnd(now: now).flatMap { $0 > now ? $0 : nil } }

    /// Returns the end of the pause in `Retry-After`, even if it is past.
    public func pauseEnd(now: Date) -> Date? {
        guard let text = fields["retry-after"] else { return nil }
        return Int(text).map { now.addingTimeInterval(TimeInterval(max(min($0, Self.maxSeconds), 0))) }
            ?? Self.date(text).map { here($0, now: now) }
    }

    /// Converts `moment` from the server's clock to this one: what counts is the time until then.
    public func here(_ moment: Date, now: Date) -> Date {
        guard let sent = fields["date"].flatMap(Self.date) else { return moment }
        return now.addingTimeInterval(moment.timeIntervalSince(sent))
    }

    /// A hundred years. A longer time is invalid, and would not fit a date.
    public static let maxSeconds = 3_155_760_000

    private static func date(_ text: String) -> Date? {
        Array(text.utf8).withUnsafeBytes { HTTPDate($0) }
            .map { Date(timeIntervalSince1970: TimeInterval($0.secondsSince1970)) }
    }
}
