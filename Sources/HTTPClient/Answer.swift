/// What is asked of a server.
public struct ClientRequest: Sendable {
    public var address: WebAddress
    public var fields: [(name: String, value: String)]

    public init(_ address: WebAddress, fields: [(name: String, value: String)] = []) {
        self.address = address
        self.fields = fields
    }
}

/// What a server answered, whole and unpacked.
public struct ClientAnswer: Sendable {
    public var status: Int
    /// Names in lower case; the values of several lines with one name are joined with commas (RFC 9110 §5.3).
    public var fields: [String: String]
    public var body: [UInt8]
    /// How many bytes of body came over the wire.
    public var received: Int

    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = [], received: Int? = nil) {
        self.status = status
        self.fields = fields
        self.body = body
        self.received = received ?? body.count
    }
}

/// Why there is no answer.
public enum ClientError: Error, Equatable, CustomStringConvertible {
    /// The connection did not come about, or ended early; the text says how.
    case lost(String)
    /// The server took longer than it may.
    case slow(String)
    /// The answer has more bytes than are read.
    case tooLarge(limit: Int)
    /// A field of its head is too long, or all of them together are.
    case headTooLarge(limit: Int)

    public var description: String {
        switch self {
        case .lost(let how), .slow(let how): how
        case .tooLarge(let limit): "expected an answer of at most \(limit >> 20) MiB, found a longer one"
        case .headTooLarge(let limit):
            "expected an answer whose fields are at most 100 KiB each and \(limit >> 10) KiB together, found longer ones"
        }
    }
}
