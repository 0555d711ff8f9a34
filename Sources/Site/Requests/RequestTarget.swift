import Base
import Server

// The target of a request, which is its path and query as received: percent-encoded, or not as it should be.

extension Bytes {
    /// Whether a page can link to this target.
    var isLinkableTarget: Bool { first == UInt8(ascii: "/") && count <= 2000 }

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
    /// Appends a target with another name for a parameter, or without it.
    func append(target: Bytes, naming old: String, _ new: String?) {
        let mark = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        append(percentEncodingUnsafe: target[..<mark])
        var query = QueryWriter(self)
        for item in QueryItems(target[mark...].dropFirst(), scratch: ByteBuffer(capacity: 256)).all {
            guard let value = item.value, let name = item.name == old ? new : item.name else { continue }
            query.add(name, value)
        }
    }

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
