import Base
import Server

/// The scheme and host of absolute links: the publisher's, or else those of the request.
///
/// Rendering gets one only through ``RenderTask/origin``, which is part of the cache key.
struct LinkOrigin: Equatable, Sendable {
    /// `https://example.org`; empty if neither the publisher nor the request names a host. Then links stay relative.
    let text: String

    /// For a request that could not be read.
    static let unknown = LinkOrigin(text: "")

    private init(text: String) { self.text = text }

    init(_ request: Request, _ configuration: Site.Configuration) {
        if let publicURL = configuration.publicURL {
            // Links begin with the base path, which is also the end of the public URL.
            text = String(publicURL.dropLast(configuration.basePath.count))
        } else if let authority = request.authority, !authority.isEmpty {
            text = "\(request.scheme.prefix)\(String(authority))"
        } else {
            text = ""
        }
    }

    /// The absolute URL of the home page, without its last slash; `nil` if it is not known.
    func root(below basePath: String) -> String? { text.isEmpty ? nil : text + basePath }
}

extension ByteBuffer {
    /// Appends the ``LinkOrigin`` of `request`, without making one, after a zero byte, which no target contains.
    func append(originKeyOf request: Request, hasPublicURL: Bool) {
        append(UInt8(0))
        guard !hasPublicURL, let authority = request.authority, !authority.isEmpty else { return }
        append(request.scheme.prefix)
        append(authority)
    }
}

extension Scheme {
    fileprivate var prefix: StaticString { self == .https ? "https://" : "http://" }
}
