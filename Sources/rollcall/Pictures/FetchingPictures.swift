import Foundation
import HTTPClient
import Images
import Importers
import People
import Pictures
import Publishing
import StoreEngine

/// The fetching of pictures from the command line: once, or repeatedly until a signal ends it.
struct FetchingPictures {
    let command: FetchPictures
    private let cancellation = ImportCancellation()

    /// Throws the exit status unless that is 0.
    func run() throws { try command.repetition.run("run", cancellation, fetchOnce) }

    /// Fetches the pictures that are due. If the database goes away meanwhile, waits and fetches those that are still
    /// due.
    private func fetchOnce(_ interruption: Interruption) throws -> RunOutcome {
        let report = PictureReport(format: command.repetition.progress)
        return try interruption.retrying(note: report.note, ended: report.end) {
            let store = try command.options.open { [cancellation] in cancellation.isCancelled }
            interruption.noteOpened()
            let slug = try command.scope.slug(in: store)
            if command.repetition.dryRun { return try count(store, slug, report) }
            let lock = try takeLock(of: store, report)
            let summary = try withExtendedLifetime(lock) { try fetch(store, slug, report) }
            if case .failed(let failure as any StoreFailure) = summary.end, failure.kind == .interruption {
                throw failure
            }
            return report.finish(summary)
        }
    }

    private func takeLock(of store: any Store, _ report: PictureReport) throws -> any StoreLock {
        try cancellation.lock(
            for: "pictures", within: command.options.locking.lockTimeout,
            attempt: { try store.attemptPictureLock(name: $0) },
            isWaiting: { report.note("waiting for another run that fetches pictures: \($0)") },
            busy: { StoreError(.held, "another run is fetching pictures (\($0)); try again when it has finished") })
    }

    private func fetch(_ store: any Store, _ slug: Slug?, _ report: PictureReport) throws -> PictureSummary {
        var configuration = PictureRun.Configuration()
        configuration.directory = slug
        configuration.limit = command.extent.limit
        configuration.requestsPerSecond = try command.network.requestsPerSecond
        configuration.isCancelled = { [cancellation] in cancellation.isCancelled }
        let (network, userAgent) = (try command.network.clientNetwork, try command.network.userAgent)
        let workers = ProcessInfo.processInfo.activeProcessorCount > 2 ? 2 : 1
        let run = PictureRun(
            writer: try store.makePictureWriter(), makers: (0..<workers).map { _ in WorkerProcess().make },
            configuration: configuration
        ) {
            let client = try Client(limits: Self.limits, userAgent: userAgent, network: network)
            return { try client.fetch($0, whileWaiting: $1) }
        }
        return run.run(observe: report.show)
    }

    /// Ten seconds to connect and for silence, and half a minute in all: pictures are small.
    private static let limits = {
        var limits = Client.Limits()
        limits.bodyBytes = PictureLimits.maxFetchedBytes
        limits.connection = .seconds(10)
        limits.silence = .seconds(10)
        limits.answer = .seconds(30)
        return limits
    }()

    /// Counts the addresses that are due, by host.
    private func count(_ store: any Store, _ slug: Slug?, _ report: PictureReport) throws -> RunOutcome {
        let writer = try store.makePictureWriter()
        let now = Int64(Date().timeIntervalSince1970)
        let limit = command.extent.limit == 0 ? Int.max : command.extent.limit
        var hosts: [String: Int] = [:]
        var position: (directory: Int64, user: Int64)?
        var (total, resting) = (0, RestingPictures())
        repeat {
            if cancellation.isCancelled { return report.end(.cancelled) }
            let due = try writer.due(in: slug, at: now, after: position, limit: min(1000, limit - total))
            for source in due.sources {
                hosts[(try? PictureRequest.address(of: source.address).host) ?? "no web address", default: 0] += 1
            }
            (position, total) = (due.position, total + due.sources.count)
            resting += due.resting
        } while position != nil && total < limit
        report.showDue(hosts, resting)
        return .complete
    }
}
