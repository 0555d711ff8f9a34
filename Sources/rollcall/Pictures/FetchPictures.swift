import ArgumentParser
import HTTPClient

struct FetchPictures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch the pictures that are due. This is what `rollcall pictures` does.",
        discussion: """
            Asks for the picture of everybody whose record has the address of one, and keeps three small copies of it. \
            Each address is asked again after about seven days, and only for what has changed. An address that fails \
            is tried again after an hour, a day, a week, and then every month. People without a picture have initials.

            A host gets at most two requests at a time and --rate a second. A host that asks for a pause gets it, and \
            one that fails 20 times in a row is left alone for an hour. Only public addresses are asked, at ports 80 \
            and 443; --allow-network adds networks of your own. The command can be interrupted at any moment and run \
            again, and it may run while the directory is served and imported.

            Exit status: 0 all that were due are fetched; 1 the command failed; 2 some could not be fetched and the \
            others were saved; 75 run it again later, because a host asked for that, another run is fetching, or the \
            database only reads; 130 it was interrupted.
            """)

    @OptionGroup var scope: ScopeOption

    @OptionGroup var extent: LimitOption
    @OptionGroup var repetition: RepetitionOptions
    @OptionGroup(title: "Requests") var network: NetworkOptions

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var quietness: QuietOption

    func run() throws { try FetchingPictures(command: self).run() }
}

struct NetworkOptions: ParsableArguments {
    @Option(value: "number", help: "The most requests a second to one host, such as 10 or 0.5.")
    var rate = "10"

    @Option(
        value: "addresses",
        help: """
            A network that is not public and may be asked all the same, at any port, such as 10.0.0.0/8; several with \
            commas.
            """)
    var allowNetwork = ""

    @Option(
        value: "url",
        help: """
            The proxy that all requests go through; by default none, whatever the environment says. It decides itself \
            which addresses the names of hosts stand for, so it must keep requests out of networks of your own.
            """)
    var proxy: String?

    @OptionGroup var site: PublicURLOption

    func validate() throws {
        _ = (try requestsPerSecond, try clientNetwork, try userAgent)
    }

    var requestsPerSecond: Double {
        get throws {
            let number = Double(rate) ?? 0
            try expect(
                (0.001...1000).contains(number), "--rate: expected 0.001 to 1000 requests a second, found \"\(rate)\"")
            return number
        }
    }

    private var servers: AskableServers {
        get throws {
            AskableServers(
                allowedNetworks: try addressRanges(allowNetwork, of: "--allow-network"),
                advice: " (--allow-network allows a network of your own)")
        }
    }

    var clientNetwork: Client.Network {
        get throws {
            let servers = try servers
            let proxy = try webAddress(proxy, of: "--proxy").map(Client.Network.Proxy.server) ?? .none
            return Client.Network(proxy: proxy) { servers.refusal(of: $0, port: $1) }
        }
    }

    /// The name by which hosts know who asks.
    var userAgent: String {
        get throws {
            let page = try webAddress(site.publicUrl, of: "--public-url")
            return "rollcall/\(Rollcall.version)" + (page.map { " (+\($0))" } ?? "")
        }
    }
}
