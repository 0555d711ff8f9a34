import Bytes

/// What the addresses of other services' APIs lead to.
enum CompatibleAPI {
    /// What follows `/2.3`, percent-decoded.
    case stackExchange(String)
    /// What follows `/api/character`, percent-decoded.
    case characters(String)

    /// `nil` for any other path.
    init?(path: UnsafeRawBufferPointer, scratch: ByteBuffer) {
        func text(after prefix: String) -> String? {
            guard let rest = path.removingPrefix(prefix), rest.isEmpty || rest.first == UInt8(ascii: "/") else {
                return nil
            }
            return scratch.decodedText(rest)
        }
        if let rest = text(after: "/2.3") {
            self = .stackExchange(rest)
        } else if let rest = text(after: "/api/character") {
            self = .characters(rest)
        } else {
            return nil
        }
    }
}
