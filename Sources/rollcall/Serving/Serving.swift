import ArgumentParser
import Dispatch
import Foundation
import Logging
import Metrics
import People
import Server
import Site
import Template

/// Wires store, site and server together, and serves until a signal ends it.
struct Serving {
    private let server: Server
    private let supervisor: SystemdNotifier?
    private let logger: Logger
    private let site: Site
    private let store: any UserStore
    /// The server for metrics alone, if `--metrics` names an address or systemd passed a socket for it.
    private let metricsServer: Server?
    private let basePath: String
    /// The seconds between the signal and the end of listening.
    private let drainDelay: Int

    init(
        _ options: some ServingCommand, _ configuration: Site.Configuration, store: any UserStore, logger: Logger
    ) throws {
        let assets = try Assets(
            publicFolder: options.pages.publicFolder, templatesFolder: options.pages.templatesFolder)
        for warning in assets.warnings { logger.warning("\(warning)") }
        basePath = configuration.basePath
        if let slug = configuration.defaultDirectory, !store.directories.contains(where: { $0.slug == slug }) {
            logger.warning("there is no directory \(slug) yet; the database has \(store.directories.map(\.slug).list)")
        }
        for directory in store.directories where !directory.hasCurrentOrder {
            logger.warning(
                """
                \(directory.slug) is sorted by the rules \(directory.collation.text), this program has \
                \(CollationStamp(language: directory.settings.language).text): the old order stays, without letters, until \
                the next import or rollcall directories reindex \(directory.slug)
                """)
        }
        drainDelay = options.limits.drainDelay
        let site = try Site(configuration: configuration, store: store, assets: assets, logger: logger)
        for warning in site.templateWarnings { logger.warning("\(warning)") }
        self.logger = logger
        supervisor = try SystemdNotifier()
        let passed = try SocketActivation()
        let given = AddressOptions.given.joined(separator: ", ")
        if !passed.site.isEmpty, !given.isEmpty {
            logger.warning(
                """
                \(Environment.explaining(given)): without effect, because systemd listens; for another address: \
                systemctl edit rollcall.socket
                """)
        }
        var serverConfiguration = try options.server(passed.site)
        if store.isRemote { serverConfiguration.workers = Self.waitingWorkers }
        server = Server(configuration: serverConfiguration, application: site, logger: logger)
        site.registry.add(ProcessStats(version: Rollcall.version))
        site.registry.add(server)
        let metricsAddresses =
            passed.metrics.isEmpty ? try options.observing.readersOfMetrics.addresses : passed.metrics
        if metricsAddresses.isEmpty {
            metricsServer = nil
        } else {
            var configuration = Server.Configuration(addresses: metricsAddresses)
            configuration.takesOver = serverConfiguration.takesOver
            configuration.eventLoops = 1
            configuration.workers = 1
            configuration.limits.maxLiveBodies = 0
            metricsServer = Server(configuration: configuration, application: MetricsSite(site), logger: logger)
        }
        (self.site, self.store) = (site, store)
    }

    /// The number of workers for a store on a server. Each waits for it most of the time, and has a connection of its
    /// own, which costs the server of the database a process.
    private static var waitingWorkers: Int { min(max(8, 4 * ProcessInfo.processInfo.activeProcessorCount), 32) }

    /// Serves until SIGTERM, SIGINT or SIGHUP, and returns when the requests in flight are finished. A second signal
    /// does not wait for them.
    func run() throws {
        defer { close() }
        let signals = onTermination { [self] in drain($0) }
        defer { for signal in signals { signal.cancel() } }
        try serve { _ in }
    }

    /// Stops what the site and its store have started, and waits for it. They cannot be used any more.
    func close() {
        site.close()
        store.close()
    }

    /// Serves until the caller, who takes the signals, calls `drain`.
    ///
    /// - Parameter listening: Called with the first address once the server answers.
    func serve(listening: (String) -> Void) throws {
        // As much as the bitmap of a search takes among 32 million people.
        Memory.keepFreedBlocks(upTo: 4 << 20)
        site.prepareFigures()
        // Metrics stay available until the site has drained.
        defer {
            metricsServer?.drain()
            metricsServer?.waitUntilStopped()
        }
        for address in try startMetrics() { logger.info("metrics are at \(address)/metrics") }
        let started = try start().map(shown)
        // A signal may have come before.
        guard let first = started.first else { return }
        let addresses = started.joined(separator: " and ")
        supervisor?.tell("READY=1", "STATUS=Listening at \(addresses)")
        let watchdog = supervisor.flatMap { Watchdog($0, server, logger: logger) }
        defer { watchdog?.stop() }
        // Unbuffered, unlike `print`, so that a program that reads the line from a pipe gets it now.
        StandardStreams.write("Rollcall is at \(addresses)\n", to: STDOUT_FILENO)
        listening(first)
        server.waitUntilStopped()
    }

    func reloadPages() { site.reloadPages() }

    /// Starts the server of the site, and returns its addresses.
    private func start() throws -> [Server.Address] {
        do { return try server.start() } catch let error as ServerError where error.isPortTaken {
            throw ValidationError("\(error); --port chooses another one, 0 any free one")
        }
    }

    /// Starts the server for metrics, if there is one, and returns its addresses.
    private func startMetrics() throws -> [Server.Address] {
        do { return try metricsServer?.start() ?? [] } catch let error as ServerError {
            // The unit of systemd allows no network sockets, so that a flaw in the server leads nowhere.
            throw ValidationError(
                """
                --metrics: \(error); under systemd, rollcall-metrics.socket listens for metrics instead: \
                systemctl stop rollcall.socket rollcall; systemctl enable --now rollcall-metrics.socket rollcall
                """)
        }
    }

    /// Ends serving on the signal of this number.
    func drain(_ number: Int32) {
        // A second signal ends the process at once. The system would not: it ignores the default action for process 1
        // of a container.
        guard site.announceStop() else { _exit(128 + number) }
        supervisor?.tell("STOPPING=1", "STATUS=Finishing the requests in flight")
        DispatchQueue(label: "rollcall.drain").asyncAfter(deadline: .now() + .seconds(drainDelay)) { [server] in
            server.drain()
        }
    }

    /// Returns a URL that a browser can open: with the base path, and with `localhost` if the server listens on all
    /// addresses.
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
