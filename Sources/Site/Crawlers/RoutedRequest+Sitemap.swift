import Base
import People
import Server

extension RoutedRequest {
    /// The sitemap, or the index of its files.
    func sitemap() throws -> Reply {
        let sitemap = try makeSitemap()
        if let sections = sitemap.whole { return .now(try file(sections, of: sitemap)) }
        // An index of all 50,000 files takes 5 MB.
        return later { [route, client] renderer in
            renderer.document("application/xml; charset=utf-8", route, client, namesHost: true) {
                sitemap.appendIndex(to: $0)
            }
        }
    }

    /// The file `sitemap-SLUG-NUMBER.xml`.
    func sitemapPart() throws -> Reply {
        let sitemap = try makeSitemap()
        let name = try wildcardText()
        do { return .now(try file(sitemap.part(name), of: sitemap)) } catch let renamed as RenamedDirectory {
            let number = name.dropFirst(renamed.old.count)
            throw HTTPError.moved(to: "\(configuration.basePath)/sitemap-\(renamed.new)\(number).xml")
        }
    }

    private func makeSitemap() throws -> Sitemap {
        try expect(!configuration.isNoIndex, .notFound)
        return Sitemap(root: try homeURL(), directories: directories)
    }

    private func file(_ sections: [Sitemap.Section], of sitemap: Sitemap) throws -> Response {
        let tag = tag(of: sitemap)
        var fields = Fields()
        fields.append("ETag", bytes: tag)
        configuration.append(cacheControlOf: route.handler, namesHost: true, to: &fields)
        client.appendVary(to: &fields, isShared: false)
        if let response = request.precondition(tag: tag).response(fields) { return response }
        let body = SitemapFile(sections, of: sitemap)
        fields.append("Content-Type", "application/xml; charset=utf-8")
        fields.append("X-Content-Type-Options", "nosniff")
        return try stream(body, fields)
    }

    /// A weak validator: users that arrive while the file is sent may be in it, and then the next tag differs.
    private func tag(of sitemap: Sitemap) -> [UInt8] {
        var hash = StableHash()
        hash.combine(site.fingerprint)
        hash.combine(sitemap.root)
        hash.combine(match.path)
        for directory in directories.all {
            hash.combine(UInt64(bitPattern: directory.generation))
            hash.combine(directory.origin)
        }
        return Array("W/".utf8) + hash.entityTag(.identity, renderer.line)
    }
}
