import Base
import CCurl

/// An absolute `http` or `https` URL, parsed by the library that will connect to it. If two parsers disagreed about the
/// host, a credential could be sent to the wrong server.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// The URL, normalized, without a fragment.
    public let text: String
    /// Scheme, host and port: `https://api.github.com:443`.
    public let origin: String
    /// The port, 80 or 443 unless the URL names another.
    public let port: Int
    /// The path and query, for messages.
    public let target: String
    /// The host, in lower case.
    public let host: String

    public var description: String { text }
    /// The URL without its path and query, for display.
    public var site: String { String(text.dropLast(target.count)) }
    public var isEncrypted: Bool { origin.hasPrefix("https:") }
    /// Whether the host is this machine, judging by its name.
    public var isLoopback: Bool { ["127.0.0.1", "[::1]", "localhost"].contains(host) }

    /// Parses `text`. The error describes the problem without repeating `text`, which may contain a password.
    public init(_ text: String) throws(RollcallError) {
        try self.init(text, from: nil)
    }

    /// Resolves `link`, from a response of this address, relative to it (RFC 3986 §5).
    public func following(_ link: String) throws(RollcallError) -> WebAddress {
        try WebAddress(link, from: text)
    }

    /// Returns the address of `path` below this one. The query of this address is dropped.
    public func below(_ path: String) throws(RollcallError) -> WebAddress {
        let start = text.prefix { $0 != "?" }
        return try WebAddress(start.hasSuffix("/") ? "\(start)\(path)" : "\(start)/\(path)")
    }

    /// Returns the address with `name=value` appended to its query.
    public func appending(_ name: String, _ value: String) throws(RollcallError) -> WebAddress {
        let sign = target.contains("?") ? "&" : "?"
        return try WebAddress("\(text)\(sign)\(Self.encoded(name))=\(Self.encoded(value))")
    }

    /// Percent-encodes all characters except RFC 3986's unreserved ones.
    public static func encoded(_ text: String) -> String { String(writing: { $0.append(percentEncoding: text) }) }

    private init(_ text: String, from base: String?) throws(RollcallError) {
        let url = try required(curl_url(), "there is no memory for a URL")
        defer { curl_url_cleanup(url) }
        try expect(
            text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x5C },
            "a URL of visible ASCII characters is expected")
        if let base { curl_url_set(url, CURLUPART_URL, base, 0) }
        try expect(
            curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
            "a URL such as https://api.example.org is expected, without a user or a password")
        curl_url_set(url, CURLUPART_FRAGMENT, nil, 0)
        func part(_ part: CURLUPart) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &found, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let found else {
                return nil
            }
            defer { curl_free(found) }
            return String(cString: found)
        }
        let scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
        try expect(["http", "https"].contains(scheme), "a URL that begins with https:// or http:// is expected")
        let wrong = "a URL with a host is expected"
        let host = try required(part(CURLUPART_HOST), wrong).lowercased()
        let port = try required(part(CURLUPART_PORT).flatMap { Int($0) }, wrong)
        let path = try required(part(CURLUPART_PATH), wrong)
        self.host = host
        self.port = port
        origin = "\(scheme)://\(host):\(port)"
        target = path + (part(CURLUPART_QUERY).map { "?\($0)" } ?? "")
        let isDefaultPort = port == (scheme == "https" ? 443 : 80)
        self.text = "\(scheme)://\(host)\(isDefaultPort ? "" : ":\(port)")\(target)"
    }
}
