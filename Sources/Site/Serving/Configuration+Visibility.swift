import Directories
import Fields

/// The rights of clients that follow from ``Site/Configuration/directories`` and ``Site/Configuration/isPrivate``.
extension Site.Configuration {
    /// Returns the elements of `stored` that the site shows: those in ``directories``, and private ones only on a
    /// private site.
    func visible(_ stored: [Directory]) -> [Directory] {
        let chosen = directories.map { $0.compactMap { slug in stored.first { $0.slug == slug } } } ?? stored
        return isPrivate ? chosen : chosen.filter { !$0.plan.isPrivate }
    }

    /// The directory that URLs without a directory show, if the publisher chose one.
    var preferredDirectory: Slug? { defaultDirectory ?? directories?.first }

    /// Whether other sites may show the pages: as frames, fragments or custom elements.
    var isEmbeddable: Bool { !isPrivate }

    /// Whether the site has exports.
    var hasExports: Bool { !isPrivate || allowsPrivateExports }

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
}

extension Site.Configuration {
    /// Returns where the pictures of a directory's people come from. A site without pictures has none anywhere.
    func pictureMode(of directory: Directory) -> PictureMode {
        pictures == .off ? .off : directory.plan.settings.own.pictures ?? pictures
    }
}

extension FieldPlan {
    /// Whether only private sites show the directory.
    public var isPrivate: Bool { settings.own.isPrivate ?? settings.inferred.isPrivate ?? false }
}
