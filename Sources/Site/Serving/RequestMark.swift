import Base
import Logging
import Server

/// The ids of a request in the log line of an error. Others who saw the request can find it by them.
struct RequestMark: Sendable {
    /// The id that a client or proxy gave it.
    var id: String?
    var trace: TraceParent?

    /// No request, or one that could not be parsed.
    static let none = RequestMark()

    private init() {}

    init(_ request: Request) {
        id = request.id.map { String(decoding: $0, as: UTF8.self) }
        trace = request.trace
    }

    func add(to metadata: inout Logger.Metadata) {
        if let id { metadata["request-id"] = "\(id)" }
        guard let trace else { return }
        let buffer = ByteBuffer()
        trace.appendTrace(to: buffer)
        metadata["trace"] = "\(String(buffer))"
        buffer.removeAll()
        trace.appendSpan(to: buffer)
        metadata["span"] = "\(String(buffer))"
    }
}
