import People

/// The rights of clients that follow from ``Site/Configuration/directories`` and ``Site/Configuration/isPrivate``.
extension Site.Configuration {
    /// Returns the elements of `stored` that the site shows: those in ``directories``, and private ones only on a
    /// private site.
    func visible(_ stored: [Directory]) -> [Directory] {
        let chosen = directories.map { $0.compactMap { slug in stored.first { $0.slug == slug } } } ?? stored
        return isPrivate ? chosen : chosen.filter { !$0.settings.isPrivate }
    }

    /// Whether the site shows `directory`.
    @Sendable func shows(_ directory: Directory) -> Bool { !visible([directory]).isEmpty }

    /// The directory that URLs without a directory show, if the publisher chose one.
    var preferredDirectory: Slug? { defaultDirectory ?? directories?.first }

    /// Whether other sites may show the pages: as frames, fragments or custom elements.
    var isEmbeddable: Bool { !isPrivate }

    /// Whether the site has exports.
    var hasExports: Bool { allowsExports && (!isPrivate || allowsPrivateExports) }

    /// Whether all responses have `noindex`.
    var isNoIndex: Bool { isHiddenFromSearch || isPrivate }

    /// The origins that get fields of the CORS protocol.
    var sharingOrigins: AllowedOrigins { isPrivate ? .only([]) : allowedOrigins }

    /// The sources of `frame-ancestors` for a page or an error.
    /// - Parameter isFramed: whether the page is made for a frame (`embed`).
    func frameAncestors(isFramed: Bool) -> String {
        if isPrivate { return FrameAncestors.none.sources }
        return isFramed ? frameAncestors.sources : "'self'"
    }

    /// Returns the value of `Cache-Control` for a response for which a public site would send `value`.
    func cacheControl(_ value: StaticString) -> StaticString { isPrivate ? "private, no-store" : value }

    /// Returns the value of `Cache-Control` for a successful response of `handler`.
    ///
    /// - Parameter namesHost: whether the response has absolute links. Without a public URL, they have the host that
    ///   the request names, and a cache need not keep responses to different hosts apart (nginx does not by default).
    ///   So shared caches ask for each of them.
    func cacheControl(of handler: Handler, namesHost: Bool) -> String {
        let value = cacheControl(handler.cacheControl)
        guard handler.isRevalidated, !isPrivate, sharedMaxAge > 0, !namesHost || publicURL != nil else {
            return "\(value)"
        }
        return sharedCacheControl
    }

    /// For responses that shared caches may use for ``sharedMaxAge``. Browsers ask for every request, as with
    /// `no-cache`, which would forbid the same to shared caches. After the time is over, a cache may respond once more
    /// as long from what it has, and ask in the background (RFC 5861 §3).
    var sharedCacheControl: String {
        "max-age=0, s-maxage=\(sharedMaxAge), stale-while-revalidate=\(sharedMaxAge)"
    }
}

extension Site.Configuration {
    /// Returns where the pictures of a directory's people come from. A site without pictures has none anywhere.
    func pictureMode(of directory: Directory) -> PictureMode {
        pictures == .off ? .off : directory.settings.stored.own.pictures ?? pictures
    }
}
