import Base
import People
import Server

/// All URLs of the site, one row each. The first row that matches a path is used.
///
/// To add a URL, add a row here and a file with its handler.
struct RouteTable: Sendable {
    static let site = RouteTable([
        // The base path without its last slash: relative links would go wrong there.
        Route(.path(""), .page, "page", .allow, .notStored { $0.redirectToHome() }),
        Route(.path("/"), .page, "page", .allow, .cached { try $0.list(.page) }),
        Route(.path("/fragment"), .fragment, "fragment", .exclude("/fragment"), .cached { try $0.list(.fragment) }),
        Route(
            .path("/fragment/find"), .fragment, "fragment_find", .exclude("/fragment"),
            .cached { try ControlsRequest($0) }),
        Route(
            .segment(after: "/fragment/users/"), .fragment, "fragment_user", .exclude("/fragment"),
            .cached { try UserRequest($0, as: .fragment) }),
        Route(
            .text(after: "/users/", before: ".vcf"), .vCard, "vcard", .noIndex,
            .cached { try UserRequest($0, as: .vCard) }),
        Route(
            .text(after: "/users/", before: ".json"), .json, "person", .noIndex,
            .cached { try UserRequest($0, as: .person) }),
        Route(.segment(after: "/users/"), .page, "user", .allow, .cached { try UserRequest($0, as: .page) }),
        Route(.path("/embed"), .page, "embed", .allow, .cached { try EmbedPageRequest($0) }),
        Route(.path("/keys"), .page, "keys", .noIndex, .cached { try KeysRequest($0) }),
        Route(.path("/directories"), .page, "directories", .allow, .revalidated { try $0.directoriesPage() }),

        Route(.path("/people.json"), .json, "people", .exclude("/people.json"), .cached { try $0.list(.people) }),
        Route(.path("/fields.json"), .json, "fields", .exclude("/fields"), .cached { try FieldsRequest($0) }),
        Route(
            .text(after: "/fields/", before: ".json"), .json, "filter_values", .exclude("/fields"),
            .cached { try FilterValuesRequest($0, isJSON: true) }),
        Route(
            .segment(after: "/fields/"), .page, "filter_values", .exclude("/fields"),
            .cached { try FilterValuesRequest($0) }),
        Route(.path("/letters.json"), .json, "letters", .exclude("/letters"), .cached { try LettersRequest($0) }),
        Route(.path("/events"), .json, "events", .exclude("/events"), .notStored { try $0.events() }),
        Route(.path("/events.json"), .json, "events_once", .exclude("/events"), .cached { try $0.eventsOnce() }),
        Route(.path("/logo"), .file, "logo", .noIndex, .cached { try BrandAsset(.logo, $0) }),
        Route(.path("/brand.css"), .file, "brand", .noIndex, .cached { try BrandAsset(.brand, $0) }),

        // The pictures that Rollcall draws.
        Route(
            .text(after: DrawnPicture.initialsPrefix, before: DrawnPicture.suffix), .drawing, "initials", .noIndex,
            .unchanging { try $0.initials() }),
        Route(
            .text(after: DrawnPicture.facePrefix, before: DrawnPicture.suffix), .drawing, "faces", .noIndex,
            .unchanging { try $0.face() }),

        // Pictures of people.
        Route(
            .segment(after: PictureAddress.prefix), .picture, "pictures", .noIndex, .forgettable { try $0.picture() }),

        Route(.path("/wall.svg"), .drawing, "wall", .exclude("/wall.svg"), .cached { try WallRequest($0) }),

        // The APIs of GitHub, Stack Exchange, and Rick and Morty.
        Route(.path("/api/v3/users"), .json, "api_users", .exclude("/api/"), .cached { try $0.list(.json) }),
        Route(
            .segment(after: "/api/v3/users/"), .json, "api_user", .exclude("/api/"),
            .cached { try UserRequest($0, as: .json) }),
        Route(
            .number(after: "/api/v3/user/"), .json, "api_user", .exclude("/api/"), .cached { try UserRequest(id: $0) }),
        Route(.path("/api/v3/rate_limit"), .json, "api_rate_limit", .exclude("/api/"), .notStored { $0.rateLimit() }),
        Route(
            .tree("/2.3"), .stackExchange, "stack_exchange", .exclude("/2.3/"), .cached { try StackExchangeRequest($0) }
        ),
        Route(
            .path("/api"), .rickAndMorty, "characters", .exclude("/api/"),
            .cached { try CharacterRequest($0, isAboveLists: true) }),
        Route(
            .path("/api/"), .rickAndMorty, "characters", .exclude("/api/"),
            .cached { try CharacterRequest($0, isAboveLists: true) }),
        Route(
            .tree("/api/character"), .rickAndMorty, "characters", .exclude("/api/"),
            .cached { try CharacterRequest($0) }),

        Route(.path("/export.ndjson"), .json, "export", .exclude("/export."), .notStored { try $0.export(.ndjson) }),
        Route(.path("/export.csv"), .json, "export", .exclude("/export."), .notStored { try $0.export(.csv) }),
        Route(.path("/export.xlsx"), .json, "export", .exclude("/export."), .notStored { try $0.exportWorkbook() }),

        // For crawlers and browsers.
        Route(.path("/robots.txt"), .text, "robots", .allow, yieldsToFile: true, .notStored { $0.robots() }),
        Route(.path("/sitemap.xml"), .text, "sitemap", .allow, yieldsToFile: true, .revalidated { try $0.sitemap() }),
        Route(
            .text(after: "/sitemap-", before: ".xml"), .text, "sitemap", .allow, yieldsToFile: true,
            .revalidated { try $0.sitemapPart() }),
        Route(
            .path("/opensearch.xml"), .text, "opensearch", .allow, yieldsToFile: true,
            .revalidated { try $0.openSearch() }),

        // For programs that watch the server.
        Route(.path("/healthz"), .text, "healthz", .disallow("/healthz"), .notStored { $0.healthz() }),
        Route(.path("/readyz"), .text, "readyz", .disallow("/readyz"), .notStored { $0.readyz() }),
        Route(.path("/metrics"), .text, "metrics", .disallow("/metrics"), .notStored { try $0.metrics() }),

        // Everything else: a file in `--public`, or an error in the format of the API that the path belongs to.
        Route(
            .text(after: "/api/character", before: ""), .rickAndMorty, none, .exclude("/api/"), yieldsToFile: true,
            .notFound),
        Route(.text(after: "/api/", before: ""), .json, none, .exclude("/api/"), yieldsToFile: true, .notFound),
        Route(.text(after: "/", before: ""), .page, none, .allow, yieldsToFile: true, .notFound),
    ])

    /// The value of the label `route` for requests that no route serves, and for files.
    private static let none = "none", file = "file"
    static let noneIndex: UInt8 = 0, fileIndex: UInt8 = 1

    let rows: [Route]
    /// The values of the label `route`. Responses carry positions in this array.
    let metrics: [String]
    /// The patterns of `rows`, apart from them: going through them counts no references.
    private let patterns: [PathPattern]

    init(_ rows: [Route]) {
        var metrics = [Self.none, Self.file]
        self.rows = rows.map { row in
            var row = row
            if !metrics.contains(row.metric) { metrics.append(row.metric) }
            row.metricIndex = UInt8(metrics.firstIndex(of: row.metric) ?? 0)
            return row
        }
        self.metrics = metrics
        patterns = rows.map(\.pattern)
    }

    /// Returns the row for `path`, or `nil` if the path is not below `basePath`.
    @_lifetime(copy path)
    func match(_ path: Bytes, below basePath: String) -> RouteMatch? {
        guard let path = path.removingPrefix(basePath), path.isEmpty || path.first == UInt8(ascii: "/") else {
            return nil
        }
        for index in patterns.indices {
            if let wildcard = patterns[index].match(path) {
                return RouteMatch(rows[index], path, wildcard)
            }
        }
        return nil
    }
}

/// The row of the ``RouteTable`` for a path. Valid as long as the path's bytes.
struct RouteMatch: ~Escapable {
    let route: Route
    /// The path below the base path, still percent-encoded.
    let path: Bytes
    /// The part of the path that the route's pattern leaves open, still percent-encoded.
    let wildcard: Bytes

    @_lifetime(copy path)
    init(_ route: Route, _ path: Bytes, _ wildcard: ByteSlice) {
        self.route = route
        self.path = path
        self.wildcard = path[wildcard]
    }
}
