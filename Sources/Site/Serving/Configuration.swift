import Directories

extension Site {
    /// What a publisher decides about a site.
    public struct Configuration: Sendable {
        /// The directory shown where a URL names none; `nil` for the first.
        public var defaultDirectory: Slug?
        /// What stands before every path, without its last slash: empty, or `/people`.
        public var basePath = ""
        /// The absolute URL of the site's root, without its last slash; `nil` where it is not known.
        public var publicURL: String?
        /// Whether search engines are asked to keep away.
        public var isHiddenFromSearch = false
        /// Who may read fragments, JSON and styles from other origins.
        public var allowedOrigins: AllowedOrigins = .any
        /// Who may show pages in frames, as far as they are meant for that (`embed`).
        public var frameAncestors = FrameAncestors.any
        /// After how many pages the script waits for a click; 0 for never.
        public var autoPages = 0
        /// How much finished pages may take in memory.
        public var cacheBytes = 32 << 20
        /// How many exports may be sent at a time; one more gets 503.
        public var maxExports = 64

        /// Who may read `/metrics`.
        public var metrics = MetricsAccess.loopback

        /// The program's version: another one may write other bytes.
        public var version = ""

        public init() {}

        /// The same, with the default for everything that changes no byte of any answer. A new option counts as one that
        /// changes bytes until it is named here.
        var ofContent: Self {
            var content = self
            let defaults = Self()
            content.cacheBytes = defaults.cacheBytes
            content.maxExports = defaults.maxExports
            content.metrics = defaults.metrics
            return content
        }

        /// Who may read the server's figures.
        public enum MetricsAccess: Sendable {
            case nobody
            /// Clients that come over this machine's loopback network and from no proxy.
            case loopback
            case everybody
        }

        public enum AllowedOrigins: Equatable, Sendable {
            case any
            /// Exactly these, as browsers send them in `Origin`: `https://example.org`. None of them for nobody.
            case only([String])
        }
    }
}
