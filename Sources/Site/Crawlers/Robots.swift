import Directories

extension Site.Configuration {
    /// What crawlers may walk (RFC 9309): the lists in their own order and everyone's page, which between them have it all.
    ///
    /// Searches and choices by facets have no end, and other orders, views and sizes of pages show the same people again:
    /// they would cost a crawler its patience and the server its time. Fragments and JSON are parts of pages, and exports
    /// are for programs.
    /// - Parameter root: the absolute URL of the home page; `nil` where it is not known.
    func robots(root: String?) -> String {
        var lines = ["User-agent: *"]
        if isHiddenFromSearch { return lines[0] + "\nDisallow: /\n" }
        for path in ["/fragment", "/api/", "/2.3/", "/export.", "/healthz", "/readyz", "/metrics"] {
            lines.append("Disallow: \(basePath)\(path)")
        }
        for parameter in ["q", "sort", "order", "view", "per_page", "before"] + Facet.allCases.map(\.name) {
            lines.append("Disallow: \(basePath)/?*\(parameter)=")
        }
        if let root { lines += ["", "Sitemap: \(root)/sitemap.xml"] }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Resource {
    /// Whether it is a page of people who are all on other pages, too: search engines leave it out. Also said by the page
    /// itself, for crawlers read a `robots.txt` only at the root of a host, which a site below a base path does not have.
    var isRepetition: Bool {
        guard case .users(let page) = self, page.kind == .page else { return false }
        return page.search != nil || page.sort != Sort() || page.view != .list || page.perPage != nil
            || page.start.isBackward
    }
}
