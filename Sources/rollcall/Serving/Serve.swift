import ArgumentParser
import Logging
import People
import Publishing
import Site

struct Serve: ServingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the directories of a database.",
        discussion: """
            Prints one line with its address once it accepts connections. On SIGTERM, SIGINT or SIGHUP it \
            finishes the requests in flight and exits with status 0; a second SIGTERM or SIGINT ends it at once. \
            Under nohup, SIGHUP is ignored. There is nothing to reload: data and settings are seen within a second.
            """)

    @OptionGroup(title: "Data") var data: DatabaseOption
    @OptionGroup(title: "Visibility") var audience: VisibilityOptions
    @OptionGroup(title: "Address") var address: AddressOptions
    @OptionGroup(title: "Pages") var pages: PageOptions
    @OptionGroup(title: "Other sites") var sharing: SharingOptions
    @OptionGroup(title: "Logs and metrics") var observing: ObservingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    func validate() throws { _ = (try visibleSite(), try trustedProxies) }

    private func visibleSite() throws -> Site.Configuration {
        var site = try site()
        try audience.apply(to: &site)
        return site
    }

    func run() throws {
        let logger = Serving.logger()
        let database = data.database
        let isNew = try !database.exists
        let store = try openStore(database, note: { logger.warning("\($0)") })
        let filling = "rollcall import file people.xlsx --database \(database.description.shellWord)"
        if isNew {
            logger.warning("\(database) is new and empty; fill it with: \(filling)")
        } else if store.isRemote, store.directories.isEmpty {
            logger.warning("\(database) has no directory yet; fill one with: \(filling)")
        }
        // A directory that cannot be read says so by itself.
        if let warning = try? store.missingPictures(of: database) { logger.warning("\(warning)") }
        let site = try visibleSite()
        try check(site, store, logger)
        try Serving(self, site, store: store, logger: logger).run()
    }

    /// Throws if a directory of `--directories` does not exist. Warns of directories that the site hides, and of a
    /// private site that everybody can reach.
    private func check(_ site: Site.Configuration, _ store: any PublisherStore, _ logger: Logger) throws {
        let slugs = store.directories.map(\.slug)
        if let unknown = site.directories?.first(where: { !slugs.contains($0) }) {
            throw ValidationError("--directories: there is no directory \(unknown); the database has \(slugs.list)")
        }
        let hidden = store.directories.filter { site.directories?.contains($0.slug) != false && !site.shows($0) }
        if !hidden.isEmpty {
            logger.warning(
                """
                hidden, because private: \(hidden.map(\.slug).list); start with --private to \
                show private directories (a service: ROLLCALL_PRIVATE=true)
                """)
        }
        if audience.private, isReachableFromOutside {
            logger.warning(
                """
                --private has no sign-in of its own: everybody who reaches port \(address.port) of this machine \
                can read everything. Listen on 127.0.0.1 or a Unix socket, behind a proxy with a sign-in.
                """)
        }
    }
}
