import People
import Server

extension Site {
    /// The publisher's settings for a site.
    public struct Configuration: Sendable {
        /// The directory that URLs without a directory show; `nil` for the first.
        public var defaultDirectory: Slug?
        /// The directories that the site shows, the default one first; `nil` for all. For clients, the others do not
        /// exist.
        public var directories: [Slug]?
        /// The path of the home page without its last slash: empty, or `/people`.
        public var basePath = ""
        /// The absolute URL of the home page, without its last slash; `nil` if it is not known.
        public var publicURL: String?
        /// Whether all responses have `noindex`.
        public var isNoIndex = false
        /// Whether the site is behind a sign-in: see ``makePrivate(withExports:)``.
        private(set) var isPrivate = false
        /// The origins whose scripts may read fragments, JSON and styles.
        public var allowedOrigins: AllowedOrigins = .any
        /// The pages that may show framed pages (`embed`).
        public var frameAncestors = FrameAncestors.any
        /// Where pictures come from, unless the directory has a setting of its own.
        public var pictures = PictureMode.cache
        /// The changes that open pages hear about (`/events`).
        public var updates = Updates.newPeople
        /// The number of pages after which the script waits for a click; 0 for never.
        public var autoPages = 0
        /// The memory for finished responses.
        public var cacheBytes = 32 << 20
        /// For how many seconds a cache that serves many readers (a CDN, or a proxy's) may use a page of users without
        /// asking whether it is current, and then once more as long while it asks; 0 for never.
        public var sharedMaxAge = 0
        /// The number of exports that are sent at the same time. Further ones get 503.
        public var maxExports = 64
        /// The number of people up to which a directory is exported as a workbook.
        public var maxExcel = 100_000
        /// Whether there are exports at all.
        public var allowsExports = true
        /// The clients that may read `/metrics`.
        public var metrics = MetricsAccess.loopback

        /// The program's version. Another one may write other bytes.
        public var version = ""

        public init() {}

        /// Puts the site behind a sign-in, which is the proxy's: no other site can show or read its pages, no cache
        /// or search engine keeps its responses, and private directories are shown. Call it after all other settings
        /// are made: it sets some of them again.
        public mutating func makePrivate(withExports: Bool = false) {
            (isPrivate, isNoIndex, sharedMaxAge) = (true, true, 0)
            (allowedOrigins, frameAncestors) = (.only([]), .none)
            allowsExports = allowsExports && withExports
        }

        /// This configuration, with defaults for the settings that change no byte of any response. A new setting counts
        /// as one that changes bytes until it is named here.
        var ofContent: Self {
            var content = self
            let defaults = Self()
            content.cacheBytes = defaults.cacheBytes
            content.sharedMaxAge = defaults.sharedMaxAge
            content.maxExports = defaults.maxExports
            content.metrics = defaults.metrics
            return content
        }

        /// The changes that open pages hear about.
        public enum Updates: Sendable {
            case none
            /// People who are new: pages offer them.
            case newPeople
            /// Whatever ``Site/reloadPages()`` announces: pages load again.
            case reloads
        }

        /// The clients that may read `/metrics`.
        public enum MetricsAccess: Sendable {
            case nobody
            /// Clients on this machine's loopback network, except proxies.
            case loopback
            case everybody
        }

        public enum AllowedOrigins: Equatable, Sendable {
            case any
            /// These origins, as browsers send them in `Origin`: `https://example.org`. Without any, no origin is
            /// allowed.
            case only([String])
        }
    }
}

/// The rights of clients that follow from ``Site/Configuration/directories`` and ``Site/Configuration/isPrivate``.
extension Site.Configuration {
    /// Returns the elements of `stored` that the site shows: those in ``directories``, and private ones only on a
    /// private site.
    func visible(_ stored: [Directory]) -> [Directory] {
        let chosen = directories.map { $0.compactMap { slug in stored.first { $0.slug == slug } } } ?? stored
        return isPrivate ? chosen : chosen.filter { $0.settings.looks.sites == .public }
    }

    public func shows(_ directory: Directory) -> Bool { !visible([directory]).isEmpty }

    /// The directory that URLs without a directory show, if the publisher chose one.
    var preferredDirectory: Slug? { defaultDirectory ?? directories?.first }

    /// Whether other sites may show the pages: as frames, fragments or custom elements.
    var isEmbeddable: Bool { !isPrivate }

    /// The sources of `frame-ancestors` for a page or an error.
    /// - Parameter isFramed: whether the page is made for a frame (`embed`).
    func frameAncestors(isFramed: Bool) -> String {
        isFramed || isPrivate ? frameAncestors.sources : "'self'"
    }

    /// Whether browsers may keep responses, and fetch some before they are asked for.
    var allowsKeeping: Bool { !isPrivate }

    /// Returns the value of `Cache-Control` for a response for which a public site would send `value`.
    func cacheControl(_ value: StaticString) -> StaticString { isPrivate ? "private, no-store" : value }

    /// The first fields of a file: by its own name, and by a name with a hash of its content, which never changes.
    /// Those of a private site may be kept by browsers only.
    var fileFields: (own: Fields, hashed: Fields) {
        var (own, hashed) = (Fields(), Fields())
        own.append(
            "Cache-Control", isPrivate ? "private, no-cache" : sharedMaxAge > 0 ? sharedCacheControl : "no-cache")
        hashed.append("Cache-Control", "\(isPrivate ? "private" : "public"), max-age=31536000, immutable")
        if isPrivate {
            own.append("X-Robots-Tag", "noindex")
            hashed.append("X-Robots-Tag", "noindex")
        }
        return (own, hashed)
    }

    /// The value of `X-Frame-Options` for a page that is made for no frame.
    var frameOptions: StaticString { isPrivate ? "DENY" : "SAMEORIGIN" }

    /// Appends `Cache-Control` to a successful response of `handler`.
    ///
    /// - Parameter namesHost: whether the response has absolute links. Without a public URL, they have the host that
    ///   the request names, and a cache need not keep responses to different hosts apart (nginx does not by default).
    ///   So shared caches ask for each of them.
    func append(cacheControlOf handler: Handler, namesHost: Bool, to fields: inout Fields) {
        guard handler.isRevalidated, sharedMaxAge > 0, !namesHost || publicURL != nil else {
            return fields.append("Cache-Control", cacheControl(handler.cacheControl))
        }
        fields.append("Cache-Control", sharedCacheControl)
    }

    /// For responses that shared caches may use for ``sharedMaxAge``. Browsers ask for every request, as with
    /// `no-cache`, which would forbid the same to shared caches. After the time is over, a cache may respond once more
    /// as long from what it has, and ask in the background (RFC 5861 §3).
    var sharedCacheControl: String {
        "max-age=0, s-maxage=\(sharedMaxAge), stale-while-revalidate=\(sharedMaxAge)"
    }
}

extension Site.Configuration {
    /// Appends the fields of a picture. It may be made from a stranger's file, and a drawing that is opened by itself
    /// is a document: neither has styles or scripts.
    func appendPictureFields(to fields: inout Fields) {
        fields.append("X-Content-Type-Options", "nosniff")
        fields.append("Content-Security-Policy", "default-src 'none'; sandbox")
        // Pages that isolate themselves from other origins may show it, too (COEP).
        fields.append("Cross-Origin-Resource-Policy", isPrivate ? "same-origin" : "cross-origin")
        fields.append("X-Robots-Tag", "noindex")
    }

    /// Returns where the pictures of a directory's people come from. A site without pictures has none anywhere.
    func pictureMode(of directory: Directory) -> PictureMode {
        pictures == .off ? .off : directory.settings.looks.pictures ?? pictures
    }
}
