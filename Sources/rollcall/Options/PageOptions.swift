import ArgumentParser

/// The options that decide what the pages show and how they look.
struct PageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The directory to show where a URL names none; by default the first.", valueName: "slug"))
    var directory: String?

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("A folder whose files replace the built-in public files or add to them.", valueName: "dir"))
    var publicFolder: String?

    @Option(
        name: .customLong("templates"),
        help: ArgumentHelp("A folder whose templates replace the built-in ones.", valueName: "dir"))
    var templatesFolder: String?

    @Option(parsing: .unconditional, help: "After how many pages the list waits for a click; 0 for never.")
    var autoPages = Environment.int("AUTO_PAGES") ?? 0

    @Flag(help: "Ask search engines to keep away: robots.txt, X-Robots-Tag and no sitemap.")
    var noindex = false

    func validate() throws {
        _ = Environment.bool("NOINDEX")
        try Environment.check()
        guard autoPages >= 0 else { throw ValidationError("--auto-pages: expected 0 or more, found \(autoPages)") }
    }
}

/// The options that decide what other sites may do with the pages.
struct SharingOptions: ParsableArguments {
    @Option(help: "Which origins' pages may read fragments and JSON: '*', 'none', or origins separated by commas.")
    var allowOrigin = Environment.string("ALLOW_ORIGIN") ?? "*"

    @Option(help: "Which pages may frame /?embed=1: '*', 'none', or self and origins separated by commas.")
    var frameAncestors = Environment.string("FRAME_ANCESTORS") ?? "*"
}
