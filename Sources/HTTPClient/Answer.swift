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
