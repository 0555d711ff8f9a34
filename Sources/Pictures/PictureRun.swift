import Foundation
import HTTPClient
import People
import Publishing

/// Fetches the pictures that are due. The calling thread reads what is due and saves results; other threads send the
/// requests.
///
/// Nothing but the saved results is remembered: a run that ends early, however it ends, is continued by the next one.
public final class PictureRun {
    public struct Configuration: Sendable {
        /// `nil` for all directories.
        public var directory: Slug?
        /// The most addresses of a run; 0 for all.
        public var limit = 0
        /// Requests to one host.
        public var requestsPerSecond = 10.0
        /// Sixteen: eight hosts at a time that are slow.
        public var threads = 16
        /// The number of addresses that are read ahead, so that the hosts of later ones are asked meanwhile.
        public var window = 10_000
        public var isCancelled: @Sendable () -> Bool = { false }
        public var clock: @Sendable () -> Date = { Date() }

        public init() {}
    }

    /// Results are saved when there are this many, and at least once a second: an end by force costs at most a second
    /// of fetching.
    private static let transaction = (results: 1000, time: Duration.seconds(1))

    private let writer: any PictureWriter
    private let configuration: Configuration
    private let coordinator: FetchCoordinator
    private let fetcher: PictureFetcher
    private let start = ContinuousClock.now
    private var progress = PictureProgress()
    private var unsaved: [PictureResult] = []
    private var lastSave = ContinuousClock.now
    private var position: (directory: Int64, user: Int64)?
    private var isAtEnd = false
    private var read = 0
    private var comeBack: Duration?

    public init(
        writer: any PictureWriter, makers: [MakePicture], configuration: Configuration = Configuration(),
        makeFetch: @escaping @Sendable () throws -> Fetch
    ) {
        self.writer = writer
        self.configuration = configuration
        var limits = FetchQueue.Limits()
        limits.host.requestsPerSecond = configuration.requestsPerSecond
        coordinator = FetchCoordinator(limits: limits, makers: makers)
        fetcher = PictureFetcher(
            coordinator: coordinator, makeFetch: makeFetch, isCancelled: configuration.isCancelled,
            clock: configuration.clock)
    }

    /// Runs to the end, or until it is cancelled. Calls `observe` a few times a second.
    public func run(observe: (PictureProgress) -> Void) -> PictureSummary {
        do {
            for _ in 0..<configuration.threads {
                coordinator.threadBegins()
                Thread.detachNewThread { [fetcher] in fetcher.run() }
            }
            try work(observe)
            take(coordinator.close())
            try save()
            if configuration.isCancelled() { return summary(.cancelled) }
            var summary = summary(.complete)
            summary.garbage = try writer.collectGarbage(at: now)
            return summary
        } catch {
            // Saves the work that is done, so that no run repeats it. This fails again if saving is what failed.
            take(coordinator.close())
            try? save()
            return summary(.failed(error))
        }
    }

    private func work(_ observe: (PictureProgress) -> Void) throws {
        while !configuration.isCancelled() {
            let isReading = !isAtEnd && coordinator.waiting < configuration.window
            if isReading { try readAhead() }
            let batch = try coordinator.results(waitingUpTo: isReading ? 0 : 0.1)
            take(batch)
            if unsaved.count >= Self.transaction.results || ContinuousClock.now - lastSave >= Self.transaction.time {
                try save()
            }
            observe(progress)
            if isAtEnd, batch.isIdle { return }
        }
    }

    /// Reads more addresses that are due.
    private func readAhead() throws {
        let limit = configuration.limit == 0 ? 1000 : min(1000, configuration.limit - read)
        let due = try writer.due(in: configuration.directory, at: now, after: position, limit: limit)
        read += due.sources.count
        position = due.position
        isAtEnd = position == nil || read == configuration.limit
        progress.resting += due.resting
        add(due.sources)
        if isAtEnd { progress.expected = read }
    }

    private func add(_ sources: [PictureSource]) {
        var (jobs, refused): ([FetchJob], [FetchCoordinator.Finished]) = ([], [])
        for source in sources {
            do { jobs.append(FetchJob(source: source, address: try PictureRequest.address(of: source.address))) } catch
            {
                let outcome = PictureOutcome.refused(reason: "\(error)")
                let due = source.due(after: outcome, at: now)
                refused.append((PictureResult(source, outcome, dueAt: due), "\(error)"))
            }
        }
        coordinator.add(refused)
        coordinator.add(jobs)
    }

    private func take(_ batch: FetchCoordinator.Batch) {
        for finished in batch.finished {
            unsaved.append(finished.result)
            progress.count(finished.result, kind: finished.kind)
        }
        (progress.requests, progress.bytes, progress.postponed) = (batch.requests, batch.bytes, batch.postponed)
        progress.elapsed = ContinuousClock.now - start
        comeBack = batch.comeBack
    }

    private func save() throws {
        lastSave = .now
        guard !unsaved.isEmpty else { return }
        progress.saved += try writer.save(unsaved, at: now)
        unsaved = []
    }

    private func summary(_ end: RunEnd) -> PictureSummary {
        progress.elapsed = ContinuousClock.now - start
        return PictureSummary(end: end, progress: progress, comeBack: comeBack)
    }

    private var now: Int64 { Int64(configuration.clock().timeIntervalSince1970) }
}
