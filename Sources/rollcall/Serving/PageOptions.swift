import ArgumentParser
import People

/// The options for the content and the looks of the pages.
struct PageOptions: ParsableArguments {
    @OptionGroup var shown: DirectoryOption

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp(
            """
            A folder of files that replace the built-in public files or add to them; by default only the built-in \
            ones are used.
            """,
            valueName: "dir"))
    var publicFolder: String?

    @Option(
        name: .customLong("templates"),
        help: ArgumentHelp(
            "A folder of templates that replace the built-in ones; by default only the built-in ones are used.",
            valueName: "dir"
        ))
    var templatesFolder: String?

    @Option(
        help: ArgumentHelp(
            """
            Where pictures come from: cache shows those that `rollcall pictures` has fetched, from this server, and \
            initials until then; link makes browsers ask the hosts of the sources, which learn who looks at which \
            page; off shows initials only. A directory may have a setting of its own, except with off.
            """, valueName: "cache|link|off"))
    var pictures: PictureMode = .cache

    @Option(
        in: 0...Int.max,
        help: ArgumentHelp(
            """
            After how many pages the list waits for a click before it loads more; 0 for never.
            """, valueName: "number"))
    var autoPages = 0

    @Option(
        help: ArgumentHelp(
            """
            Whether an open page offers people that an import has just added: on or off. Such a page keeps an event \
            stream open while it is visible.
            """, valueName: "on|off"))
    var live: LiveOption = .on

    @Option(
        in: 0...86_400,
        help: ArgumentHelp(
            """
            How many seconds a CDN or a proxy's cache may show a page without asking this server, and as long again \
            while it asks; 0 for never. Readers see changes that much later, also that a person was forgotten.
            """,
            valueName: "seconds"))
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
        help: ArgumentHelp(
            """
            Which origins may read fragments and JSON from their pages: '*', 'none', or origins separated by commas.
            """, valueName: "origins"))
    var allowOrigin = "*"

    @Option(
        help: ArgumentHelp(
            "Whether readers can download all people as files (/export.csv and others): on or off.", valueName: "on|off"
        ))
    var exports = LiveOption.on

    @Option(
        help: ArgumentHelp(
            """
            Which pages may show /?embed=1 and /?embed=fit in a frame: '*', 'none', or self and origins separated by \
            commas.
            """,
            valueName: "origins"))
    var frameAncestors = "*"
}
