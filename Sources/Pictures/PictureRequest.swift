import Base
import HTTPClient

/// The request for a picture: the URL that is asked in place of the one in the data, and the header fields.
public enum PictureRequest {
    /// Returns the URL to ask for the picture at `text`. Services that make pictures of any size are asked for the
    /// largest size that is kept.
    public static func address(of text: String) throws(RollcallError) -> WebAddress {
        try sized(WebAddress(asciiOnly(text)))
    }

    /// Returns the URL to ask after a redirect from `address` to `link`.
    static func address(following link: String, from address: WebAddress) throws(RollcallError) -> WebAddress {
        try sized(address.following(asciiOnly(link)))
    }

    /// Only these are made into pictures. Servers that choose a format by this field choose none that nobody can read.
    static let accept = (name: "Accept", value: "image/webp, image/jpeg, image/png, image/gif")

    /// The longest side of the largest picture that is made.
    private static let pixels = "512"

    private static func sized(_ address: WebAddress) throws(RollcallError) -> WebAddress {
        if isGitHub(address.host) || isStackExchange(address.host) {
            return try address.replacing(["s": pixels], dropping: ["size"])
        }
        if isGravatar(address.host) {
            // Without a picture, `d=404` makes the answer 404, and people get initials instead of a drawn default.
            return try address.replacing(
                ["s": pixels, "d": "404"], dropping: ["size", "default", "f", "forcedefault"])
        }
        return address
    }

    private static func isGitHub(_ host: String) -> Bool {
        host.hasPrefix("avatars") && host.hasSuffix(".githubusercontent.com")
    }

    private static func isGravatar(_ host: String) -> Bool { host == "gravatar.com" || host.hasSuffix(".gravatar.com") }

    private static func isStackExchange(_ host: String) -> Bool {
        ["i.sstatic.net", "i.stack.imgur.com"].contains(host)
    }

    /// Percent-encodes the bytes that browsers accept in URLs and encode themselves.
    private static func asciiOnly(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return text }
        let buffer = ByteBuffer(capacity: text.utf8.count * 3)
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte) {
                buffer.append(byte)
            } else {
                buffer.append("%")
                buffer.append(hexadecimal: UInt64(byte), digits: 2)
            }
        }
        return String(buffer)
    }
}

extension WebAddress {
    /// Returns the address with these query parameters in place of those of the same names, and without `dropped` ones.
    fileprivate func replacing(
        _ parameters: KeyValuePairs<String, String>, dropping dropped: Set<String>
    ) throws(RollcallError) -> WebAddress {
        let parts = text.split(separator: "?", maxSplits: 1)
        let gone = dropped.union(parameters.map(\.key))
        let kept = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { parameter in
            !gone.contains(String(parameter.prefix { $0 != "=" }))
        }
        let query = kept.map(String.init) + parameters.map { "\($0.key)=\($0.value)" }
        return try WebAddress("\(parts[0])?\(query.joined(separator: "&"))")
    }
}
