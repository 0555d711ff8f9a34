import Base

/// The rule for crawlers, in `robots.txt` (RFC 9309) and `X-Robots-Tag`.
enum CrawlerRule: Sendable {
    /// A page for search engines, unless the page itself excludes itself (``Resource/isRepetition``).
    case index
    /// `robots.txt` disallows this prefix, and responses say `noindex`: crawlers read `robots.txt` only at the root of
    /// a host, which a site below a base path does not have.
    case exclude(StaticString)
    /// Responses say `noindex`. `robots.txt` cannot list the path, because indexed paths have the same prefix.
    case noIndex
    /// `robots.txt` disallows this prefix.
    case disallow(StaticString)
    /// Neither: a document for the crawlers themselves, or no document at all.
    case ignore

    /// The prefix that `robots.txt` disallows.
    var disallowedPrefix: StaticString? {
        switch self {
        case .exclude(let prefix), .disallow(let prefix): prefix
        case .index, .noIndex, .ignore: nil
        }
    }

    /// Whether responses carry `X-Robots-Tag: noindex`.
    var isNoIndex: Bool {
        switch self {
        case .exclude, .noIndex: true
        case .index, .disallow, .ignore: false
        }
    }
}
