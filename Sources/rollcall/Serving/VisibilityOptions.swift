import ArgumentParser
import People
import Site

struct VisibilityOptions: ParsableArguments {
    @Option(
        value: "slugs",
        help: """
            The only directories to serve, separated by commas; the first is the default. The others do not exist for \
            readers. By default all are served.
            """)
    var directories: String?

    @Flag(
        help: """
            Serve a site behind a sign-in, which is the proxy's: other sites can neither read nor show its pages, caches \
            and search engines keep nothing, and it has no exports. Shows private directories, too.
            """)
    var `private` = false

    @Flag(help: "Serve exports even with --private.")
    var privateExports = false

    /// Sets these options in `site`. Throws if another option contradicts them.
    func apply(to site: inout Site.Configuration) throws {
        site.directories = try slugs()
        if let slugs = site.directories, let slug = site.defaultDirectory {
            try expect(
                slugs.contains(slug), "--directory: expected one of --directories (\(slugs.list)), found “\(slug)”")
        }
        guard `private` else { return }
        let contradictions = [
            ("--allow-origin", "no other origin", ![.any, .only([])].contains(site.allowedOrigins)),
            ("--shared-max-age", "no cache", site.sharedMaxAge > 0),
            ("--frame-ancestors", "no frame", ![.any, .none].contains(site.frameAncestors)),
        ]
        for (option, limit, isGiven) in contradictions {
            try expect(!isGiven, "\(option): --private allows \(limit); leave one of the two out")
        }
        site.makePrivate(withExports: privateExports)
    }

    /// The slugs of `--directories`; `nil` if all directories are served.
    private func slugs() throws -> [Slug]? {
        guard let text = directories else { return nil }
        let slugs = try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            let name = name.drop { $0 == " " }
            return try required(
                Slug(name), "--directories: expected slugs separated by commas, as in team,board, found “\(text)”")
        }
        try expect(Set(slugs).count == slugs.count, "--directories: expected each directory once, found “\(text)”")
        return slugs
    }
}
