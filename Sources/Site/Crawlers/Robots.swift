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
        let prefixes = RouteTable.site.rows.compactMap(\.crawlers.disallowedPrefix).map { "\($0)" }
        let parameters = ["q", "sort", "order", "view", "per_page", "before"] + filters
        for path in prefixes + parameters.map({ "/?*\($0)=" }) {
            let line = "Disallow: \(basePath)\(path)"
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
