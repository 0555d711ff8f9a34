import Base
import Server

/// The result of parsing some bytes, in text form.
enum Outcome: Equatable {
    case needsMoreBytes
    case request(consumed: Int)
    case rejected(Int)

    init(_ result: ParseResult) {
        switch result {
        case .needsMoreBytes: self = .needsMoreBytes
        case .request(let consumed): self = .request(consumed: consumed)
        case .rejected(let rejection): self = .rejected(rejection.status.rawValue)
        }
    }
}

func parse(_ text: String) -> (outcome: Outcome, head: RequestHead) { parse(Array(text.utf8)) }

func parse(_ bytes: [UInt8]) -> (outcome: Outcome, head: RequestHead) {
    var head = RequestHead()
    let result = bytes.withUnsafeBytes { RequestParser().parse($0, into: &head) }
    return (Outcome(result), head)
}

/// Returns a request with one field line and the lines that every request needs.
func head(_ field: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n" }

extension String {
    subscript(slice: ByteSlice) -> String { String(decoding: Array(utf8)[slice.range], as: UTF8.self) }

    /// Calls `body` with this text parsed as a request.
    func withRequest<Result>(_ body: (Request) -> Result) -> Result {
        let bytes = Array(utf8)
        let heads = [parse(bytes).head]
        return bytes.withUnsafeBytes { body(Request(bytes: $0, head: heads.span)) }
    }
}
