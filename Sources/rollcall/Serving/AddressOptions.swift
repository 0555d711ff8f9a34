import ArgumentParser

struct PortOption: ParsableArguments {
    @Option(
        in: 0...65_535,
        help: "The port to listen on; 0 picks a free one. By default 8080, or for `rollcall open` the next free one.")
    var port: Int?
}

/// The option of commands that tell others where the pages are.
struct PublicURLOption: ParsableArguments {
    @Option(
        value: "url",
        help: """
            The absolute URL of the home page, for canonical links, the sitemap, the links of the JSON, and the operators \
            of hosts that are asked for pictures; by default absolute links begin with the Host of the request.
            """)
    var publicUrl: String?
}

/// The options for the address where a server listens and the URL where visitors reach it.
struct AddressOptions: ParsableArguments {
    @OptionGroup var listening: PortOption

    @Option(value: "host", help: "The host name or address to listen on; '*' for all.")
    var hostname = "127.0.0.1"

    @OptionGroup var site: PublicURLOption

    @Option(value: "path", help: "The path below which everything is served, such as /people.")
    var basePath = "/"

    @Option(
        value: "addresses",
        help: """
            Proxies whose X-Forwarded-Proto is trusted, beside those on a Unix socket: addresses or blocks such as \
            10.0.0.0/8, separated by commas.
            """)
    var trustedProxies = ""

    @Option(value: "path", help: "Listen on a Unix socket instead of a port.")
    var unixSocket: String?

    @Flag(
        help: """
            Listen beside another server that has this option at the same port, of metrics, too, or take over its \
            Unix socket: start the new version, then send SIGTERM to the old one.
            """)
    var reusePort = false

    var port: Int { listening.port ?? 8080 }

    /// Those options that the command line or the environment has of the ones that say where to listen.
    static var given: [String] {
        ["port", "hostname", "unix-socket"].filter(Environment.has).map { "--" + $0 }
    }
}
