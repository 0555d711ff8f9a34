import Assets
import Directories
import Dispatch
import Foundation
import HTTPServer
import Logging
import Metrics
import Site

/// A store served until a signal ends it: here everything is wired together.
struct Serving {
    private let server: Server
    private let supervisor: SystemdNotifier?
    private let logger: Logger
    private let site: Site
    /// Where metrics are alone, if they are.
    private let metricsServer: Server?
    private let basePath: String
    /// Between the signal and the end of listening.
    private let drainDelay: Int

    init(_ options: ServingOptions, store: any UserStore, logger: Logger) throws {
        let folders = options.folders
        let assets = try Assets(publicFolder: folders.public, templatesFolder: folders.templates)
        for warning in assets.warnings { logger.warning("\(warning)") }
        let configuration = try options.site()
        basePath = configuration.basePath
        if let slug = configuration.defaultDirectory, !store.directories.contains(where: { $0.slug == slug }) {
            let slugs = store.directories.map(\.slug.text).joined(separator: ", ")
            logger.warning("there is no directory \(slug) yet, only: \(slugs.isEmpty ? "none" : slugs)")
        }
        drainDelay = options.limits.drainDelay
        let site = try Site(configuration: configuration, store: store, assets: assets, logger: logger)
        self.logger = logger
        supervisor = try SystemdNotifier()
        server = Server(configuration: try options.server(), application: site, logger: logger)
        site.registry.add(ProcessStats(version: Rollcall.version))
        site.registry.add(server)
        site.registry.add(site)
        metricsServer = options.observing.metrics.address.map { address in
            var configuration = Server.Configuration(addresses: [address])
            configuration.eventLoops = 1
            configuration.workers = 1
            return Server(configuration: configuration, application: MetricsSite(site), logger: logger)
        }
        self.site = site
    }

    /// Returns when everything in flight is finished after SIGTERM or SIGINT; a second signal does not wait for that.
    func run() throws {
        let signals = onTermination { [self] in drain($0) }
        defer { for signal in signals { signal.cancel() } }
        if let address = try metricsServer?.start().first { logger.info("metrics are at \(address)/metrics") }
        let addresses = try server.start().map(shown).joined(separator: " and ")
        supervisor?.tell("READY=1", "STATUS=Listening at \(addresses)")
        let watchdog = supervisor.flatMap { Watchdog($0, server, logger: logger) }
        defer { withExtendedLifetime(watchdog) {} }
        // Past the buffer of `print`: whoever waits for the line in a pipe gets it now.
        StandardStreams.write("Rollcall is at \(addresses)\n", to: STDOUT_FILENO)
        server.waitUntilStopped()
        // What drains is watched to its end.
        metricsServer?.drain()
        metricsServer?.waitUntilStopped()
    }

    private func drain(_ number: Int32) {
        // Whoever sends another signal means it. Not left to the system, which kills no first process of a container.
        guard site.announceStop() else { _exit(128 + number) }
        supervisor?.tell("STOPPING=1", "STATUS=Finishing what is in flight")
        DispatchQueue(label: "rollcall.drain").asyncAfter(deadline: .now() + .seconds(drainDelay)) { [server] in
            server.drain()
        }
    }

    /// An address that a browser can open: with the base path, and with a name for this machine where all its addresses are
    /// listened on.
    private func shown(_ address: Server.Address) -> String {
        guard case .tcp(let hostname, let port) = address else { return "\(address)" }
        let isEverywhere = ["*", "0.0.0.0", "::"].contains(hostname)
        let shown = Server.Address.tcp(hostname: isEverywhere ? "localhost" : hostname, port: port)
        return basePath.isEmpty ? "\(shown)" : "\(shown)\(basePath)/"
    }

    static func logger() -> Logger {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        return Logger(label: "rollcall")
    }
}
