import Foundation
import People
import Server

extension Site.Configuration {
    /// The text of `robots.txt` (RFC 9309). Crawlers may read the lists in the order by id and every user's page, which
    /// together contain all users.
    ///
    /// Searches and filters have endless combinations, and other orders, views and page sizes repeat the same users:
    /// they would waste the crawler's and the server's time. The paths come from the ``RouteTable``.
    /// - Parameter filters: the parameters that filter a directory.
    /// - Parameter root: the absolute URL of the home page, or `nil` if it is not known.
    func robots(root: String?, filters: [String] = []) -> String {
        var lines = ["User-agent: *"]
        if isNoIndex { return lines[0] + "\nDisallow: /\n" }
        var prefixes: [String] = []
        for prefix in RouteTable.site.rows.compactMap(\.crawlers.disallowedPrefix).map({ "\($0)" })
        where !prefixes.contains(prefix) {
            prefixes.append(prefix)
        }
        lines += prefixes.map { "Disallow: \(basePath)\($0)" }
        for parameter in ["q", "sort", "order", "view", "per_page", "before"] + filters {
            let line = "Disallow: \(basePath)/?*\(parameter)="
            if !lines.contains(line) { lines.append(line) }
        }
        if let root { lines += ["", "Sitemap: \(root)/sitemap.xml"] }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension RoutedRequest {
    func robots() -> Reply {
        let keys = directories.all.flatMap { $0.filters.map(\.filter.parameterName) }
        let filters = keys.compactMap { $0.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) }
        let root = origin.root(below: configuration.basePath)
        return .now(Response(text: configuration.robots(root: root, filters: filters)))
    }
}
