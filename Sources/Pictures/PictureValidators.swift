import Base
import HTTPClient

/// The validators of a picture (RFC 9110 §8.8) as they are stored: with a hash of the URL that sent them. After a
/// redirect leads elsewhere, or another size is asked for, they would describe another picture.
struct PictureValidators: Equatable, Sendable {
    /// The hash and the entity tag, such as `0123456789abcdef "v1"`.
    var etag = ""
    var lastModified = ""
}

extension PictureValidators {
    /// The validators of a response from `address`.
    init(of answer: ClientAnswer, from address: WebAddress) {
        let tag = answer.fields["etag"].flatMap(Self.usable) ?? ""
        lastModified = answer.fields["last-modified"].flatMap(Self.usable) ?? ""
        etag = tag.isEmpty && lastModified.isEmpty ? "" : "\(Self.hash(address)) \(tag)"
    }

    /// The fields of a conditional request to `address`; none if the validators are those of another URL.
    func fields(for address: WebAddress) -> [(name: String, value: String)] {
        let prefix = "\(Self.hash(address)) "
        guard etag.hasPrefix(prefix) else { return [] }
        let tag = String(etag.dropFirst(prefix.count))
        // An entity tag takes precedence (RFC 9110 §13.2.2).
        if !tag.isEmpty { return [("If-None-Match", tag)] }
        return lastModified.isEmpty ? [] : [("If-Modified-Since", lastModified)]
    }

    /// Longer validators are not worth their place.
    private static func usable(_ text: String) -> String? { text.utf8.count <= 256 ? text : nil }

    private static func hash(_ address: WebAddress) -> String { address.text.stableHash.hexadecimal }
}

extension String {
    /// The same number in every process.
    var stableHash: UInt64 {
        withUTF8Bytes { SipHash.hash($0, key: (0, 0)) }
    }
}
