import Base

/// The rule for crawlers, in `robots.txt` (RFC 9309) and `X-Robots-Tag`.
struct CrawlerRule: Sendable {
    /// The prefix that `robots.txt` disallows.
    private(set) var disallowedPrefix: StaticString?
    /// Whether responses carry `X-Robots-Tag: noindex`.
    private(set) var isNoIndex = false

    /// Crawlers may read it. A page is for search engines, unless it excludes itself (``PageTraits/noIndex``).
    static let allow = CrawlerRule()
    /// Responses say `noindex`. `robots.txt` cannot list the path, because indexed paths have the same prefix.
    static let noIndex = CrawlerRule(isNoIndex: true)

    /// `robots.txt` disallows this prefix.
    static func disallow(_ prefix: StaticString) -> CrawlerRule { CrawlerRule(disallowedPrefix: prefix) }

    /// `robots.txt` disallows this prefix, and responses say `noindex`: crawlers read `robots.txt` only at the root of
    /// a host, which a site below a base path does not have.
    static func exclude(_ prefix: StaticString) -> CrawlerRule {
        CrawlerRule(disallowedPrefix: prefix, isNoIndex: true)
    }
}
