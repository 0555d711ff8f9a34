import ArgumentParser
import People

struct PageOptions: ParsableArguments {
    @OptionGroup var shown: DirectoryOption

    @Option(
        name: .customLong("public"), value: "dir",
        help: """
            A folder of files that replace the built-in public files or add to them; by default only the built-in \
            ones are used.
            """)
    var publicFolder: String?

    @Option(
        name: .customLong("templates"), value: "dir",
        help: "A folder of templates that replace the built-in ones; by default only the built-in ones are used.")
    var templatesFolder: String?

    @Option(
        value: "cache|link|off",
        help: """
            Where pictures come from: cache shows those that `rollcall pictures` has fetched, from this server, and \
            initials until then; link makes browsers ask the hosts of the sources, which learn who looks at which \
            page; off shows initials only. A directory may have a setting of its own, except with off.
            """)
    var pictures: PictureMode = .cache

    @Option(
        in: 0...Int.max, value: "number",
        help: "After how many pages the list waits for a click before it loads more; 0 for never.")
    var autoPages = 0

    @Option(
        value: "on|off",
        help: """
            Whether an open page offers people that an import has just added: on or off. Such a page keeps an event \
            stream open while it is visible.
            """)
    var live: LiveOption = .on

    @Option(
        in: 0...86_400, value: "seconds",
        help: """
            How many seconds a CDN or a proxy's cache may show a page without asking this server, and as long again \
            while it asks; 0 for never. Readers see changes that much later, also that a person was forgotten.
            """)
    var sharedMaxAge = 0

    @Flag(help: "Ask search engines not to index the site: robots.txt, X-Robots-Tag and no sitemap.")
    var noindex = false
}

extension PictureMode: ExpressibleByArgument {}

enum LiveOption: String, ExpressibleByArgument, CaseIterable {
    case on, off
}

/// The options for what other sites may do with the pages.
struct SharingOptions: ParsableArguments {
    @Option(
        value: "origins",
        help: """
            Which origins may read fragments and JSON from their pages: '*', 'none', or origins separated by commas.
            """)
    var allowOrigin = "*"

    @Option(
        value: "on|off", help: "Whether readers can download all people as files (/export.csv and others): on or off.")
    var exports = LiveOption.on

    @Option(
        value: "origins",
        help: """
            Which pages may show /?embed=1 and /?embed=fit in a frame: '*', 'none', or self and origins separated by \
            commas.
            """)
    var frameAncestors = "*"
}
