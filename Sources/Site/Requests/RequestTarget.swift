import Base
import Server

/// The path and query of a request as received: percent-encoded, or not as it should be.
struct RequestTarget: ~Escapable {
    private let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Whether a page can link to it.
    var isLink: Bool { bytes.first == UInt8(ascii: "/") && bytes.count <= 2000 }

    func queryItem(_ name: StaticString) -> String? { bytes.queryItem(name) }

    func append(to buffer: ByteBuffer) { buffer.append(percentEncodingUnsafe: bytes) }

    /// Appends the target with another name for a parameter, or without it.
    func append(naming old: String, _ new: String?, to buffer: ByteBuffer) {
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        buffer.append(percentEncodingUnsafe: bytes[..<mark])
        var query = QueryWriter(buffer)
        for item in QueryItems(bytes[mark...].dropFirst(), scratch: ByteBuffer(capacity: 256)).all {
            guard let value = item.value, let name = item.name == old ? new : item.name else { continue }
            query.add(name, value)
        }
    }
}

extension Bytes {
    /// Returns the value of the last query item of this name in this target, still percent-encoded, or `nil` if it has
    /// no such item.
    func queryItem(_ name: StaticString) -> String? {
        guard let mark = firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var found: String?
        forEachQueryItem(in: self[(mark + 1)...]) { item, value in
            if item.equals(name) { found = String(value) }
        }
        return found
    }
}

extension ByteBuffer {
    /// Appends a target as received, with the bytes that a URL must not contain percent-encoded: quotes and bytes
    /// outside ASCII.
    ///
    /// Two slashes at the start would name another host, so one is left.
    func append(percentEncodingUnsafe target: Bytes) {
        append("/")
        let path = target.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        for index in path.indices {
            switch path[index] {
            case 0x21...0x7e where ![0x22, 0x3c, 0x3e, 0x5c].contains(path[index]): append(path[index])
            default: append(percentEncoding: path[index..<(index + 1)])
            }
        }
    }
}
